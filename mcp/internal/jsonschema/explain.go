package jsonschema

import "slices"

// fault is a failure as the walk notes it; words are made of those that are reported.
type fault struct {
	n        *node
	pos      int // of the value
	keyword  string
	a, b     int   // what the keyword needs: an index, a count, a position
	list     []int // of required: what is missing
	branches [][]fault
	ofKey    bool // the value is a property name
}

// fail notes a failure when failures are collected. It always returns false.
func (v *validator) fail(n *node, pos int, keyword string) bool {
	return v.failWith(n, pos, keyword, 0, 0)
}

// failWith is fail for keywords whose message needs to know more.
func (v *validator) failWith(n *node, pos int, keyword string, a, b int) bool {
	if v.collect && len(v.faults) < maxFaultsIn {
		v.faults = append(v.faults, fault{n: n, pos: pos, keyword: keyword, a: a, b: b})
	}
	return false
}

// wrongType notes that the type of the value is not allowed, and passes over the value.
func (v *validator) wrongType(n *node, pos int) (end int, ok bool) {
	if !v.collect {
		return -1, false
	}
	v.fail(n, pos, "type")
	return v.skip(pos), false
}

// failBranches walks the branches once more and keeps what is wrong in each.
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

// report puts the collected failures into words.
func (v *validator) report() error {
	e := &ValidationError{More: v.fatal != nil}
	limit := v.shared.maxFailures
	var listed []int // objects whose properties have been named once
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
		return ErrMalformed // the two walks disagree, which well-formed text never causes
	}
	return e
}

// flatten replaces an anyOf or oneOf by the failures of the one branch that was meant, where that is plain.
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

// meant returns the failures of the only branch that the value does not miss altogether: by its type, or by a
// constant that tells branches apart.
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
