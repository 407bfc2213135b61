# Classes of the interpreter, whose code is compiled. The classes have no other public members.
from _collections_abc import Mapping

class FrameType:
    f_back: FrameType | None
    f_builtins: dict[str, Any]
    f_code: CodeType
    f_generator: Any
    f_globals: dict[str, Any]
    f_lasti: int
    f_lineno: int | None
    f_locals: Any
    f_trace: Any
    f_trace_lines: bool
    f_trace_opcodes: bool
    def clear(self) -> None: ...

class CodeType:
    co_argcount: int
    co_posonlyargcount: int
    co_kwonlyargcount: int
    co_nlocals: int
    co_stacksize: int
    co_flags: int
    co_code: bytes
    co_consts: tuple[Any, ...]
    co_names: tuple[str, ...]
    co_varnames: tuple[str, ...]
    co_filename: str
    co_name: str
    co_qualname: str
    co_firstlineno: int
    co_lnotab: bytes
    co_linetable: bytes
    co_exceptiontable: bytes
    co_freevars: tuple[str, ...]
    co_cellvars: tuple[str, ...]
    def co_branches(self) -> Any: ...
    def co_lines(self) -> Any: ...
    def co_positions(self) -> Any: ...
    def replace(self, **fields) -> CodeType: ...

class TracebackType:
    tb_next: TracebackType | None
    tb_frame: FrameType
    tb_lasti: int
    tb_lineno: int

class MappingProxyType(Mapping[K, V]):
    def copy(self) -> dict[K, V]: ...
