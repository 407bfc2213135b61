package search

import (
	"iter"
	"math/bits"
)

// signatures is a bit-sliced signature file of the folded paths of all entries. It has one row for
// each letter, each pair of letters and each bit of the first byte of a name; a row has one bit per
// entry. The AND of a few rows is the set of entries that may match a term, which is faster to
// compute than examining each entry. It contains all matching entries, but may contain others.
type signatures struct {
	entries int
	width   int      // number of words in a row
	rows    []uint64 // all rows, concatenated
}

// These are the numbers of the first rows of each kind.
const (
	letterRows = 0               // rows for the bits of maskOf
	pairRows   = letterRows + 64 // rows for the bits of pairsOf
	firstRows  = pairRows + 64   // rows for the bits of the first byte of the name
	allRows    = firstRows + 8
)

// sign computes the signatures of the entries.
func (x *Index) sign() {
	s := signatures{entries: len(x.entries), width: (len(x.entries) + 63) / 64}
	s.rows = make([]uint64, allRows*s.width)
	for i := range x.entries {
		path, name := x.path(i), x.name(i)
		s.set(i, letterRows, maskOf(path))
		s.set(i, pairRows, pairsOf(path))
		if name != "" {
			s.set(i, firstRows, uint64(name[0]))
		}
	}
	x.signatures = s
}

// set sets the bits of entry i in the rows that the bits of set select. first is the number of the
// first row.
func (s *signatures) set(i, first int, set uint64) {
	for ; set != 0; set &= set - 1 {
		row := first + bits.TrailingZeros64(set)
		s.rows[row*s.width+i/64] |= 1 << (i % 64)
	}
}

func (s *signatures) row(n int) []uint64 { return s.rows[n*s.width:][:s.width] }

// all adds all entries to a set.
func (s *signatures) all(set []uint64) {
	for i := range set {
		set[i] = ^uint64(0)
	}
	if rest := s.entries % 64; rest > 0 {
		set[len(set)-1] = 1<<rest - 1
	}
}

// keep removes from a set the entries that do not contain all letters of a mask.
func (s *signatures) keep(set []uint64, mask uint64) { s.and(set, letterRows, mask) }

// keepPairs removes from a set the entries that do not contain all pairs.
func (s *signatures) keepPairs(set []uint64, pairs uint64) { s.and(set, pairRows, pairs) }

func (s *signatures) and(set []uint64, first int, bitset uint64) {
	for ; bitset != 0; bitset &= bitset - 1 {
		row := s.row(first + bits.TrailingZeros64(bitset))[:len(set)]
		for i := range set {
			set[i] &= row[i]
		}
	}
}

// keepFirst removes from a set the entries whose names begin with another byte.
func (s *signatures) keepFirst(set []uint64, first byte) {
	for bit := range 8 {
		row := s.row(firstRows + bit)[:len(set)]
		differ := uint64(first>>bit&1) - 1 // all bits are set if the bit is 0
		for i := range set {
			set[i] &= row[i] ^ differ
		}
	}
}

// keepSimilar removes from a set the entries that do not contain more than missing letters of a
// mask. missing is at most 3.
func (s *signatures) keepSimilar(set []uint64, mask uint64, missing int) {
	for i := range set {
		var ones, twos, more uint64 // bits of the number of letters that each entry does not contain
		for m := mask; m != 0; m &= m - 1 {
			lacks := ^s.rows[(letterRows+bits.TrailingZeros64(m))*s.width+i]
			carry := ones & lacks
			ones ^= lacks
			more |= twos & carry
			twos ^= carry
		}
		switch missing {
		case 0:
			more |= ones | twos
		case 1:
			more |= twos
		case 2:
			more |= ones & twos
		}
		set[i] &^= more
	}
}

// members returns an iterator over the numbers in a set in ascending order.
func members(set []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n, rest := range set {
			for ; rest != 0; rest &= rest - 1 {
				if !yield(64*n + bits.TrailingZeros64(rest)) {
					return
				}
			}
		}
	}
}
