package check

import (
	"errors"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/quote"
)

// absentPackage is a package that is not on this machine, while the network is off.
type absentPackage struct {
	name string
	next string // what the user can do
}

// maxAbsent is the maximum number of packages that one sentence names.
const maxAbsent = 5

// absentFrom returns the package about whose absence an error is, if the network is off.
func absentFrom(err error) (p absentPackage, ok bool) {
	e, ok := errors.AsType[*ecosystem.Error](err)
	if !ok {
		return p, false
	}
	p.next = e.Next
	p.name, ok = strings.CutSuffix(e.What, ecosystem.NotHere)
	return p, ok
}

// addAbsent adds one problem for all absent packages for which the user can do the same.
func (r *Report) addAbsent() {
	for len(r.absent) > 0 {
		next := r.absent[0].next
		var names []string
		r.absent = slices.DeleteFunc(r.absent, func(p absentPackage) bool {
			if p.next == next {
				names = append(names, p.name)
			}
			return p.next == next
		})
		slices.Sort(names)
		names = slices.Compact(names)
		what := quote.List(names, maxAbsent)
		if len(names) == 1 {
			what += ecosystem.NotHere
		} else {
			what += ecosystem.AllNotHere
		}
		r.Problems = append(r.Problems, what+"; "+next)
	}
}
