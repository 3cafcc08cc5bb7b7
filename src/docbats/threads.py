"""One BLAS thread while we compute, so that results do not depend on how many there are."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["single_blas_thread"]

_lock = threading.Lock()
_users = 0
_controller: Any = None
_limiter: Any = None


@contextmanager
def single_blas_thread() -> Iterator[None]:
    """Hold the BLAS libraries of this process to one thread.

    Sums split over threads round differently. The limit is a property of the process, so the first
    of several analyses at a time sets it and the last one lifts it.
    """
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _users, _controller, _limiter  # noqa: PLW0603  (the limit itself is global)
    with _lock:
        if _users == 0:
            if _controller is None:
                import scipy.linalg  # noqa: F401  (the controller only sees what is loaded)
                from threadpoolctl import ThreadpoolController

                _controller = ThreadpoolController()
            _limiter = _controller.limit(limits=1, user_api="blas")
        _users += 1


def _leave() -> None:
    global _users  # noqa: PLW0603
    with _lock:
        _users -= 1
        if _users == 0:
            _limiter.restore_original_limits()
