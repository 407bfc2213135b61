# Result types of executors, whose code has no annotations.
from _collections_abc import Callable, Iterator
from concurrent.futures._base import Future

class ProcessPoolExecutor:
    def map(self, fn: Callable[..., T]) -> Iterator[T]: ...
    def submit(self, fn: Callable[..., T]) -> Future[T]: ...
