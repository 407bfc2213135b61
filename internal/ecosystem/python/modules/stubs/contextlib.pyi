# Result types of context managers, whose code has no annotations.
class AbstractContextManager(Generic[T]):
    def __enter__(self) -> T: ...

class AbstractAsyncContextManager(Generic[T]):
    async def __aenter__(self) -> T: ...

class _GeneratorContextManager(Generic[T]):
    gen: Any
    func: Any
    args: Any
    kwds: Any
    def __enter__(self) -> T: ...

class _AsyncGeneratorContextManager(Generic[T]):
    gen: Any
    func: Any
    args: Any
    kwds: Any
    async def __aenter__(self) -> T: ...
