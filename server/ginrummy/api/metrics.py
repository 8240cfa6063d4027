"""Figures about the calls, under the names that gRPC servers of other languages use as well."""

from prometheus_client import CollectorRegistry, Counter, Histogram

from ginrummy.api.around import Method

__all__ = ["CallMetrics", "MethodMetrics"]

_LABELS = ("grpc_type", "grpc_service", "grpc_method")

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class CallMetrics:
    """The counters of all calls of one server."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the counters in `registry`, where whoever collects them finds them."""
        self._started = Counter(
            "grpc_server_started", "Calls that have begun.", _LABELS, registry=registry
        )
        self._handled = Counter(
            "grpc_server_handled",
            "Calls that have ended, by their code.",
            (*_LABELS, "grpc_code"),
            registry=registry,
        )
        self._seconds = Histogram(
            "grpc_server_handling_seconds",
            "How long the calls took; a stream's length for a stream.",
            (*_LABELS, "grpc_code"),
            buckets=_SECONDS,
            registry=registry,
        )

    def of(self, method: Method) -> "MethodMetrics":
        """Return the counters of one method."""
        labels = (method.kind, method.service, method.name)
        return MethodMetrics(labels, self._started, self._handled, self._seconds)


class MethodMetrics:
    """The counters of one method, its labels looked up once."""

    def __init__(
        self,
        labels: tuple[str, str, str],
        started: Counter,
        handled: Counter,
        seconds: Histogram,
    ) -> None:
        self._labels = labels
        self._handled = handled
        self._seconds = seconds
        self._by_code: dict[str, tuple[Counter, Histogram]] = {}
        self.started = started.labels(*labels).inc
        """Count a call that begins."""

    def ended(self, code: str, seconds: float) -> None:
        """Count a call that has ended with this code after this time."""
        counters = self._by_code.get(code)
        if counters is None:
            labels = (*self._labels, code)
            counters = self._handled.labels(*labels), self._seconds.labels(*labels)
            self._by_code[code] = counters
        counters[0].inc()
        counters[1].observe(seconds)
