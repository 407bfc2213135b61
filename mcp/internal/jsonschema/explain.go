package jsonschema

import "slices"

// fault is a failure that validation records. Only faults that are reported get a message.
type fault struct {
	n        *node
	pos      int // position of the value
	keyword  string
	a, b     int       // a and b are indexes, counts or positions, depending on the keyword
	list     []int     // indexes of the missing names, for required
	branches [][]fault // faults of each alternative
	ofKey    bool      // whether the value is a property name
}

// fail records a failure if failures are collected. It returns false.
func (v *validator) fail(n *node, pos int, keyword string) bool {
	return v.failWith(n, pos, keyword, 0, 0)
}

// failWith is fail for keywords whose messages need a and b.
func (v *validator) failWith(n *node, pos int, keyword string, a, b int) bool {
	if v.collect && len(v.faults) < maxFaultsIn {
		v.faults = append(v.faults, fault{n: n, pos: pos, keyword: keyword, a: a, b: b})
	}
	return false
}

// wrongType records that the type of the value is not allowed, and returns the
// index after the value.
func (v *validator) wrongType(n *node, pos int) (end int, ok bool) {
	if !v.collect {
		return -1, false
	}
	v.fail(n, pos, "type")
	return v.skip(pos), false
}

// failBranches applies the branches again and records the failures in each.
func (v *validator) failBranches(n *node, pos int, keyword string, branches []*node) {
	if !v.collect || len(v.faults) >= maxFaultsIn {
		return
	}
	f := fault{n: n, pos: pos, keyword: keyword}
	outer := v.faults
	for _, b := range branches {
		v.faults = nil
		words, text := len(v.words), len(v.text)
		v.check(b, pos, noMarks)
		v.words, v.text = v.words[:words], v.text[:text]
		if v.fatal != nil {
			v.faults = outer
			return
		}
		f.branches = append(f.branches, v.faults)
	}
	outer = append(outer, f)
	v.faults = outer
}

// report returns the collected faults as a ValidationError.
func (v *validator) report() error {
	e := &ValidationError{More: v.fatal != nil}
	limit := v.shared.maxFailures
	var listed []int // objects whose properties were listed in a message
	for _, f := range v.flatten(v.faults) {
		if len(e.Failures) == limit {
			e.More = true
			break
		}
		out := Failure{Pointer: v.pointer(f.pos), Keyword: f.keyword, Schema: f.n.spot.String(), Message: v.message(&f)}
		if slices.Contains(e.Failures, out) {
			continue
		}
		if !slices.Contains(listed, f.pos) {
			if names := f.propertyList(); names != "" {
				out.Message += names
				listed = append(listed, f.pos)
			}
		}
		e.Failures = append(e.Failures, out)
	}
	if len(e.Failures) == 0 {
		return ErrMalformed // the second pass found no fault, so the text must be malformed
	}
	return e
}

// flatten returns faults, with the fault of an anyOf or oneOf replaced by the faults of one branch
// if the value was clearly meant for that branch.
func (v *validator) flatten(faults []fault) []fault {
	var out []fault
	for _, f := range faults {
		if meant := f.meant(); meant != nil {
			out = append(out, v.flatten(meant)...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// meant returns the faults of the only branch whose type and distinguishing constants match the
// value. It returns nil if not exactly one branch matches.
func (f *fault) meant() []fault {
	var meant []fault
	for _, b := range f.branches {
		if slices.ContainsFunc(b, func(x fault) bool { return x.misses(f.pos) }) {
			continue
		}
		if meant != nil {
			return nil
		}
		meant = b
	}
	return meant
}

func (f *fault) misses(pos int) bool {
	switch f.keyword {
	case "type", "enum":
		return f.pos == pos
	case "const":
		return true
	case "anyOf", "oneOf":
		return f.pos == pos && !slices.ContainsFunc(f.branches, func(b []fault) bool {
			return !slices.ContainsFunc(b, func(x fault) bool { return x.misses(pos) })
		})
	}
	return false
}
