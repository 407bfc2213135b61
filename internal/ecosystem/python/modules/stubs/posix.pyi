# Results of functions of os, whose code is compiled. The classes have no other public members.
from _collections_abc import Iterator

class stat_result(tuple[int]):
    n_fields: int
    n_sequence_fields: int
    n_unnamed_fields: int
    st_mode: int
    st_ino: int
    st_dev: int
    st_nlink: int
    st_uid: int
    st_gid: int
    st_size: int
    st_atime: float
    st_mtime: float
    st_ctime: float
    st_birthtime: float
    st_atime_ns: int
    st_mtime_ns: int
    st_ctime_ns: int
    st_birthtime_ns: int
    st_blksize: int
    st_blocks: int
    st_rdev: int
    st_flags: int
    st_gen: int
    st_fstype: str
    st_rsize: int
    st_creator: int
    st_type: int
    st_file_attributes: int
    st_reparse_tag: int

class DirEntry:
    name: Any
    path: Any
    def inode(self) -> int: ...
    def is_dir(self) -> bool: ...
    def is_file(self) -> bool: ...
    def is_junction(self) -> bool: ...
    def is_symlink(self) -> bool: ...
    def stat(self) -> stat_result: ...

class ScandirIterator:
    def __iter__(self) -> Self: ...
    def __next__(self) -> DirEntry: ...
    def __enter__(self) -> Self: ...
    def close(self) -> None: ...
