package kiosk

import (
	"errors"
	"io"
)

// Weekday is a day on which papers come out.
type Weekday int

// The days.
const (
	Monday Weekday = iota // the first
	Tuesday
	hidden
	Wednesday
)

// Prices in cents.
const (
	Small, Large = 100, 2 * Small
	// Huge is for collectors.
	//
	// Deprecated: nobody buys it.
	Huge = 1_000
)

const Name = "kiosk" // as on the sign

const (
	// Alone stands in brackets.
	Alone = 'a'
)

// ErrClosed says that it is after hours.
var ErrClosed = errors.New("kiosk: closed")

var (
	Clerk, Owner string
	Settings     struct {
		// Open is true by day.
		Open bool
		Till struct{ Coins, notes int }
	}
)

// A Paper can be read.
type Paper interface {
	// Title is on the first page.
	Title() string
	io.Reader
	fold()
}

// Shelf holds goods of one kind.
type Shelf[T any, K comparable] struct {
	// Goods by key.
	Goods map[K]T      `json:"goods,omitempty"`
	Next  *Shelf[T, K] // the one below
	dust  int
}

// Put puts goods on the shelf.
func (s *Shelf[T, K]) Put(key K, goods T) (old T, replaced bool) {
	old, replaced = s.Goods[key]
	return old, replaced
}

// NewShelf returns an empty shelf.
func NewShelf[T any, K comparable]() *Shelf[T, K] { return nil }

// drawer is where the clerk looks.
type drawer struct {
	// Keys hang here.
	Keys []string
}

// Rattle makes noise.
func (d *drawer) Rattle() {}

// Kiosk sells.
type Kiosk struct {
	drawer
	*Shelf[Paper, string]
	Day  Weekday
	open bool
}

// New opens a kiosk.
func New(name string) *Kiosk { return nil }

// Close ends the day.
func (k *Kiosk) Close() error { return ErrClosed }

// Sell hands out a paper.
func (k *Kiosk) Sell(
	title string,
	to func(Paper) error,
) (change int, err error) {
	return 0, nil
}

// Old is old.
//
// Deprecated: use [New], with
// a name.
func Old() {}

// Table has a value over several lines.
var Table = map[string]int{
	"a": 1,
	"b": func() int {
		return 2
	}(),
}
