"""Matches hosted for others: dealt from secrets that are committed to before the deal, told to each
seat in numbered frames, and kept as a log that anybody can replay and check."""
