# Types of variables and results of functions of the interpreter. The module has many others.
from types import FrameType

argv: list[str]
byteorder: str
executable: str
maxsize: int
path: list[str]
platform: str
prefix: str
version: str

def getdefaultencoding() -> str: ...
def getfilesystemencoding() -> str: ...
def getrecursionlimit() -> int: ...
def getsizeof(object, default=None) -> int: ...
def _getframe(depth=0, /) -> FrameType: ...
