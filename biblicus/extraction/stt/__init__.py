"""Speech to text: transcribers are plug-ins of the kind `stt`, configured by the user and named in recipes."""
