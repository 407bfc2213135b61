// Package shutter turns flashes into the times at which a shutter opens and
// closes.
package shutter

import "time"

// Pace says how long light and dark last. The zero value is the usual pace.
type Pace struct {
	// Flash is how long a flash lasts; 0 means 120 ms.
	Flash time.Duration
	// Between is the dark between the flashes of one number; 0 means half of
	// Flash.
	Between time.Duration
	// After is the dark after a number; 0 means three times Flash.
	After time.Duration
}

// Span is a time of light.
type Span struct{ Open, Close time.Duration }

func (p Pace) times() (flash, between, after time.Duration) {
	flash, between, after = p.Flash, p.Between, p.After
	if flash == 0 {
		flash = 120 * time.Millisecond
	}
	if between == 0 {
		between = flash / 2
	}
	if after == 0 {
		after = 3 * flash
	}
	return flash, between, after
}

// Spans returns the times of light of the numbers, the first at 0.
func (p Pace) Spans(numbers []int) []Span {
	flash, between, after := p.times()
	var spans []Span
	var at time.Duration
	for _, n := range numbers {
		for i := range n {
			if i > 0 {
				at += between
			}
			spans = append(spans, Span{at, at + flash})
			at += flash
		}
		at += after
	}
	return spans
}

// Length is how long the numbers take, the dark after the last included.
func (p Pace) Length(numbers []int) time.Duration {
	flash, between, after := p.times()
	var d time.Duration
	for _, n := range numbers {
		d += time.Duration(n)*flash + time.Duration(max(n-1, 0))*between + after
	}
	return d
}

// Lit is like Length, but counts only light.
func (p Pace) Lit(numbers []int) time.Duration {
	flash, _, _ := p.times()
	var d time.Duration
	for _, n := range numbers {
		d += time.Duration(n) * flash
	}
	return d
}
