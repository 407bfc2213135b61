package modules

import (
	"context"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// memberStandard contains modules of the standard library, as far as the tests of members need them.
const memberStandard = abstractCollections + `
class Iterable:
    def __iter__(self): ...
class Iterator(Iterable):
    def __next__(self): ...
class AsyncIterable:
    def __aiter__(self): ...
class AsyncIterator(AsyncIterable):
    def __anext__(self): ...
class AsyncGenerator(AsyncIterator):
    def asend(self, value): ...
class Collection(Iterable): ...
class Sequence(Collection): ...
class Mapping(Collection):
    def get(self, key, default=None): ...
class MutableMapping(Mapping): ...
-- _pyio.py
class TextIOWrapper:
    def read(self, size=None) -> str: ...
class BufferedReader:
    def peek(self): ...
class BufferedWriter:
    def write(self, b): ...
class BufferedRandom:
    def peek(self): ...
    def write(self, b): ...
-- argparse.py
class _ActionsContainer:
    def add_argument_group(self, *args, **kwargs): ...
class ArgumentParser(_ActionsContainer):
    def add_subparsers(self, **kwargs): ...
    def parse_args(self, args=None): ...
class _ArgumentGroup(_ActionsContainer): ...
class _SubParsersAction:
    def add_parser(self, name, **kwargs): ...
-- asyncio/__init__.py
from .runners import run
from .tasks import as_completed, create_task, gather, wait_for
from .threads import to_thread
from .queues import Queue
from .streams import StreamReader, StreamWriter
-- asyncio/runners.py
def run(main, *, debug=None): return Runner().run(main)
-- asyncio/tasks.py
async def wait_for(fut, timeout): return await fut
def create_task(coro, *, name=None): ...
def gather(*coros_or_futures, return_exceptions=False): ...
def as_completed(fs, *, timeout=None): ...
-- asyncio/threads.py
async def to_thread(func, /, *args, **kwargs): return await call(func)
-- subprocess.py
def check_output(*popenargs, timeout=None, **kwargs): return run(*popenargs).stdout
def call(*popenargs, timeout=None, **kwargs): return wait()
-- asyncio/queues.py
class Queue:
    async def get(self): ...
    def get_nowait(self): ...
-- asyncio/streams.py
class StreamReader:
    async def readline(self): ...
class StreamWriter:
    async def drain(self): ...
-- concurrent/futures/__init__.py
from concurrent.futures._base import as_completed
from concurrent.futures.thread import ThreadPoolExecutor
-- concurrent/futures/_base.py
class Future:
    def result(self, timeout=None): ...
class Executor:
    def __enter__(self): return self
def as_completed(fs, timeout=None): ...
-- concurrent/futures/thread.py
from concurrent.futures import _base
class ThreadPoolExecutor(_base.Executor):
    def submit(self, fn, /, *args, **kwargs): ...
-- json/__init__.py
def dumps(obj, *, indent=None): ...
-- posixpath.py
def join(a, *p): ...
def basename(p): ...
def dirname(p): ...
-- copy.py
def copy(x): ...
def deepcopy(x, memo=None): ...
-- dataclasses.py
def dataclass(cls=None, **options): ...
def replace(obj, /, **changes): ...
-- datetime.py
from _pydatetime import *
-- _pydatetime.py
class timedelta:
    def __new__(cls, days=0):
        self = object.__new__(cls)
        return self
    def total_seconds(self): ...
    def __sub__(self, other): ...
class date:
    @classmethod
    def today(cls): ...
    def __sub__(self, other): ...
class time:
    def isoformat(self): ...
class datetime(date):
    @classmethod
    def now(cls, tz=None): ...
    def date(self): ...
    def __sub__(self, other): ...
-- logging.py
class Logger:
    def __init__(self, name, level=0): self.level = level
    def warning(self, message): ...
    def getChild(self, suffix): ...
def getLogger(name=None): ...
-- os.py
import posixpath as path
from _collections_abc import MutableMapping
class _Environ(MutableMapping):
    def __getitem__(self, key): ...
environ = _Environ()
def getenv(key, default=None): ...
-- pathlib.py
class PurePath:
    def __new__(cls, *args): return make(cls)
    @property
    def parent(self): ...
class Path(PurePath):
    def iterdir(self): ...
    def read_text(self, encoding=None): ...
-- re.py
Pattern = type(compiled())
Match = type(matched())
def compile(pattern, flags=0): ...
def match(pattern, string, flags=0): ...
-- contextlib.py
class AbstractContextManager: ...
class _GeneratorContextManager(AbstractContextManager):
    def __enter__(self): ...
    def __exit__(self, typ, value, traceback): ...
class _AsyncGeneratorContextManager:
    def __aenter__(self): ...
    def __aexit__(self, typ, value, traceback): ...
def contextmanager(func): ...
def asynccontextmanager(func): ...
-- collections.py
class deque:
    def popleft(self): ...
-- functools.py
def wraps(wrapped): ...
class partial:
    def __call__(self, /, *args, **keywords): ...
try:
    from _functools import partial
except ImportError:
    pass
def lru_cache(maxsize=128, typed=False): ...
class cached_property:
    def __init__(self, func): ...
-- enum.py
class EnumType(type): ...
class Enum(metaclass=EnumType):
    name: str
    value: object
class IntEnum(int, Enum): ...
class Flag(Enum): ...
-- abc.py
class ABCMeta(type): ...
class ABC(metaclass=ABCMeta): ...
def abstractmethod(f): return f
`

// kitchen is the module lib of the programs in the tests of members.
const kitchen = `-- lib.py
from typing import Any, Generic, TypeVar
class Pot:
    size: int = 1
    def fill(self) -> "Pot": return self
class Lid:
    name: str = ""
    def open(self) -> "Lid": return self
class SmallPot(Pot):
    def shrink(self) -> "SmallPot": return self
K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")
class Shelf(Generic[T]):
    def __init__(self, item: T): self.item = item
    def first(self) -> T: return self.item
    def __iter__(self) -> "Rows[T]": ...
    def __getitem__(self, i: int) -> T: return self.item
class Rows(Generic[T]):
    def __iter__(self) -> "Rows[T]": return self
    def __next__(self) -> T: ...
def unknown(): return eval("1")
`

// memberCase is a program in which exactly the members whose names begin with no_ do not exist.
type memberCase struct{ name, code string }

// absentName matches a member that does not exist.
var absentName = regexp.MustCompile(`\.\s*(no_\w+)`)

// expectAbsent compares the members of the programs that do not exist with those whose names say so.
// kitchenTypes returns the types of a program that uses the library of the tests and a part of the standard library.
func kitchenTypes() *Types {
	r := Open(context.Background(), &Source{Root: files(kitchen), Python: "3.13", Platform: "linux/amd64"}, func(module string) (*Source, error) {
		standard := files(memberStandard)
		top, _, _ := strings.Cut(module, ".")
		if found, _ := fs.Glob(standard, top+"*"); len(found) == 0 {
			return nil, fs.ErrNotExist
		}
		return &Source{Root: standard, Dir: "lib", Python: "3.13"}, nil
	})
	r.Program = true
	return NewTypes(r)
}

func expectAbsent(t *testing.T, cases []memberCase) {
	t.Helper()
	const head = "from lib import Pot, Lid, SmallPot, Shelf, Rows, K, V, T, unknown\n"
	for _, tt := range cases {
		code := head + tt.code
		missing := kitchenTypes().Check(context.Background(), "", code).Missing
		var got, want []string
		for _, m := range missing {
			got = append(got, m.Name)
		}
		for _, found := range absentName.FindAllStringSubmatch(code, -1) {
			want = append(want, found[1])
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the absent members are %v, want %v in\n%s", tt.name, got, want, tt.code)
		}
	}
}
