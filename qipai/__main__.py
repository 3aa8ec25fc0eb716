"""``python -m qipai``: the command line."""

from qipai.cli import main

main()
