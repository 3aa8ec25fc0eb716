"""Agents: the protocol, bots that come with qipai, the arena."""

from qipai.agents.agent import Agent, load_agent

__all__ = ["Agent", "load_agent"]
