package modules

import (
	"slices"
	"testing"
)

func TestStandard_Results(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"copies", `
import copy, dataclasses
copy.copy(Pot()).no_a; copy.deepcopy([Pot()])[0].no_b; copy.copy(Pot()).fill; copy.copy(unknown()).anything
dataclasses.replace(Pot(), x=1).no_c
`},
		{"copies by methods of the class", `
import copy
class Shallow(Pot):
    def __copy__(self): return unknown()
class Deep(Pot):
    def __deepcopy__(self, memo): return unknown()
class Reduced(Pot):
    def __reduce__(self): return unknown()
class Derived(Reduced): ...
copy.copy(Shallow()).anything; copy.deepcopy(Deep()).anything; copy.copy(Reduced()).anything; copy.deepcopy(Derived()).anything
Derived().no_a
`},
		{"dates and times", `
from datetime import date, datetime, timedelta
datetime.now().no_a; datetime.now().date().no_b; datetime.now().today
(datetime.now() - timedelta(days=1)).no_c; (datetime.now() - timedelta(days=1)).now
(datetime.now() - datetime.now()).no_d; (datetime.now() - datetime.now()).total_seconds
(date.today() - date.today()).no_e
(date.today() - datetime.now()).anything; (date.today() - unknown()).anything
timedelta(1).no_f
class Day(date):
    def dinner(self): ...
Day.today().dinner; Day.today().no_g
`},
		{"results that are bytes for bytes", `
import shutil, tempfile
shutil.which('ls').no_a; shutil.which(b'ls').decode; shutil.which(unknown()).decode
tempfile.mkdtemp().no_b; tempfile.mkdtemp(prefix=b'x').decode; tempfile.mkdtemp(prefix='x', dir=unknown()).decode; tempfile.mkdtemp('x', 'y').no_c
tempfile.mkstemp('.x')[1].no_d; tempfile.mkstemp(suffix=b'x')[1].decode
`},
		{"frames and variables of contexts", `
import inspect, sys
from _contextvars import ContextVar
sys._getframe(1).no_a; sys._getframe().f_back.f_code.no_b; inspect.currentframe().no_c
x: ContextVar[str] = ContextVar('x')
x.no_d; x.get().no_e; ContextVar('y').no_f; ContextVar('y').get().anything
`},
		{"signatures", `
import inspect
for name, p in inspect.signature(f).parameters.items():
    name.no_a
inspect.signature(f).parameters.no_b; inspect.signature(f).parameters.copy
`},
		{"classes that are derived from compiled ones", `
import _io
from _socket import socket
class Port(_io._RawIOBase):
    def f(self): self.no_a; self.readall; self.f
class Line(socket): ...
def f(b: _io._BufferedIOBase, t: _io._TextIOBase): b.raw; b.no_e; b.name; t.buffer; t.reconfigure
Port().no_b; Line().no_c; Line().recv(1).no_d; Line(1, 2)
`},
		{"loggers", `
import logging
log = logging.getLogger(__name__)
log.no_a; log.warning; log.getChild('x').no_b; log.level.no_c
`},
		{"environment variables", `
import os
os.environ['x'].no_a; os.environ.get('x').no_b; os.environ.get('x', Pot()).upper
os.getenv('x').no_c; os.getenv('x', Pot()).fill; os.getenv('x').upper
`},
		{"arguments of programs", `
import argparse
p = argparse.ArgumentParser()
p.add_subparsers().add_parser('x').no_a; p.add_argument_group('x').no_b; p.parse_args().anything
`},
		{"queues, streams and futures", `
import asyncio
from concurrent.futures import ThreadPoolExecutor, as_completed
def make(n: int) -> Pot: ...
async def f(q: asyncio.Queue[Pot]):
    (await q.get()).no_a; q.no_b; asyncio.Queue().get_nowait().anything
    reader, writer = asyncio.StreamReader(), asyncio.StreamWriter()
    (await reader.readline()).no_c; reader.no_d; writer.no_e; writer.drain
with ThreadPoolExecutor(3) as pool:
    pool.submit(make, 1).result().no_f
    for future in as_completed([pool.submit(make, 1)]): future.result().no_g; future.no_h
`},
		{"tasks", `
import asyncio
async def make() -> Pot: ...
async def f():
    task = asyncio.create_task(make())
    task.no_a; task.result().no_b; (await task).no_c; task.cancel
    a, b = await asyncio.gather(make(), make())
    a.no_d; b.fill; (await asyncio.gather(make(), unknown()))[0].anything
    (await asyncio.gather(make(), return_exceptions=True))[0].no_e
    for next in asyncio.as_completed([make()]): (await next).no_f
`},
		{"compiled modules", `
import _hashlib, _sqlite3, decimal, itertools, os, posix, sys
connection = _sqlite3.connect('x', timeout=3)
connection.no_a; connection.execute('x').no_b; connection.execute('x').fetchall().no_c; connection.execute('x').fetchone().anything
_sqlite3.connect('x', factory=Pot).fill; connection.isolation_level.no_d; _sqlite3.connect('x', **unknown()).anything
posix.stat_result.no_e; sys.argv[0].no_f; sys.stdout.anything; sys.other.anything
for a, b in itertools.product([Pot()], [Lid()]): a.no_g; b.no_h
for key, group in itertools.groupby([Pot()]): key.no_i; next(group).no_j
for x in itertools.chain([Pot()], [Pot()]): x.no_k
`},
		{"strings", `
import json, os
json.dumps(1).no_a; os.path.join('x', 'y').no_b; os.path.basename(b'x').no_c; os.path.dirname(unknown()).anything
`},
		{"paths", `
from pathlib import Path
p = Path('x')
p.no_a; p.parent.no_b; p.parent.read_text().no_c; p.read_text
for q in p.iterdir(): q.no_d
`},
		{"compiled classes and functions", `
from _collections import deque, defaultdict
import _thread, time, math
q = deque([Pot()], maxlen=3)
q.no_a; q.popleft().no_b; q.rotate
for p in q: p.no_c
deque().pop().anything
by_name = defaultdict(list)
by_name.no_d; by_name['x'].no_e; by_name['x'].append; by_name.items().no_f; by_name.items().mapping
pots = defaultdict(lambda: Pot()); pots['x'].no_n
lock = _thread.allocate_lock()
lock.no_g
with lock as held: held.no_h
time.time().no_i; math.sqrt(2).no_j; time.anything; math.floor(unknown()).anything; _thread.anything
def f(q: deque[Lid], d: defaultdict[str, Pot]): q[0].no_k; d['x'].no_l; d.no_m
`},
		{"coroutines and programs that are run", `
import asyncio, subprocess
async def make() -> Pot: ...
async def f():
    (await asyncio.wait_for(make(), 3)).no_a; (await asyncio.to_thread(Lid)).no_b; (await asyncio.wait_for(unknown(), 3)).anything
asyncio.run(make()).no_c
subprocess.check_output('x').no_d; subprocess.check_output('x', text=True).no_e; subprocess.check_output('x', encoding='ascii').no_f
subprocess.check_output('x', text=unknown()).anything; subprocess.check_output('x', **unknown()).anything; subprocess.check_output('x', encoding=unknown()).anything; subprocess.check_output('x', universal_newlines=unknown()).anything; subprocess.call('x').no_g
`},
		{"sums", `
sum([1, 2]).no_a; sum(x for x in [1.5]).no_b; sum([Pot()]).anything; sum(unknown()).anything; sum([1], Pot()).anything
total = sum(len(x) for x in unknown())
total.no_c
`},
		{"named tuples that calls create", `
from collections import namedtuple
from typing import NamedTuple
import collections
Pair = namedtuple('Pair', 'left right')
Third = collections.namedtuple('Third', ['left', 'right'], defaults=(1,))
Typed = NamedTuple('Typed', [('pot', Pot), ('lid', 'Lid')])
Computed = namedtuple('Computed', names())
More = namedtuple('More', ['a', *names()])
p = Pair(1, 2)
p.no_a; p.left.anything; p.right; p.index; p._replace(left=3).no_k; p._asdict().no_l; Pair._make([1, 2]).no_m; p._fields; Pair.no_b; Third(1).no_c
Typed(1, 2).pot.no_d; Typed(1, 2).lid.no_e
a, b = Typed(1, 2)
a.no_f; b.no_g; a.fill
Computed(1).anything; More(1).anything
def f(p: Pair, t: Typed): p.no_h; t[0].no_i
class Own(Pair): ...
Own(1, 2).no_n; Own(1, 2).left
class Inline(namedtuple('Inline', 'a b')):
    def total(self): return self.a
class Loose(namedtuple('Loose', 'a b')):
    def __getattr__(self, name): ...
class Mixed(unknown, namedtuple('Mixed', 'a b')): ...
class Row(NamedTuple):
    a: int
    b: str
    def __getitem__(self, index): return Pot()
Row(1, 'a')[0].fill; Row(1, 'a')[0:1].fill; Row(1, 'a')[0].no_q
Inline(1, 2).no_o; Inline(1, 2).a; Inline(1, 2).total; Inline(1, 2)._replace(a=3).no_p; Loose(1, 2).anything; Mixed(1, 2).anything
def g(x):
    Local = namedtuple('Local', 'a b')
    Local(1, 2).no_j; Local(1, 2).a
def h(x):
    namedtuple = x
    Hidden = namedtuple('Hidden', 'a')
    Hidden(1).anything
`},
		{"results of processes", `
import subprocess
def f(text):
    done = subprocess.run(['x'], text=True)
    done.no_a; done.stdout.no_b; done.stderr.strip; done.returncode.no_c; done.args.anything
    subprocess.run('x', capture_output=True).stdout.no_d; subprocess.run('x', stdout=3, encoding='ascii').stdout.no_e; subprocess.run('x', capture_output=True).stdout.decode
    subprocess.run('x', text=text).anything; subprocess.run('x', **text).anything
`},
		{"regular expressions", `
import re
m = re.match('a', 'b')
m.no_a; m.groups().no_b; m.string.no_c; m.group(1).no_k; m[1].no_l; m.group(1, 2).no_m; m.groups(3)[0].anything; m.groupdict()['a'].no_n; m.group(1).upper
re.split('a', 'b')[0].no_o; re.findall('a', 'b')[0].anything; re.findall('a', 'b').no_p
re.compile('a').no_d; re.compile(b'a').pattern.no_e; re.compile('a').match('b').no_f; re.compile('a').fullmatch
def f(p: re.Pattern[str], m: re.Match): p.no_g; p.pattern.no_h; m.no_i; m.re.no_j
`},
	})
}

func TestStandard_ArgumentsOfTheCode(t *testing.T) {
	const code = "import datetime, logging\nlogging.getLogger('a').getChild(); logging.getLogger('a').getChild('b'); datetime.datetime.now().date(1)\ndef f(log: logging.Logger): log.getChild(suffixes='b'); log.warning('c')\n"
	var got []string
	for _, w := range kitchenTypes().Check(t.Context(), "", code).Wrong {
		got = append(got, w.Name+" "+w.Problem)
	}
	want := []string{"getChild needs an argument for suffix", "date takes 0 arguments, but 1 is passed", "getChild has no parameter suffixes"}
	if !slices.Equal(got, want) {
		t.Errorf("the wrong calls are %q, want %q", got, want)
	}
}

func TestTypes_BuiltinsThatCallMethods(t *testing.T) {
	missing := typesOf("").Check(t.Context(), "", "def f(x, y):\n    abs(x).sum(); divmod(x, y)[0].sum(); len(x).sum()\n").Missing
	if len(missing) != 1 || missing[0].Text != "len(x).sum" {
		t.Errorf("missing are %+v, want that of len(x)", missing)
	}
}
