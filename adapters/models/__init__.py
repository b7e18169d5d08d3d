"""Models outside: language, embedding."""
