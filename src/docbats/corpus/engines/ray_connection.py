"""Connect to a Ray cluster, without its messages and statistics."""

from __future__ import annotations

import logging
import os
import socket
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats.corpus.errors import EngineError
from docbats.errors import SettingsError
from docbats.processes.process_pool import available_processors

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_address", "connect_to_ray", "count_processors", "ray_module"]

_CONNECT_SECONDS = 5.0
_RAY_VARIABLES = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_AUTO_CONNECT": "0",  # a wave that an interrupted run leaves would start another Ray
    "RAY_NUM_REDIS_GET_RETRIES": "2",  # of 40 seconds each, where somebody else answers
}


def count_processors() -> int:
    """Return how many processors all nodes have that are there now."""
    return max(1, int(ray_module().cluster_resources().get("CPU", 1)))


@contextmanager
def connect_to_ray(address: str | None, jobs: int | None) -> Iterator[None]:
    """Connect to a cluster: the one of this process, that of the address, or one of our own."""
    for name, value in _RAY_VARIABLES.items():
        os.environ.setdefault(name, value)
    ray = ray_module()
    if ray.is_initialized():
        yield
        return
    options: dict[str, Any] = {"address": address}
    if address is None:
        options = {
            "address": "local",
            "num_cpus": jobs or available_processors(),
            "include_dashboard": False,
        }
    try:
        ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # of many kinds: nobody there, another version of Ray or of Python
        reason = " ".join(str(error).split())[:500]
        msg = f"Ray does not start{f' at {address}' if address else ''}: {reason}"
        raise EngineError(msg) from None
    _silence_data(ray.data)
    try:
        yield
    finally:
        ray.shutdown()


def ray_module() -> Any:
    """Import Ray, with Ray Data; they take a second to load."""
    import ray
    import ray.data

    return ray


def _silence_data(data: Any) -> None:
    """Leave it to docbats to show progress and errors; Ray's own log stays."""
    data.DataContext.get_current().enable_progress_bars = False
    for handler in logging.getLogger("ray.data").handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setLevel(logging.CRITICAL)


def check_address(address: str, jobs: int | None) -> None:
    """Raise SettingsError for an impossible address, EngineError where nothing answers."""
    if jobs is not None:
        msg = "--jobs is for this machine: a cluster at an --address has its own processors"
        raise SettingsError(msg)
    if address.startswith("ray://"):
        msg = (
            f"{address}: Ray Data has to run in the cluster itself: call docbats on one of its "
            "nodes with --address auto, or from here by ray job submit"
        )
        raise SettingsError(msg)
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or _last_started_address()
        if not address:
            return  # Ray looks for itself, and fails soon
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        msg = f"--address must be auto or host:port, e.g. 10.0.0.1:6379, got {address}"
        raise SettingsError(msg)
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        msg = (
            f"nothing answers at {address} ({error.strerror or error}): start a cluster there by "
            f"ray start --head --port {port}, or name another"
        )
        raise EngineError(msg) from None


def _last_started_address() -> str:
    """Return the address of the cluster that was last started here, which may be gone."""
    folder = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir())
    try:
        return (folder / "ray" / "ray_current_cluster").read_text().strip()
    except OSError:
        return ""
