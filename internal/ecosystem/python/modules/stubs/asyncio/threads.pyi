# The result type of to_thread, whose code has no annotations.
from _collections_abc import Callable

async def to_thread(func: Callable[..., T], /, *args, **kwargs) -> T: ...
