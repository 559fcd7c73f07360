"""Metrics: the counters and measurements of this process, for Prometheus."""

from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

PRESSES: Final = Counter("okey_presses", "What people pressed and typed", ("chat", "kind", "outcome"))
PRESS_SECONDS: Final = Histogram(
    "okey_press_seconds", "From what people did to its answer", ("chat",), buckets=_SECONDS
)
CALLS: Final = Counter("okey_calls", "Deliveries to chats", ("chat", "outcome"))
CALL_SECONDS: Final = Histogram("okey_call_seconds", "How long a delivery took", ("chat",), buckets=_SECONDS)
RATE_LIMITED: Final = Counter("okey_rate_limited", "Answers of 429", ("chat",))
BACKLOG: Final = Gauge("okey_backlog", "Deliveries that wait for their turn")
LEASES: Final = Gauge("okey_leases", "Partitions whose work this process does", ("work",))
RECEIVING: Final = Gauge("okey_receiving", "1 where what people do comes to this process alone", ("chat",))
TABLES: Final = Gauge("okey_tables", "Tables with a clock, in the partitions whose clock is this process's")
COMPUTER_MOVES: Final = Counter("okey_computer_moves", "Moves of automatic players")
STORE_SECONDS: Final = Histogram("okey_store_seconds", "Calls of the store, tries included", buckets=_SECONDS)
STORE_FAILURES: Final = Counter("okey_store_failures", "Calls of the store that were given up")

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


def page() -> bytes:
    """Return all metrics in the text format of Prometheus."""
    return generate_latest()
