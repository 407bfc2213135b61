package spelling

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

const (
	// maxNear is the maximum number of similar names in an error.
	maxNear = 5
	// maxRelated is the maximum number of these that do not differ in a few letters only.
	maxRelated = 3
	// maxName is the maximum size in bytes of a name that may be a misspelled one.
	maxName = 1000
)

// Near returns the names among known that resemble name, the closest first. Two names are similar if
// they differ in at most two letters, or in one letter if name is short, if one contains the
// other, or if they consist of the same words for the most part. If a name differs in one letter, only such names are
// returned. Case and the characters between words are ignored, except to order names that are otherwise equally close.
func Near(known iter.Seq[string], name string) []string {
	if len(name) < 3 || len(name) > maxName {
		return nil
	}
	type candidate struct {
		name     string
		typos    int // edit distance if it is within the limit
		overlap  float64
		distance int
		exact    int // distance with case and all characters
	}
	var d Distance
	var near []candidate
	target, words := foldName(name), wordsOf(name)
	limit := 2
	if len(target) < 6 {
		limit = 1
	}
	for n := range known {
		if n == name {
			continue
		}
		folded := foldName(n)
		distance, shared := d.Between(folded, target, 20), 0.0
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(folded, w) }) {
			shared = overlap(words, wordsOf(n))
		}
		if distance <= limit || shared > 0 || len(n) > 2 && (strings.Contains(folded, target) || strings.Contains(target, folded)) {
			near = append(near, candidate{n, min(distance, limit+1), shared, distance, d.Between(n, name, 20)})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.typos, b.typos), cmp.Compare(b.overlap, a.overlap), cmp.Compare(a.distance, b.distance),
			cmp.Compare(a.exact, b.exact), strings.Compare(a.name, b.name))
	})
	near = slices.Compact(near)
	var names []string
	for i, c := range near[:min(len(near), maxNear)] {
		if near[0].distance <= 1 && c.distance > 1 || i >= maxRelated && c.typos > limit {
			break // the others are unlikely
		}
		names = append(names, c.name)
	}
	return names
}

// IsNear reports whether somebody may have written a path for another one: at most a third of its
// letters differ, or one path contains the other and is at most twice as long.
func IsNear(a, b string) bool {
	var d Distance
	a, b = foldName(a), foldName(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	limit := len(b) / 3
	return d.Between(a, b, limit) <= limit || len(b) <= 2*len(a) && strings.Contains(b, a)
}

// foldName returns the name of a package in lower case, without the characters between words.
func foldName(name string) string { return strings.ToLower(wordJoiner.Replace(name)) }

var wordJoiner = strings.NewReplacer("-", "", "_", "", ".", "")

// Misspelled returns the names among known that a careful reader takes name for: those that differ in one letter, in
// two letters that are exchanged, or in case. Names that differ as two right names often do, in a digit, in the first
// letter or in the ending of a word, such as item and items, are not among them.
func Misspelled(known iter.Seq[string], name string) []string {
	var near []string
	for n := range known {
		if n != name && isMisspelling(n, name) {
			near = append(near, n)
		}
	}
	slices.Sort(near)
	near = slices.Compact(near)
	return near[:min(len(near), maxNear)]
}

// isMisspelling reports whether two different names are similar enough that one is the other with a typing error.
func isMisspelling(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 3 || len(b)-len(a) > 1 {
		return false
	}
	if len(a) == len(b) && strings.EqualFold(a, b) {
		return a[0] == b[0] // a type and a value often differ in their first letter
	}
	i, k := 0, len(b) // b[i:k] is what differs
	for i < len(a) && a[i] == b[i] {
		i++
	}
	for k > i && len(a)-len(b)+k > i && a[len(a)-len(b)+k-1] == b[k-1] {
		k--
	}
	if strings.ContainsFunc(a[i:len(a)-len(b)+k]+b[i:k], func(r rune) bool { return !isLetter(r) }) {
		return false
	}
	if len(a) < len(b) { // b has one letter more
		ends := k == len(b) || b[k] >= 'A' && b[k] <= 'Z' || b[k] == '_'
		return len(b) > 5 && k-i == 1 && i > 0 && !ends
	}
	switch k - i {
	case 1:
		return len(a) > 5 && i > 0 && k < len(b)
	case 2:
		return a[i] == b[i+1] && a[i+1] == b[i] && (i > 0 || len(a) > 3) && !(isRightWord(a) && isRightWord(b))
	}
	return false
}

// rightWords are words that turn into other words if two letters are exchanged.
const rightWords = " form from trial trail angel angle sign sing salt slat cloud could bolt blot quite quiet causal casual lots lost bets best united untied bird brid calm clam being begin dose does pulse spot stop " +
	"sued used sacred scared silver sliver coal cola bare bear brake break diary dairy there three tired tried weird wired expect except "

func isRightWord(word string) bool {
	return strings.Contains(rightWords, " "+strings.ToLower(word)+" ")
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
