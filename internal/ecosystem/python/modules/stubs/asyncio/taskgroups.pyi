# Result types of groups of tasks, whose code has no annotations.
from _asyncio import Task
from _collections_abc import Coroutine

class TaskGroup:
    async def __aenter__(self) -> Self: ...
    def create_task(self, coro: Coroutine[Y, S, T], **options) -> Task[T]: ...
