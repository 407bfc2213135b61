// Package berth assigns places at the quay.
package berth

import (
	"encoding/json"
	"io"
	"sync"

	"example.com/harbor/internal/ledger"
	"example.com/harbor/tide"
)

// Berth is a place at the quay.
type Berth struct {
	sync.Mutex // guards the fields below
	Place
	*Fees
	tide.Level `json:"level"`

	// Length, Depth and Width are in metres.
	Length, Depth float64 `json:"length" xml:"l"`
	Width         float64
	Ship          *Ship `json:"ship,omitempty"` // Ship is nil if the berth is free.
	Neighbours    [2]*Berth
	Cranes        map[string][]Crane
	Calls         <-chan Call
	Notify        func(event string, at ...int) (err error)
	Raw           json.RawMessage
	Anything      any
	Nested        struct {
		// Inner is within.
		Inner int
		Deep  []struct{ Deeper bool }
	}
	log   io.Writer
	owner string
}

// Place says where a berth is.
type Place struct {
	// Pier is counted from the north.
	Pier int
	Name string
}

// Title returns the name and the pier.
func (p Place) Title() string { return p.Name }

// Rename changes the name.
func (p *Place) Rename(name string) { p.Name = name }

// Fees are what a day costs.
type Fees struct {
	Daily, Weekly int
	hidden
}

type hidden struct {
	// Visible is promoted from a type that is not exported.
	Visible bool
}

// Reset is promoted from a type that is not exported.
func (hidden) Reset() {}

// Empty has no fields.
type Empty struct{}

// Closed has only fields that are not exported.
type Closed struct{ a, b int }

// Crane lifts containers.
type Crane = ledger.Crane

// Ship is what a berth holds.
type Ship struct {
	ledger.Entry
	Flag string
}

// Call is a message on the radio.
type Call chan<- *Ship

// Rows is an array whose length is an expression.
type Rows [2 * 8][]byte

// Visit is a function that is called for each berth.
type Visit func(b *Berth, depth int) (next Visit, stop bool)

// Do calls the function.
func (v Visit) Do(b *Berth) { v(b, 0) }

// Copy is defined by another struct and has its fields, but not its methods.
type Copy Place

// Alias is another name.
type Alias = Place

type (
	// First is declared in a group.
	First int
	// Second is, too.
	Second string
	third  bool
)

// Find is below its first result.
func Find(name string) (*Berth, error) { return nil, nil }

// All returns a slice.
func All() []Berth { return nil }

// BUG(harbor): Berths cannot be moved.

type Hoist = ledger.Crane
