"""Speech to text: transcribers are plug-ins of the kind `stt`, defined by the user and named by recipes."""
