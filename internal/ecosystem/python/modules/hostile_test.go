package modules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

// shape is a kind of structure that is expensive to read. text returns about size bytes
// of it, in the form that the function files reads.
type shape struct {
	name string
	text func(size int) string
}

func fillN(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func count(size, each int) int { return max(size/each, 2) }

var sp = fmt.Sprintf

// modular returns a shape that consists of n modules m0, m1 …, each of about the given
// number of bytes. The package imports the first one with a star.
func modular(each int, f func(i, n int) string) func(size int) string {
	return func(size int) string {
		n := count(size, each)
		return "-- pkg/__init__.py\nfrom .m0 import *\n" + fillN(n, func(i int) string { return sp("-- pkg/m%d.py\n", i) + f(i, n) })
	}
}

// single returns a shape that consists of a one-file package with n parts, each of
// about the given number of bytes.
func single(each int, f func(i, n int) string) func(size int) string {
	return func(size int) string {
		n := count(size, each)
		return "-- pkg/__init__.py\nfrom typing import overload\n" + fillN(n, func(i int) string { return f(i, n) })
	}
}

var shapes = []shape{
	{"star imports of two", modular(70, func(i, n int) string {
		return sp("from .m%d import *\nfrom .m%d import *\nx%d = 1\n", (2*i+1)%n, (2*i+2)%n, i)
	})},
	{"star imports in a ring", modular(50, func(i, n int) string { return sp("from .m%d import *\nx%d = 1\n", (i+1)%n, i) })},
	{"star imports of the next two", modular(70, func(i, n int) string {
		return sp("from .m%d import *\nfrom .m%d import *\nx%d = 1\n", (i+1)%n, (i+2)%n, i)
	})},
	{"star imports of the next twice, not in a ring", modular(70, func(i, _ int) string {
		return sp("from .m%d import *\nfrom .m%d import *\nx%d = 1\n", i+1, i+1, i)
	})},
	{"star imports of the package", modular(50, func(i, n int) string { return sp("from . import *\nfrom .m%d import *\nx%d = 1\n", (i+1)%n, i) })},
	{"star imports and stubs", func(size int) string {
		n := count(size, 140)
		return "-- pkg/__init__.py\nfrom .m0 import *\n" + fillN(n, func(i int) string {
			return sp("-- pkg/m%d.py\nfrom .m%d import *\nfrom .m%d import *\nx%d = 1\n-- pkg/m%d.pyi\nfrom .m%d import *\nfrom .m%d import *\n", i, (2*i+1)%n, (2*i+2)%n, i, i, (2*i+1)%n, (2*i+3)%n)
		})
	}},
	{"__all__ of each other", modular(110, func(i, n int) string {
		return sp("from . import m%d, m%d\nx%d = 1\n__all__ = ['x%d'] + m%d.__all__ + m%d.__all__\n", (2*i+1)%n, (2*i+2)%n, i, i, (2*i+1)%n, (2*i+2)%n)
	})},
	{"unknown names of star imports", modular(120, func(i, n int) string {
		return sp("from .m%d import *\nfrom .m%d import *\nclass C%d(Gone%d): pass\ny%d = gone%d\n", (2*i+1)%n, (2*i+2)%n, i, i, i, i)
	})},
	{"names imported of two", modular(90, func(i, n int) string {
		return sp("from .m%d import x\nfrom .m%d import x as x\nfrom .m%d import y as x\n", (2*i+1)%n, (2*i+2)%n, (i+1)%n)
	})},
	{"names imported in a ring", modular(45, func(i, n int) string { return sp("from .m%d import x, y\nz%d = x\n", (i+1)%n, i) })},
	{"try of imports", modular(110, func(i, n int) string {
		return sp("try:\n from .m%d import *\nexcept ImportError:\n from .m%d import *\nx%d = 1\n", (2*i+1)%n, (2*i+2)%n, i)
	})},
	{"diamonds of bases", single(75, func(i, _ int) string {
		return sp("class A%d(B%d, C%d):\n x = 1\nclass B%d(A%d): pass\nclass C%d(A%d): pass\n", i, i-1, i-1, i, i, i, i)
	})},
	{"bases that repeat", single(40, func(i, _ int) string { return sp("class A%d(A%d, A%d, A%d): pass\n", i, i-1, i-2, i-3) })},
	{"a chain of classes", single(27, func(i, _ int) string { return sp("class A%d(A%d): x%d = 1\n", i, i-1, i) })},
	{"a ring of classes", single(27, func(i, n int) string { return sp("class A%d(A%d): x%d = 1\n", i, (i+1)%n, i) })},
	{"many bases", single(500, func(i, _ int) string {
		return sp("class A%d(%s): pass\n", i, fillN(60, func(j int) string { return sp("A%d,", max(i-1-j, 0)) }))
	})},
	{"a chain of aliases", single(16, func(i, n int) string { return sp("x%d = x%d\n", i, (i+1)%n) })},
	{"overloads", single(50, func(int, int) string { return "@overload\ndef f(a: int) -> str: ...\n" })},
}

// ratioSize is the size at which the growth of the number of steps is measured. It is small enough
// that reading does not exceed the budget.
const ratioSize = 8 << 10

// readingOf returns a reading that calls f with a reader of a text.
func readingOf(text string, f func(*Reader) error) modeltest.Reading {
	root := files(text)
	return func(ctx context.Context) error {
		return f(Open(ctx, &Source{Module: "pkg", Root: root, Modules: []string{"pkg"}, Python: "3.11", Platform: "linux/amd64"}, nil))
	}
}

func readPkg(r *Reader) error {
	_, err := r.Read("pkg")
	return err
}

func indexPkg(r *Reader) error {
	_, err := r.Index("pkg")
	return err
}

// growth fails if a text of twice the size takes more than max times as many steps.
func growth(t *testing.T, s shape, f func(*Reader) error, max float64) {
	t.Helper()
	steps, limit, allocated, err := modeltest.Cost(t.Context(), readingOf(s.text(ratioSize), f))
	if err != nil || steps > limit {
		t.Fatalf("it takes %d of %d steps: %v", steps, limit, err)
	}
	if allocated > modeltest.HostileMemory/4 {
		t.Errorf("%d MB are allocated", allocated>>20)
	}
	half, _, _, _ := modeltest.Cost(t.Context(), readingOf(s.text(ratioSize/2), f))
	if float64(steps) > max*float64(half)+2000 {
		t.Errorf("it takes %d steps, half of it %d", steps, half)
	}
}

func TestRead_BoundsTheCostOfHostileShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			if quadratic[s.name] {
				growth(t, s, readPkg, 6)
			} else {
				growth(t, s, readPkg, 2.3)
			}
		})
	}
}

// An index contains the names of each module, so its size is quadratic if every module
// imports a star from every other.
func TestIndex_BoundsTheCostOfHostileShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) { growth(t, s, indexPkg, 6) })
	}
}

// Each class of a chain has the members of all classes before it.
func TestRead_BoundsInheritedMembers(t *testing.T) {
	for _, s := range shapes {
		if !strings.HasSuffix(s.name, "of classes") {
			continue
		}
		steps, limit, allocated, err := modeltest.Cost(t.Context(), readingOf(s.text(modeltest.HostileSize), readPkg))
		if err != nil || steps < limit || allocated > modeltest.HostileMemory {
			t.Errorf("%s: %d of %d steps, %d MB, %v; want all steps and no error", s.name, steps, limit, allocated>>20, err)
		}
	}
}

// quadratic contains the shapes in which each name is looked up in each module, or each
// class has all other classes as bases.
var quadratic = map[string]bool{
	"star imports of two": true, "star imports of the next two": true, "star imports of the next twice, not in a ring": true,
	"star imports in a ring": true, "star imports of the package": true, "star imports and stubs": true, "unknown names of star imports": true, "try of imports": true,
	"diamonds of bases": true, "bases that repeat": true, "a chain of classes": true, "a ring of classes": true, "many bases": true,
}

// mixed returns several of the shapes in one text. They declare the same modules, the
// last of which remains.
func mixed(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	parts := 1 + random.IntN(4)
	var b strings.Builder
	for range parts {
		b.WriteString(shapes[random.IntN(len(shapes))].text(modeltest.HostileSize/parts) + "\n")
	}
	return b.String()
}

// FuzzRead_HostileShapes reads structures that a seed generates, or builds their index.
func FuzzRead_HostileShapes(f *testing.F) {
	modeltest.FuzzBounded(f, func(seed uint64) modeltest.Reading {
		if seed%2 == 1 {
			return readingOf(mixed(seed), indexPkg)
		}
		return readingOf(mixed(seed), readPkg)
	})
}

func TestRead_StopsWhenCanceled(t *testing.T) {
	for name, text := range map[string]string{
		"many lines":      strings.Repeat("x = 1\n", 400_000),
		"one line":        "x = [" + strings.Repeat("(a), ", 400_000) + "]",
		"an open bracket": "x = [" + strings.Repeat("(a),\n", 400_000),
	} {
		if !modeltest.Canceled(t, name, 8, readingOf("-- pkg/__init__.py\n"+text, readPkg)) {
			t.Errorf("%s: it was not canceled", name)
		}
	}
}
