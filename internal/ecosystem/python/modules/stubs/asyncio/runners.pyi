# The result type of run, whose code has no annotations.
from _collections_abc import Coroutine

def run(main: Coroutine[Y, S, T], *, debug=None, loop_factory=None) -> T: ...
