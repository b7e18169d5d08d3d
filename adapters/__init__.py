"""The front door to everything outside: platforms, models, the web."""
