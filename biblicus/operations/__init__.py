"""One file per verb: the one door for every connector. Each takes the corpus's folder, a request and a `Call`."""
