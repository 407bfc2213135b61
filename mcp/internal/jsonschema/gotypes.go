package jsonschema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"time"
)

// provides reports whether the type implements Provider.
func provides(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(reflect.TypeFor[Provider]())
}

// opaque reports whether the schema of t is independent of its elements and fields.
func (g *generator) opaque(t reflect.Type) bool { return provides(t) || g.special(t) != nil }

// special returns the schema of a type whose schema is not determined by its kind, or nil for any
// other type.
func (g *generator) special(t reflect.Type) *fragment {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return &fragment{types: []string{"string"}, words: []word{{"format", `"date-time"`}}}
	case t == reflect.TypeFor[big.Int]():
		return &fragment{types: []string{"integer"}}
	case t == reflect.TypeFor[json.Number]():
		return &fragment{types: []string{"number"}}
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
		return nil
	}
	pointer := reflect.PointerTo(t)
	whole, text := reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()
	stream := hasMethod(pointer, "UnmarshalJSONFrom")
	if g.opts.Output {
		whole, text = reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()
		stream = hasMethod(pointer, "MarshalJSONTo")
	}
	switch {
	case stream, pointer.Implements(whole):
		return &fragment{}
	case t.Implements(text), !g.opts.Output && pointer.Implements(text):
		return &fragment{types: []string{"string"}}
	case pointer.Implements(text):
		return &fragment{} // encoding/json encodes it as text only if it is addressable
	}
	return nil
}

// hasMethod reports whether t has a method with the given name. It is used for the streaming
// methods of encoding/json/v2, because the package of their argument depends on the Go release.
func hasMethod(t reflect.Type, name string) bool {
	_, ok := t.MethodByName(name)
	return ok
}

// plain returns the schema that is determined by the kind of t.
func (g *generator) plain(t reflect.Type, path string) (*fragment, error) {
	switch t.Kind() {
	case reflect.Pointer:
		f, err := g.typ(t.Elem(), path, false)
		if err != nil {
			return nil, err
		}
		return f.nullable(), nil
	case reflect.Interface:
		if t.NumMethod() > 0 && !g.opts.Output {
			return nil, fmt.Errorf("%s: encoding/json cannot read into the interface %s; use any or a type that implements json.Unmarshaler", path, t)
		}
		return &fragment{}, nil
	case reflect.Slice, reflect.Array:
		return g.list(t, path)
	case reflect.Map:
		return g.mapping(t, path)
	}
	f := scalar(t)
	if f == nil {
		return nil, fmt.Errorf("%s: a %s cannot be represented in JSON; omit the field with `json:\"-\"`", path, t)
	}
	return f, nil
}

func scalar(t reflect.Type) *fragment {
	switch k := t.Kind(); k {
	case reflect.Bool:
		return &fragment{types: []string{"boolean"}}
	case reflect.String:
		return &fragment{types: []string{"string"}}
	case reflect.Float32, reflect.Float64:
		return &fragment{types: []string{"number"}}
	case reflect.Int, reflect.Int64:
		f := &fragment{types: []string{"integer"}}
		if t == reflect.TypeFor[time.Duration]() {
			f.add("description", `"nanoseconds"`)
		}
		return f
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return &fragment{types: []string{"integer"}, words: []word{{"minimum", "0"}}}
	case reflect.Int8, reflect.Int16, reflect.Int32:
		top := int64(1)<<(t.Bits()-1) - 1
		return &fragment{types: []string{"integer"}, words: []word{
			{"minimum", strconv.FormatInt(-top-1, 10)}, {"maximum", strconv.FormatInt(top, 10)}}}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return &fragment{types: []string{"integer"}, words: []word{
			{"minimum", "0"}, {"maximum", strconv.FormatUint(1<<t.Bits()-1, 10)}}}
	}
	return nil
}

func (g *generator) provided(t reflect.Type, path string) (*fragment, error) {
	g.foreign = true
	text := reflect.New(t).Interface().(Provider).JSONSchema()
	v, err := parseValue(text, 256)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema that %s.JSONSchema returns cannot be used: %w", path, t, err)
	}
	f := &fragment{}
	switch {
	case v.kind == kindBool && !v.isTrue():
		f.add("not", "{}")
	case v.kind == kindBool:
	case v.kind != kindObject:
		return nil, fmt.Errorf("%s: the schema that %s.JSONSchema returns is %s, not an object", path, t, show(v))
	}
	for i, key := range v.keys {
		if kind := v.items[i]; key == "type" && kind.kind == kindString {
			f.types = []string{kind.str}
			continue
		}
		f.add(key, string(v.items[i].raw))
	}
	return f, nil
}

func (g *generator) list(t reflect.Type, path string) (*fragment, error) {
	elem := t.Elem()
	f := &fragment{}
	if t.Kind() == reflect.Slice && elem.Kind() == reflect.Uint8 && !g.opaque(elem) {
		f = &fragment{types: []string{"string"}, words: []word{{"contentEncoding", `"base64"`}}}
	} else {
		items, err := g.typ(elem, path+"[]", false)
		if err != nil {
			return nil, err
		}
		f.types = []string{"array"}
		f.add("items", items.text())
	}
	if t.Kind() == reflect.Array {
		n := strconv.Itoa(t.Len())
		f.add("minItems", n)
		f.add("maxItems", n)
	}
	return f, nil
}

func (g *generator) mapping(t reflect.Type, path string) (*fragment, error) {
	f := &fragment{types: []string{"object"}}
	key := t.Key()
	marshals := key.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	if !g.opts.Output {
		marshals = reflect.PointerTo(key).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	}
	switch s := scalar(key); {
	case key.Kind() == reflect.String || marshals:
	case s != nil && s.types[0] == "integer":
		f.add("propertyNames", `{"pattern":"^-?[0-9]+$"}`)
	default:
		return nil, fmt.Errorf("%s: a map with keys of type %s cannot be represented in JSON; keys must be strings or integers, or implement encoding.TextMarshaler (for input: TextUnmarshaler)", path, key)
	}
	items, err := g.typ(t.Elem(), path+"[]", false)
	if err != nil {
		return nil, err
	}
	f.add("additionalProperties", items.text())
	return f, nil
}
