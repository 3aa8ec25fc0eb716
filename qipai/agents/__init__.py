"""Agents: the protocol, bots that come with qipai, the arena."""

from qipai.agents.agent import Agent, load_agent
from qipai.agents.budget import Budget

__all__ = ["Agent", "Budget", "load_agent"]
