"""Equipment that games share; nothing here names a game."""
