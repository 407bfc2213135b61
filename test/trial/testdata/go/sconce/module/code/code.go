// Package code turns text into flashes and back.
//
// A letter is its place in the alphabet in base three, each digit plus one
// being a number of flashes. See the example of Encode.
package code

import (
	"errors"
	"strings"
)

// ErrLetter is returned for what is neither letter nor space.
var ErrLetter = errors.New("code: no letter")

// Table says how text is encoded. The zero value is the plain code.
type Table struct {
	// Turn moves letters along the alphabet: with 1, "a" is sent as "b". Decode
	// moves them back.
	Turn int
	// Space is the number of flashes that stand for a space. 0 means 4; a
	// negative number leaves spaces out.
	Space int
	// Check adds one digit at the end: the number of flashes before it, modulo
	// three, plus one. Decode verifies and removes it.
	Check bool
}

// ErrCheck is returned by Decode if the check digit is missing or wrong.
var ErrCheck = errors.New("code: check digit")

// Encode returns the numbers of flashes, three for each letter.
func (t Table) Encode(text string) ([]int, error) {
	var flashes []int
	sum := 0
	add := func(n int) { flashes = append(flashes, n); sum += n }
	for _, c := range strings.ToLower(text) {
		switch {
		case c == ' ':
			if n := t.space(); n > 0 {
				add(n)
			}
		case c < 'a' || c > 'z':
			return nil, ErrLetter
		default:
			n := (int(c-'a') + t.Turn%26 + 26) % 26
			add(n/9 + 1)
			add(n/3%3 + 1)
			add(n%3 + 1)
		}
	}
	if t.Check {
		flashes = append(flashes, sum%3+1)
	}
	return flashes, nil
}

func (t Table) space() int {
	if t.Space == 0 {
		return 4
	}
	return t.Space
}

// Decode returns the text in lower case.
func (t Table) Decode(flashes []int) (string, error) {
	if t.Check {
		if len(flashes) == 0 {
			return "", ErrCheck
		}
		sum := 0
		last := len(flashes) - 1
		for _, n := range flashes[:last] {
			sum += n
		}
		if sum%3+1 != flashes[last] {
			return "", ErrCheck
		}
		flashes = flashes[:last]
	}
	var b strings.Builder
	for len(flashes) > 0 {
		if flashes[0] > 3 && flashes[0] == t.space() {
			b.WriteByte(' ')
			flashes = flashes[1:]
			continue
		}
		if len(flashes) < 3 {
			return "", ErrLetter
		}
		n := (flashes[0]-1)*9 + (flashes[1]-1)*3 + flashes[2] - 1
		flashes = flashes[3:]
		b.WriteByte(byte('a' + (n-t.Turn%26+26)%26))
	}
	return b.String(), nil
}
