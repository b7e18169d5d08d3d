"""The front door of the palace's memory: open the storage that a database address names."""
