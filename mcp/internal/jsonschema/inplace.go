package jsonschema

// marks is the set of evaluated members or elements of an array or object, for
// unevaluatedProperties and unevaluatedItems. It consists of n words of v.words,
// beginning at off. The zero value records nothing.
type marks struct{ off, n int }

var noMarks marks

func (m marks) on() bool { return m.n > 0 }

func (v *validator) mark(m marks, i int) {
	if i>>6 < m.n {
		v.words[m.off+i>>6] |= 1 << (i & 63)
	}
}

func (v *validator) marked(m marks, i int) bool {
	return i>>6 < m.n && v.words[m.off+i>>6]&(1<<(i&63)) != 0
}

// newWords returns n zero words at the end of v.words.
func (v *validator) newWords(n int) marks {
	m := marks{len(v.words), n}
	for range n {
		v.words = append(v.words, 0)
	}
	return m
}

// layered applies a schema with in-place or unevaluated keywords to the value at pos. It returns
// the result of check.
func (v *validator) layered(n *node, pos int, outer marks) (end int, ok bool) {
	m, floor := outer, len(v.words)
	loose := v.unevaluated(n, pos)
	if loose != nil {
		count := v.countElements(pos)
		if count < 0 {
			return v.stop(ErrMalformed)
		}
		m = v.newWords((count + 63) / 64)
	}
	end, ok = -1, true
	if !n.bare {
		if end, ok = v.local(n, pos, m); !ok && v.quits() {
			return -1, false
		}
	}
	if n.inPlace != nil {
		e, k := v.inPlace(n, pos, m)
		if !k {
			if ok = false; v.quits() {
				return -1, false
			}
		}
		end = max(end, e)
	}
	if end < 0 {
		if end = v.skip(pos); end < 0 {
			return -1, false
		}
	}
	if loose != nil {
		if !v.checkUnmarked(n, loose, pos, m) {
			if ok = false; v.quits() {
				return -1, false
			}
		}
		if ok && outer.on() {
			for i := range outer.n {
				v.words[outer.off+i] = ^uint64(0)
			}
		}
	}
	v.words = v.words[:floor]
	return end, ok
}

// unevaluated returns the schema of the unevaluated members or elements of the value at pos, or nil.
func (v *validator) unevaluated(n *node, pos int) *node {
	switch v.data[pos] {
	case '{':
		if n.object != nil {
			return n.object.unevaluated
		}
	case '[':
		if n.array != nil {
			return n.array.unevaluated
		}
	}
	return nil
}

// countElements returns the number of members or elements of the container at pos, or -1 if the
// text is malformed.
func (v *validator) countElements(pos int) int {
	d := v.data
	closing := d[pos] + 2 // the closing bracket, which is two after the opening one in ASCII
	i := pos + 1
	for n := 0; ; n++ {
		next, done := nextElement(d, i, n == 0, closing)
		if next < 0 {
			return -1
		}
		if done {
			return n
		}
		if closing == '}' {
			if next = keyEnd(d, next); next < 0 {
				return -1
			}
		}
		if i = v.skip(next); i < 0 || !v.spend(1) {
			return -1
		}
	}
}

// keyEnd returns the index of the value whose key starts at i, or -1 if the
// text is malformed.
func keyEnd(d []byte, i int) int {
	if d[i] != '"' {
		return -1
	}
	end, _ := scanString(d, i)
	if end < 0 {
		return -1
	}
	return afterColon(d, end)
}

// checkUnmarked reports whether the unevaluated members or elements of the value at pos satisfy the
// schema loose.
func (v *validator) checkUnmarked(n, loose *node, pos int, m marks) bool {
	d, ok := v.data, true
	closing := d[pos] + 2
	i := pos + 1
	for k := 0; ; k++ {
		next, done := nextElement(d, i, k == 0, closing)
		if next < 0 {
			_, ok = v.stop(ErrMalformed)
			return ok
		}
		if done {
			return ok
		}
		key := next
		if closing == '}' {
			if next = keyEnd(d, next); next < 0 {
				_, ok = v.stop(ErrMalformed)
				return ok
			}
		}
		fine := true
		switch {
		case v.marked(m, k):
			i = v.skip(next)
		case loose.types == 0 && closing == '}':
			fine = v.failWith(n, pos, "unevaluatedProperties", key, 0)
			i = v.skip(next)
		default:
			i, fine = v.check(loose, next, noMarks)
		}
		if !fine {
			ok = false
		}
		if !ok && v.quits() || !v.spend(1) {
			return false
		}
	}
}

// inPlace applies the schemas of $ref, allOf, anyOf, oneOf, not and if to the value at pos. The
// returned index is -1 if none of these schemas scanned the value.
func (v *validator) inPlace(n *node, pos int, m marks) (end int, ok bool) {
	p := n.inPlace
	end, ok = -1, true
	if p.ref != nil {
		target := p.ref
		if p.isDynamic {
			target = v.dynamicTarget(p)
		}
		if end, ok = v.check(target, pos, m); !ok && v.quits() {
			return -1, false
		}
	}
	for _, sub := range p.allOf {
		e, k := v.check(sub, pos, m)
		if !k {
			if ok = false; v.quits() {
				return -1, false
			}
		}
		end = max(end, e)
	}
	if p.anyOf != nil {
		e, k := v.anyOf(n, pos, m)
		end, ok = max(end, e), ok && k
	}
	if p.oneOf != nil && (ok || !v.quits()) {
		e, k := v.oneOf(n, pos, m)
		end, ok = max(end, e), ok && k
	}
	if p.not != nil && (ok || !v.quits()) {
		if _, k := v.probe(p.not, pos, noMarks); k {
			ok = v.fail(n, pos, "not")
		}
	}
	if p.cond != nil && (ok || !v.quits()) {
		e, k := v.conditional(p, pos, m)
		end, ok = max(end, e), ok && k
	}
	return end, ok && v.fatal == nil
}

// probe applies n without recording failures, and returns the result of check. If the value does
// not satisfy the schema, it removes the schema's marks.
func (v *validator) probe(n *node, pos int, m marks) (end int, ok bool) {
	collect, words, text := v.collect, len(v.words), len(v.text)
	v.collect = false
	saved := marks{words, m.n}
	if m.on() {
		if !v.spend(m.n / bytesAStep) {
			return -1, false
		}
		v.words = append(v.words, v.words[m.off:m.off+m.n]...)
	}
	depth, scope := v.depth, len(v.scope)
	end, ok = v.check(n, pos, m)
	v.depth, v.scope = depth, v.scope[:scope]
	if !ok && m.on() {
		copy(v.words[m.off:m.off+m.n], v.words[saved.off:saved.off+saved.n])
	}
	v.collect, v.words, v.text = collect, v.words[:words], v.text[:text]
	return end, ok
}

func (v *validator) anyOf(n *node, pos int, m marks) (end int, ok bool) {
	end = -1
	for _, sub := range n.inPlace.anyOf {
		e, k := v.probe(sub, pos, m)
		if v.fatal != nil {
			return -1, false
		}
		if k {
			end, ok = e, true
			if !m.on() {
				break
			}
		}
	}
	if !ok {
		v.failBranches(n, pos, "anyOf", n.inPlace.anyOf)
	}
	return end, ok
}

func (v *validator) oneOf(n *node, pos int, m marks) (end int, ok bool) {
	end = -1
	for i, sub := range n.inPlace.oneOf {
		e, k := v.probe(sub, pos, m)
		if v.fatal != nil {
			return -1, false
		}
		if !k {
			continue
		}
		if ok {
			return -1, v.failWith(n, pos, "oneOf", i, 0)
		}
		end, ok = e, true
	}
	if !ok {
		v.failBranches(n, pos, "oneOf", n.inPlace.oneOf)
	}
	return end, ok
}

func (v *validator) conditional(p *inPlaceRules, pos int, m marks) (end int, ok bool) {
	end, matched := v.probe(p.cond, pos, m)
	if v.fatal != nil {
		return -1, false
	}
	branch := p.els_
	if matched {
		branch = p.then
	} else {
		end = -1
	}
	if branch == nil {
		return end, true
	}
	return v.check(branch, pos, m)
}

// dynamicTarget returns the schema of the anchor in the outermost resource of the dynamic scope
// that contains the anchor.
func (v *validator) dynamicTarget(p *inPlaceRules) *node {
	for _, res := range v.scope {
		if n := res.dynamicNodes[p.dynamic]; n != nil {
			return n
		}
	}
	return p.ref
}
