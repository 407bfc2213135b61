package modules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

func TestRefer_OtherDistributions(t *testing.T) {
	p := read(t, `-- pkg/__init__.py
import numpy as np
import numpy.typing as npt
from collections import abc
from datetime import date
from typing import Any, TypeVar
from ._compat import Literal, Path as FilePath
from .other import Session
T = TypeVar("T", bound=Any)
class date_range: pass
def f(a: np.ndarray, b: npt.ArrayLike, c: abc.Mapping[T, Any], d: "Literal['x']", e: FilePath) -> date: ...
def g(s: Session, r: np.random.Generator, d: date_range, u: Unknown) -> T: ...
-- pkg/_compat.py
try:
    from typing_extensions import Literal
except ImportError:
    from typing import Literal
from ._more import Path
-- pkg/_more.py
from pathlib import Path
-- pkg/other.py
from lib import Any
class Session:
    def h(self, x: Any) -> None: ...
`, "pkg")
	p.Style = apidoc.Style{Syntax: Syntax{}}
	resolver := naming.NewResolver(p)
	for _, want := range []struct {
		symbol string
		apidoc.Ref
	}{
		{"f", apidoc.Ref{Name: "np.ndarray", Package: "numpy", Path: "ndarray"}},
		{"f", apidoc.Ref{Name: "npt.ArrayLike", Package: "numpy.typing", Path: "ArrayLike"}},
		{"f", apidoc.Ref{Name: "abc.Mapping", Package: "collections.abc", Path: "Mapping"}},
		{"f", apidoc.Ref{Name: "Any", Package: "typing", Path: "Any"}},
		{"f", apidoc.Ref{Name: "Literal", Package: "typing_extensions", Path: "Literal"}},
		{"f", apidoc.Ref{Name: "FilePath", Package: "pathlib", Path: "Path"}},
		{"f", apidoc.Ref{Name: "date", Package: "datetime", Path: "date"}},
		{"g", apidoc.Ref{Name: "np.random.Generator", Package: "numpy.random", Path: "Generator"}},
		{"g", apidoc.Ref{Name: "Session", Path: "Session"}},
		{"g", apidoc.Ref{Name: "Unknown"}},
		{"Session.h", apidoc.Ref{Name: "Any", Package: "lib", Path: "Any"}},
	} {
		got, ok := resolver.Refer(p.At(want.symbol), want.Name)
		if got != want.Ref && (ok || want.Path != "") {
			t.Errorf("%s in %s means %+v", want.Name, want.symbol, got)
		}
	}
	if !slices.Equal(p.TypeVars, []string{"T"}) {
		t.Errorf("the type variables are %q", p.TypeVars)
	}
	d := resolver.Decl(p.At("g"))
	for i := range d.Parts {
		if d.Parts[i].Role == apidoc.ReferencePart && d.PartText(i) == "T" && d.Parts[i].Flags&apidoc.Local == 0 {
			t.Error("T in g is not marked as a type variable")
		}
	}
}

// TestRefer_InputsOfManyOperations reads a client with more operations than there are types that
// other signatures may add.
func TestRefer_InputsOfManyOperations(t *testing.T) {
	var client, types strings.Builder
	const n = maxInternal + 50
	for i := range n {
		fmt.Fprintf(&client, "    def op%[1]d(self, input: t.Op%[1]dInput) -> None: ...\n", i)
		fmt.Fprintf(&types, "class Op%[1]dInput:\n    id: str\n    detail: Detail%[1]d\nclass Detail%[1]d: ...\n", i)
	}
	p := read(t, "-- pkg/__init__.py\nfrom . import types as t\nclass Client:\n"+client.String()+"-- pkg/types.py\n"+types.String(), "pkg")
	internal := map[string]bool{}
	for i := range p.Internal {
		internal[p.Internal[i].Path] = true
	}
	for i := range n {
		if name := fmt.Sprintf("Op%dInput", i); !internal[name] {
			t.Fatalf("%s is missing", name)
		}
	}
	if len(internal) > n {
		t.Errorf("the package has %d internal types, although the operations name only %d", len(internal), n)
	}
}
