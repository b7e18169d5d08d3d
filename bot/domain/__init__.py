"""The vocabulary: frozen values that every part speaks, on the standard library alone."""
