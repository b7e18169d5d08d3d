"""What `palace` does when it is typed: one file a group of commands, over the same parts that serve the chats."""
