"""Who shares out a build among machines. What they are given is plain: no corpus, no call, no secret."""
