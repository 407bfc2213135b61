# Result types of executors, whose code has no annotations.
from _collections_abc import Callable
from concurrent.futures._base import Future

class ThreadPoolExecutor:
    def submit(self, fn: Callable[..., T]) -> Future[T]: ...
