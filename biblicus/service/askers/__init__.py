"""Who answers a verb: this process, the user's daemon, a service, or the first of several that can."""
