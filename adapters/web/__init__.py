"""The web outside: fetch a page safely, read it rightly."""
