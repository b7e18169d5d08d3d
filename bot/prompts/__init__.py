"""The prompts, one Markdown file a step; filled by name."""
