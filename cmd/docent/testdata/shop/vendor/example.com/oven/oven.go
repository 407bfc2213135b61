// Package oven bakes bread.
//
// An oven is made with [New], heated with [Oven.Heat], and bakes until it is switched off:
//
//	o := oven.New(oven.WithHeat(230))
//	breads, err := o.Bake(ctx, oven.Dough{Grams: 500}, 2)
//
// # Safety
//
// An oven is hot. Its methods are safe for concurrent use, but hands are not:
//
//   - Wear gloves.
//   - Do not open the door while [Oven.Bake] runs, since steam escapes and the crust becomes pale and dull.
package oven

import (
	"context"
	"errors"
	"time"

	"example.com/yeast"
)

// ErrCold is the error of an oven that is too cold to bake.
var ErrCold = errors.New("oven: too cold")

// Mode is how an oven heats.
type Mode int

// These are the modes of ovens.
const (
	TopAndBottom Mode = iota // from above and below
	Fan                      // with moving air, which needs 20 degrees less
	Steam                    // with steam, for a crust that shines
)

// Dough is what becomes bread.
type Dough struct {
	// Grams is the weight of one piece.
	Grams int
	// Yeast names what makes it rise.
	Yeast string
	// Culture is used in place of Yeast for sourdough.
	Culture *yeast.Culture
}

// Bread is baked dough.
type Bread struct {
	Grams int
	// Crust is how dark it is, from 0 to 10.
	Crust int
}

// Option configures an oven.
type Option func(*Oven)

// WithHeat sets the temperature in degrees Celsius; 220 by default.
func WithHeat(degrees int) Option { return func(o *Oven) { o.degrees = degrees } }

// WithMode sets how the oven heats; [TopAndBottom] by default.
func WithMode(m Mode) Option { return func(o *Oven) { o.mode = m } }

// An Oven bakes.
type Oven struct {
	degrees int
	mode    Mode
}

// New returns a cold oven.
func New(options ...Option) *Oven {
	o := &Oven{degrees: 220}
	for _, option := range options {
		option(o)
	}
	return o
}

// Heat heats the oven until it has its temperature, or ctx is done.
func (o *Oven) Heat(ctx context.Context) error { return ctx.Err() }

// Bake bakes n pieces of dough. It heats the oven first if that is cold, which takes about ten
// minutes, and returns the breads in the order in which they are done.
//
// The error is [ErrCold] if the door was open for too long, and that of ctx if ctx is done before the
// last bread.
func (o *Oven) Bake(ctx context.Context, d Dough, n int) ([]Bread, error) {
	if err := o.Heat(ctx); err != nil {
		return nil, err
	}
	breads := make([]Bread, n)
	for i := range breads {
		breads[i].Grams = d.Grams * 9 / 10 // the rest is steam
	}
	return breads, nil
}

// Toast toasts a bread.
//
// Deprecated: Use Bake with less dough.
func (o *Oven) Toast(b Bread) Bread { return b }

// Duration returns how long dough bakes at a temperature.
func Duration(d Dough, degrees int) time.Duration {
	return time.Duration(d.Grams*200/degrees) * time.Minute / 10
}
