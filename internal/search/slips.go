package search

import (
	"math/bits"
	"strings"

	"github.com/docent-mcp/docent/internal/spelling"
)

// scoreSlips compares a term that nothing matches exactly with names and words that differ from it
// by a few typing errors. It sets scores[i].
func (x *Index) scoreSlips(t *term, scores []float32, b *buffers) {
	allowed := slipsAllowed(len(t.text))
	if allowed == 0 {
		return
	}
	if dot := strings.LastIndexByte(t.text, '.'); dot >= 0 {
		x.scorePathSlips(t, dot, scores, b)
		return
	}
	var d spelling.Distance
	for i := range members(x.misspelled(t, allowed, b)) {
		scores[i] = best(&d, x.name(i), x.spans[i].humps, t.text, allowed)
	}
	v, mask := x.vocabulary(), maskOf(t.stem)
	for id, w := range v.stems {
		if bits.OnesCount64(mask^v.masks[id]) > 2*allowed {
			continue
		}
		n := d.Between(w, t.stem, allowed)
		if n > allowed {
			continue
		}
		for _, p := range v.list(int32(id)) {
			scores[p.entry] = max(scores[p.entry], wordsAlone*p.weight*0.6/float32(n+1))
		}
	}
}

// misspelled returns the set of entries whose paths contain all letters of a term, except at most
// missing of them. missing is at most 3.
func (x *Index) misspelled(t *term, missing int, b *buffers) []uint64 {
	set := b.set(0, x.signatures.width)
	x.signatures.all(set)
	x.signatures.keepSimilar(set, t.mask, missing)
	return set
}

// scorePathSlips computes scores for a path with typing errors in both parts, as in "Cleint.Do".
func (x *Index) scorePathSlips(t *term, dot int, scores []float32, b *buffers) {
	parent, name := t.text[:dot], t.text[dot+1:]
	var d spelling.Distance
	for i := range members(x.misspelled(t, 3, b)) {
		if !x.spans[i].isMember() {
			continue
		}
		owner := x.parent(&x.spans[i])
		inParent := d.Between(owner, parent, slipsAllowed(len(parent)))
		inName := d.Between(x.name(i), name, slipsAllowed(len(name)))
		if inParent <= slipsAllowed(len(parent)) && inName <= slipsAllowed(len(name)) {
			scores[i] = 2 * slip / float32(inParent+inName+1)
		}
	}
}

// slipsAllowed returns the number of typing errors that are allowed in a term of n bytes.
func slipsAllowed(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 8:
		return 1
	case n < 16:
		return 2
	}
	return 3
}

// best returns the score of a term with typing errors for a name. If the term does not match the
// name, best uses the first word or sequence of words within the name that begins with the same
// letter. It returns 0 if there are more errors than allowed.
func best(d *spelling.Distance, name string, humps uint64, text string, allowed int) float32 {
	if len(name) > 1 && (name[0] == text[0] || name[1] == text[1] || name[0] == text[1] || name[1] == text[0]) {
		if n := d.Between(name, text, allowed); n <= allowed {
			return slip + fullness/float32(n)
		}
	}
	for from := 0; from < len(name); {
		to := from + 1
		for to < len(name) && (to >= 64 || humps&(1<<to) == 0) {
			to++
		}
		if name[from] != text[0] {
			from = to
			continue
		}
		if word := name[from:to]; len(word) >= 4 {
			if n := d.Between(word, text, allowed); n <= allowed && n < len(word)/2 {
				return slip/2 + fullness/float32(2*n)
			}
		}
		// The term may consist of several words.
		if end := min(len(name), from+len(text)); end > to {
			if n := d.Between(name[from:end], text, allowed); n <= allowed {
				return slip/2 + fullness/float32(2*n)
			}
		}
		from = to
	}
	return 0
}
