"""Drawing scenes: text, pictures, a window. Nothing here knows a game."""
