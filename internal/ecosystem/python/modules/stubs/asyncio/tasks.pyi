# Result types of functions that run coroutines, whose code has no annotations.
from _collections_abc import Awaitable

async def wait_for(fut: Awaitable[T], timeout) -> T: ...
