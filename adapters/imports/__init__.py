"""What people bring along: exports of browsers, bookmark services and chat platforms, read into the bot's words."""
