# Result types of loggers and handlers, whose code has no annotations.
def getLogger(name) -> Logger: ...

class Logger:
    name: str
    level: int
    propagate: bool
    handlers: list[Handler]
    def getChild(self) -> Logger: ...
    def getEffectiveLevel(self) -> int: ...
    def isEnabledFor(self) -> bool: ...
    def hasHandlers(self) -> bool: ...

class LogRecord:
    name: str
    levelname: str
    levelno: int
    pathname: str
    filename: str
    lineno: int
    def getMessage(self) -> str: ...

class Formatter:
    def format(self) -> str: ...
    def formatTime(self) -> str: ...
    def formatException(self) -> str: ...

class Handler:
    level: int
    formatter: Formatter | None
    def format(self) -> str: ...

class FileHandler:
    baseFilename: str
