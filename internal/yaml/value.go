package yaml

// Text consumes a scalar. A null is "".
func (r *Reader) Text() (string, error) {
	kind, err := r.Kind()
	if err != nil {
		return "", err
	}
	r.node.taken = true
	switch kind {
	case Null:
		return "", nil
	case Scalar:
		return string(r.node.text), nil
	}
	return "", r.fail("a scalar is expected")
}

// Skip consumes a node without using it.
func (r *Reader) Skip() error {
	kind, err := r.Kind()
	if err != nil {
		return err
	}
	switch {
	case r.node.alias:
		r.node.taken = true
		return nil
	case kind == Mapping:
		return r.fields(func([]byte) error { return nil })
	case kind == Sequence:
		return r.Items(func() error { return nil })
	}
	r.node.taken = true
	return nil
}

// Value consumes a node of any kind. It returns nil for a null, a bool for
// unquoted true and false, a string for other scalars, else a map[string]any or
// []any. Aliases share the map or slice of their anchor. Duplicate field names
// are an error.
func (r *Reader) Value() (any, error) {
	kind, err := r.Kind()
	if err != nil {
		return nil, err
	}
	n, before := r.node, r.values
	if r.values += 1 + n.values; r.values > maxValues {
		return nil, r.fail("more than %d values", maxValues)
	}
	var v any
	switch {
	case kind == Null:
		r.node.taken = true
		return nil, nil
	case kind == Scalar:
		r.node.taken = true
		return scalar(n.text, n.plain), nil
	case n.alias && n.value == nil:
		return nil, r.fail("an alias of a collection is not supported here")
	case n.alias:
		r.node.taken = true
		return n.value, nil
	case kind == Mapping:
		v, err = r.object()
	case kind == Sequence:
		list := []any{}
		err = r.Items(func() error {
			item, err := r.Value()
			list = append(list, item)
			return err
		})
		v = list
	}
	if err != nil {
		return nil, err
	}
	return v, r.remember(n.anchor, anchored{kind: kind, value: v, values: r.values - before})
}

func scalar(text []byte, plain bool) any {
	if plain {
		switch string(text) {
		case "true", "True", "TRUE":
			return true
		case "false", "False", "FALSE":
			return false
		}
	}
	return string(text)
}

// object parses a mapping with its merge keys.
func (r *Reader) object() (map[string]any, error) {
	object := map[string]any{}
	var merged []any
	err := r.Fields(func(name string) error {
		merge := name == "<<" && r.plainKey
		v, err := r.Value()
		if err != nil {
			return err
		}
		if merge {
			merged = append(merged, v)
			return nil
		}
		if _, twice := object[name]; twice {
			return r.fail("a duplicate field")
		}
		object[name] = v
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, v := range merged {
		if err := r.merge(object, v); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// merge adds to object the fields of a mapping, or of each mapping in a
// sequence, that object does not have.
func (r *Reader) merge(object map[string]any, from any) error {
	sources, ok := from.([]any)
	if !ok {
		sources = []any{from}
	}
	for _, source := range sources {
		fields, ok := source.(map[string]any)
		if !ok {
			return r.fail("only mappings can be merged")
		}
		if r.values += len(fields); r.values > maxValues {
			return r.fail("more than %d values", maxValues)
		}
		for name, v := range fields {
			if _, has := object[name]; !has {
				object[name] = v
			}
		}
	}
	return nil
}
