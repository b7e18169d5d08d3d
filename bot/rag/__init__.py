"""From a question to a cited answer: one file a step, each with its model way and its local way."""
