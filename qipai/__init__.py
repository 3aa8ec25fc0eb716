"""qipai (棋牌): reinforcement-learning environments of Chinese card, tile and board games."""

from importlib.metadata import version

__version__ = version("qipai")
