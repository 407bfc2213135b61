package ecosystem

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxNear bounds the names that an error offers.
const maxNear = 5

// Near returns the names among known that resemble name, the closest first: names
// that differ in at most two letters, or of which one contains the other. Case
// and the marks between words do not count.
func Near(known iter.Seq[string], name string) []string {
	if len(name) < 3 {
		return nil
	}
	type candidate struct {
		name     string
		distance int
	}
	var d apidoc.Distance
	var near []candidate
	wanted := foldName(name)
	for n := range known {
		folded := foldName(n)
		distance := d.Between(folded, wanted, 20)
		if n != name && (distance <= 2 || len(n) > 2 && (strings.Contains(folded, wanted) || strings.Contains(wanted, folded))) {
			near = append(near, candidate{n, distance})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	near = slices.Compact(near)
	var names []string
	for _, c := range near[:min(len(near), maxNear)] {
		names = append(names, c.name)
	}
	return names
}

// foldName returns a name of a package without case and the marks between words.
func foldName(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
}
