package crate

import "math"

// lookup is the state of the resolution of an import, or of a name in the globs of a module.
// Lookups can depend on each other in cycles. A lookup that reaches a running lookup continues as
// if that lookup had not found anything.
type lookup struct {
	state lookupState
	depth int // number of running lookups around it
	// low is the smallest depth of the running lookups on which the failure of this lookup
	// depends, or final if there are none.
	low int
	// names is the number of names of all modules when the lookup failed. Names added later
	// may change the result.
	names int
}

type lookupState uint8

const (
	running lookupState = iota + 1
	missing
)

const final = math.MaxInt

// unfinished contains the lookups that are running. A failed lookup that met a running lookup
// counts as failed until the running lookup ends. If the running lookup succeeds, the failed one is
// repeated. Otherwise, the failure is final. Therefore, a lookup is not repeated for each of the
// many paths that lead to it.
type unfinished struct {
	depth  int
	low    int       // smallest depth of the running lookups that the current lookup met
	failed []*lookup // failed lookups that are not final
	names  int       // number of names that have been added to modules
	globs  map[visit]*lookup
}

// visit is a lookup of a name in the globs of a module.
type visit struct {
	m    *module
	name string
	ns   namespace
}

// maxVisits is the maximum number of visits that are remembered while no lookup is
// running.
const maxVisits = 1 << 16

// inGlobs returns the lookup of a name in the globs of a module.
func (all *unfinished) inGlobs(v visit) *lookup {
	if all.depth == 0 && len(all.globs) > maxVisits {
		clear(all.globs)
	}
	l := all.globs[v]
	if l == nil {
		if all.globs == nil {
			all.globs = map[visit]*lookup{}
		}
		l = &lookup{}
		all.globs[v] = l
	}
	return l
}

// failed reports whether a lookup is known to fail or is running.
func (l *lookup) failed(all *unfinished) bool {
	switch {
	case l.state == running:
		all.low = min(all.low, l.depth)
	case l.state == missing && l.names == all.names:
		all.low = min(all.low, l.low)
	default:
		return false
	}
	return true
}

// begun is the state at the beginning of a lookup. It is passed to end.
type begun struct{ failed, low int }

func (all *unfinished) begin(l *lookup) begun {
	if all.depth == 0 {
		all.low = final
	}
	b := begun{len(all.failed), all.low}
	*l = lookup{state: running, depth: all.depth, names: all.names}
	all.depth++
	all.low = final
	return b
}

func (all *unfinished) end(l *lookup, b begun, found bool) {
	all.depth--
	low := all.low
	all.low = b.low
	switch {
	case found:
		for _, f := range all.failed[b.failed:] {
			if f.state == missing {
				f.state = 0
			}
		}
		all.failed = all.failed[:b.failed]
		l.state = 0
	case low >= l.depth:
		for _, f := range all.failed[b.failed:] {
			f.low = final
		}
		all.failed = all.failed[:b.failed]
		l.state, l.low = missing, final
	default:
		l.state, l.low = missing, low
		all.failed = append(all.failed, l)
		all.low = min(b.low, low)
	}
}
