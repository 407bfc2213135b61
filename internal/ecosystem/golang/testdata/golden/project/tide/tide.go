// Package tide knows when the water rises.
//
// # Tables
//
// A [Level] is measured in centimetres. See [Predict] and [Level.String], the [manual] and
// https://harbor.example/tide.
//
//   - springs come twice a month;
//   - neaps follow a week later.
//
// Steps:
//
//  1. Read the table.
//  2. Ask for a time.
//
// Write a_b_c and *stars* as they are, and 2 < 3 & 4.
//
//	level := tide.Predict(now)
//	fmt.Println(level)
//
// [manual]: https://harbor.example/manual
package tide

import "time"

// Level is the height of the water in centimetres.
type Level int

// Levels that the harbor master calls out.
const (
	// Low is the lowest level of a usual day.
	Low Level = 40 * (iota + 1)
	Middle
	High // High is the highest level of a usual day.
	_
	storm
)

// Zero is the level of the chart.
const Zero = Level(0)

// MaxRange is larger than any range that was measured.
const MaxRange, MinRange = 1_200, 0.5

// Untyped values of the instrument.
const (
	Name         = "gauge"
	Ratio        = 1 / 2.5
	Mark         = 'm'
	Wide         = 1 << 40
	Imaginary    = 2i
	Ready        = true
	unit, Format = "cm", "%d"
)

var (
	// Epoch is the time of the first measurement.
	Epoch time.Time
	// Offsets are the corrections of the gauges.
	Offsets, Spares = map[string]Level{"north": 3}, []Level(nil)
	Default         = New(Low)
)

// Station describes where the gauge is.
var Station struct {
	Name string // Name is what is painted on the wall.
	At   struct{ Lat, Lon float64 }
}

// Options apply to all tables.
var Options = struct {
	// Zone is the time zone.
	Zone string
	note string
}{Zone: "UTC"}

// Logf prints a message. It does nothing by default.
var Logf func(format string, args ...any)

// New returns a level. It is listed below its type.
func New(l Level) *Level { return &l }

// Pair returns two levels and is listed below their type as well.
func Pair() (low, high Level) { return Low, High }

// Predict returns the level at a time.
//
// Deprecated: Use [Level.At], which
// knows the station.
func Predict(at time.Time) (level int, ok bool) { return int(storm), unit == Options.note }

// String implements fmt.Stringer.
func (l Level) String() string { return "" }

// At returns the level at another time.
func (l *Level) At(_ time.Time, stations ...string) Level { return *l }

func (l Level) hidden() {}

// Deprecated: Nobody measures in feet.
const Feet = 30.48

// Spring and Neap are typed.
const Spring, Neap int = 1, 2

// Pairs repeat their values.
const (
	A, B = iota, iota * 2
	C, D
)

// North and South share a type.
var North, South float64

// Both come from one call.
var First, Second = Pair()
