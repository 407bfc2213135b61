package ecosystem

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// maxNear is the maximum number of similar names in an error.
const maxNear = 5

// Near returns the names among known that resemble name, the closest first. Two
// names are similar if they differ in at most two letters or if one contains the
// other. Case and the characters between words are ignored.
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

// foldName returns the name of a package in lower case, without the characters between words.
func foldName(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
}
