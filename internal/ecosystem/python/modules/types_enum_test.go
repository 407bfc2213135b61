package modules

import "testing"

func TestEnum_NamesAndValues(t *testing.T) {
	expectAbsent(t, []memberCase{
		{"values", `
from enum import Enum, Flag, IntEnum, auto
class Size(Enum):
    SMALL = 1
    LARGE = 'x'
    def double(self): return self.value.no_a
class Kind(str, Enum):
    A = 'a'
class Number(IntEnum):
    ONE = auto()
class Part(Enum):
    POT = Pot()
    LID = Lid()
class Annotated(Enum):
    A: object = Pot()
    B = 1
class Labeled:
    text: str
    def label(self): return self.text
class Mixed(Labeled, Enum):
    A = 1
class Bits(Flag):
    A = auto()
Size.SMALL.name.no_b; Size.SMALL.value.no_c; Size.SMALL.value.upper; Size.SMALL.no_d
Kind.A.value.no_e; Kind.A.name.upper; Kind.A.value.upper; Number.ONE.value.no_f; Number.ONE.value.bit_length
Part.POT.value.fill; Part.POT.value.open; Part.POT.value.no_g; Bits.A.value.no_h
Annotated.B.value.fill; Annotated.B.value.no_j; Mixed.A.value.no_k; Mixed.A.label
for part in Part: part.name.no_i
`},
		{"values that methods create", `
from enum import Enum, member
class Made(Enum):
    A = 1
    def __new__(cls, value):
        self = object.__new__(cls)
        self._value_ = str(value)
        return self
class Counted(Enum):
    def _generate_next_value_(name, start, count, last): return name
    A = 1
class Hidden(Enum):
    A = 1
    @property
    def value(self): return unknown()
class Computed(Enum):
    A = unknown()
class Wrapped(Enum):
    A = member(1)
class Called(Enum):
    A = 1
    B = len
class Set(Enum):
    A = 1
    def __init__(self, x): self._value_ = str(x)
class SetsValue:
    def __init__(self, x): self._value_ = str(x)
class Inherited(SetsValue, Enum):
    A = 1
Made.A.value.anything; Counted.A.value.anything; Hidden.A.value.anything; Hidden.A.name.no_a; Computed.A.value.anything; Wrapped.A.value.anything; Called.B.value.anything
Set.A.value.anything; Inherited.A.value.anything
`},
	})
}
