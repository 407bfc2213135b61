package jsonschema

func (v *validator) object(n *node, pos int, m marks) (end int, ok bool) {
	o, d := n.object, v.data
	var seen uint64
	floor := len(v.words)
	var many marks // set of the names that are present, if more than 64 names are tracked
	if o.names.tracked > 64 {
		many = v.newWords((o.names.tracked + 63) / 64)
	}
	ok = true
	hint, count := 0, 0
	i := pos + 1
	for ; ; count++ {
		key := i + 1
		if count == 0 || key >= len(d) || d[i] != ',' || d[key] != '"' { // usually there is no white space, so nextElement is not needed
			var done bool
			key, done = nextElement(d, i, count == 0, '}')
			if key < 0 {
				return v.stop(ErrMalformed)
			}
			if done {
				end = key + 1
				break
			}
			if d[key] != '"' {
				return v.stop(ErrMalformed)
			}
		}
		keyEnd, escaped := scanString(d, key)
		if keyEnd < 0 {
			return v.stop(ErrMalformed)
		}
		val := keyEnd + 1
		if val >= len(d) || d[keyEnd] != ':' || isSpace(d[val]) {
			if val = afterColon(d, keyEnd); val < 0 {
				return v.stop(ErrMalformed)
			}
		}
		if !v.spend(1 + (val-key)/bytesAStep) {
			return -1, false
		}
		mark := len(v.text)
		name := v.unescaped(d[key+1:keyEnd-1], escaped)
		if o.propertyNames != nil && !v.propertyName(n, key) {
			if ok = false; v.quits() {
				return -1, false
			}
		}
		after, found, matched := -1, o.names.find(name, hint), false
		if found >= 0 {
			hint = found + 1
			property := &o.names.list[found]
			if property.bit >= 0 {
				if many.on() {
					v.mark(many, property.bit)
				} else {
					seen |= 1 << property.bit
				}
			}
			if property.node != nil {
				matched = true
				var fine bool
				if after, fine = v.check(property.node, val, noMarks); !fine {
					if ok = false; v.quits() {
						return -1, false
					}
				}
			}
		}
		for j := range o.patterns {
			p := &o.patterns[j]
			if !v.spend(p.pattern.steps(name)) {
				return -1, false
			}
			if !p.pattern.match(name) {
				continue
			}
			matched = true
			var fine bool
			if after, fine = v.check(p.node, val, noMarks); !fine {
				if ok = false; v.quits() {
					return -1, false
				}
			}
		}
		v.text = v.text[:mark]
		if !matched && o.additional != nil {
			matched = true
			fine := false
			if o.additional.types == 0 {
				v.failWith(n, pos, "additionalProperties", key, 0)
			} else {
				after, fine = v.check(o.additional, val, noMarks)
			}
			if !fine {
				if ok = false; v.quits() {
					return -1, false
				}
			}
		}
		if matched {
			v.mark(m, count)
		}
		if after < 0 {
			if after = v.skip(val); after < 0 {
				return -1, false
			}
		}
		i = after
	}
	if count < o.minProperties {
		ok = v.failWith(n, pos, "minProperties", count, 0)
	}
	if o.maxProperties >= 0 && count > o.maxProperties {
		ok = v.failWith(n, pos, "maxProperties", count, 0)
	}
	if (many.on() || seen&o.requiredMask != o.requiredMask) && !v.required(n, pos, seen, many) {
		ok = false
	}
	if !ok && v.quits() || !v.spend(len(o.dependentRequired)+len(o.dependentSchemas)) {
		return -1, false
	}
	for j := range o.dependentRequired {
		dep := &o.dependentRequired[j]
		if !v.present(o, dep.name, seen, many) {
			continue
		}
		for _, need := range dep.needs {
			if !v.present(o, need, seen, many) {
				ok = v.failWith(n, pos, "dependentRequired", need, dep.name)
			}
		}
	}
	for j := range o.dependentSchemas {
		dep := &o.dependentSchemas[j]
		if !ok && v.quits() {
			break
		}
		if v.present(o, dep.name, seen, many) {
			if _, fine := v.check(dep.node, pos, m); !fine {
				ok = false
			}
		}
	}
	v.words = v.words[:floor]
	if v.fatal != nil || !ok && v.quits() {
		return -1, false
	}
	return end, ok
}

func (v *validator) present(o *objectRules, i int, seen uint64, many marks) bool {
	bit := o.names.list[i].bit
	if many.on() {
		return v.marked(many, bit)
	}
	return seen&(1<<bit) != 0
}

// required reports whether all required members are present, and records a failure if one is
// missing. seen and many are the sets of the members that are present.
func (v *validator) required(n *node, pos int, seen uint64, many marks) bool {
	var missing []int
	for _, r := range n.object.required {
		if v.present(n.object, r, seen, many) {
			continue
		}
		if !v.collect {
			return false
		}
		missing = append(missing, r)
	}
	if missing != nil && len(v.faults) < maxFaultsIn {
		v.faults = append(v.faults, fault{n: n, pos: pos, keyword: "required", list: missing})
	}
	return missing == nil
}

// propertyName reports whether the key at pos satisfies the schema
// propertyNames.
func (v *validator) propertyName(n *node, pos int) bool {
	first := len(v.faults)
	_, ok := v.check(n.object.propertyNames, pos, noMarks)
	for i := first; i < len(v.faults); i++ {
		v.faults[i].ofKey = true
	}
	return ok
}

func (v *validator) array(n *node, pos int, m marks) (end int, ok bool) {
	a, d := n.array, v.data
	ok = true
	count, matches := 0, 0
	floor := len(v.hashes)
	i := pos + 1
	for ; ; count++ {
		item, done := nextElement(d, i, count == 0, ']')
		if item < 0 {
			return v.stop(ErrMalformed)
		}
		if done {
			end = item + 1
			break
		}
		sub := a.rest
		if count < len(a.prefix) {
			sub = a.prefix[count]
		}
		after := -1
		if sub != nil {
			v.mark(m, count)
			fine := false
			if sub.types == 0 && count >= len(a.prefix) {
				if count == len(a.prefix) {
					v.fail(n, pos, "items")
				}
			} else {
				after, fine = v.check(sub, item, noMarks)
			}
			if !fine {
				if ok = false; v.quits() {
					return -1, false
				}
			}
		}
		if a.contains != nil {
			e, fine := v.probe(a.contains, item, noMarks)
			if v.fatal != nil {
				return -1, false
			}
			if fine {
				after = e
				matches++
				if a.containsEvaluates {
					v.mark(m, count)
				}
			}
		}
		if after < 0 {
			if after = v.skip(item); after < 0 {
				return -1, false
			}
		}
		if !v.spend(1) || a.unique && !v.noteHash(item) {
			return -1, false
		}
		i = after
	}
	if count < a.minItems {
		ok = v.failWith(n, pos, "minItems", count, 0)
	}
	if a.maxItems >= 0 && count > a.maxItems {
		ok = v.failWith(n, pos, "maxItems", count, 0)
	}
	if a.contains != nil {
		if matches < a.minContains {
			ok = v.failWith(n, pos, "minContains", matches, 0)
		}
		if a.maxContains >= 0 && matches > a.maxContains {
			ok = v.failWith(n, pos, "maxContains", matches, 0)
		}
	}
	if a.unique && (ok || !v.quits()) {
		ok = v.distinct(n, pos, floor) && ok
	}
	v.hashes = v.hashes[:floor]
	if v.fatal != nil || !ok && v.quits() {
		return -1, false
	}
	return end, ok
}
