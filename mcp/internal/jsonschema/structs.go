package jsonschema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// object returns the schema for a struct.
func (g *generator) object(t reflect.Type, path string) (*fragment, error) {
	f := &fragment{types: []string{"object"}}
	open := g.opts.Open
	if err := g.describe(f, t, &open); err != nil {
		return nil, err
	}
	if err := sameName(t); err != nil {
		return nil, err
	}
	var properties, required []string
	fields, rest := structFields(t)
	for _, sf := range fields {
		fieldPath := path + "." + sf.goName
		p, err := g.field(&sf, fieldPath)
		if err != nil {
			return nil, err
		}
		properties = append(properties, string(appendQuoted(nil, sf.name))+":"+p.text())
		if g.requires(&sf, p) {
			required = append(required, string(appendQuoted(nil, sf.name)))
		}
	}
	if properties != nil {
		f.add("properties", "{"+strings.Join(properties, ",")+"}")
	}
	if required != nil {
		f.add("required", "["+strings.Join(required, ",")+"]")
	}
	switch {
	case rest != nil:
		values, err := g.typ(rest, path+"[]", false)
		if err != nil {
			return nil, err
		}
		f.add("additionalProperties", values.text())
	case !open:
		f.add("additionalProperties", "false")
	}
	return f, nil
}

// sameName returns an error if two fields of t have the same JSON name, because encoding/json omits
// one or both of them.
func sameName(t reflect.Type) error {
	fields := map[string]string{}
	for sf := range t.Fields() {
		tag := sf.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if !isTagName(name) {
			name = sf.Name
		}
		if tag == "-" || !sf.IsExported() || sf.Anonymous && name == sf.Name {
			continue
		}
		if other, twice := fields[name]; twice {
			return fmt.Errorf("type %s: the fields %s and %s are both %q in JSON; rename one of them", t, other, sf.Name, name)
		}
		fields[name] = sf.Name
	}
	return nil
}

func (g *generator) requires(sf *field, p *fragment) bool {
	if sf.omits || sf.throughPt {
		return false
	}
	return g.opts.Output || sf.typ.Kind() != reflect.Pointer && p.get("default") == ""
}

// field returns the schema for a struct field, with the field's tags applied.
func (g *generator) field(sf *field, path string) (*fragment, error) {
	if err := checkTag(sf.tag); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := sf.typ
	pointer := t.Kind() == reflect.Pointer
	if pointer && sf.omits {
		t = t.Elem() // null is never written, and an omitted field has the same meaning
	}
	var f *fragment
	if sf.quoted {
		f = quotedScalar(t)
	} else {
		var err error
		if f, err = g.typ(t, path, false); err != nil {
			return nil, err
		}
		if !pointer && sf.omits && g.opts.Output {
			f.types = slices.DeleteFunc(slices.Clone(f.types), func(s string) bool { return s == "null" })
		}
	}
	return f, g.applyTags(f, sf)
}

// quotedScalar returns the schema for a scalar with the option string.
func quotedScalar(t reflect.Type) *fragment {
	f := &fragment{types: []string{"string"}}
	base := t
	if t.Kind() == reflect.Pointer {
		base = t.Elem()
	}
	switch s := scalar(base); s.types[0] {
	case "integer":
		f.add("pattern", `"^-?[0-9]+$"`)
	case "boolean":
		f.add("enum", `["true","false"]`)
	}
	if base != t {
		f.nullable()
	}
	return f
}
