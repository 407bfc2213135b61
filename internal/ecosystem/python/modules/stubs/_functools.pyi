# Results of functions that call others.
from _collections_abc import Callable

def partial(func: Callable[..., T], /, *args, **keywords) -> Callable[..., T]: ...
