"""What Prometheus is told at ``/metrics``."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

LABELS = ("game", "agent")
SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Metrics:
    """The figures of one application. Agents count by their kind: budgets are without number."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.decisions = Counter(
            "qipai_decisions", "Decisions answered", LABELS, registry=self.registry
        )
        self.defaults = Counter(
            "qipai_defaults",
            "Decisions of the house, as the deadline had passed",
            LABELS,
            registry=self.registry,
        )
        self.latency = Histogram(
            "qipai_request_seconds",
            "Time from a request's body to its answer",
            LABELS,
            buckets=SECONDS,
            registry=self.registry,
        )
        self.errors = Counter(
            "qipai_errors", "Requests answered with an error", ("status",), registry=self.registry
        )

    def text(self) -> bytes:
        """All figures in the text format."""
        return generate_latest(self.registry)
