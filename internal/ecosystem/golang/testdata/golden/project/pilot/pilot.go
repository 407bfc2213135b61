// Package pilot brings ships in.
package pilot

import (
	"fmt"
	h "net/http"
	. "strings"
	_ "time/tzdata"
	"unsafe"

	"example.com/harbor/berth"
	yaml "gopkg.example/yaml.v3"
)

// Steer takes every kind of type.
func Steer(a [3]int, b []string, c map[string]*berth.Berth, d chan int, e <-chan int, f chan<- int, g func(int, string) bool, i interface{ Do() }, j struct{ X, Y int }) {
}

// Handle takes a type of a package that is imported under another name.
func Handle(w h.ResponseWriter, r *h.Request) h.Handler { return nil }

// Build takes a type of a package that is imported with a dot.
func Build(b *Builder, p unsafe.Pointer, n *yaml.Node) {}

// Nothing takes and returns nothing.
func Nothing() {}

// Unnamed does not name its parameters.
func Unnamed(int, string, ...fmt.Stringer) (bool, error) { return false, nil }

// Blank ignores some.
func Blank(_ int, _, name string) {}

// Curry returns a function that returns a function.
func Curry(f func(a, b int) int) func(int) func(int) int { return nil }

// Long is written on several lines.
func Long(
	first string, // first comes first
	second int,
	third ...interface {
		String() string
	},
) (
	result map[string]struct {
		Count int
	},
	err error,
) {
	return nil, nil
}

// unexported is not shown.
func unexported() {}

// Guard returns a type that is not exported.
func Guard() *guard { return nil }

type guard struct {
	// Watch is a field of a type that is not exported.
	Watch bool
}

// Stop is a method of a type that is not exported.
func (g *guard) Stop() {}

// Levels are constants of a type that is not exported.
const (
	Calm  level = iota // Calm is without wind.
	Rough              // Rough is with waves.
)

type level int

// Captain is an alias of a type that is not exported.
type Captain = guard
