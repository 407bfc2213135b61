package mcp

import (
	"cmp"
	stdjson "encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// userJSON contains the options for types of the library's users. Struct tags and marshalers work
// as in encoding/json, but duplicate names, invalid UTF-8 and names that differ in case are
// refused. Nil slices and maps are encoded as [] and {}.
var userJSON = json.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	json.MatchCaseInsensitiveNames(false),
	json.FormatNilSliceAsNull(false),
	json.FormatNilMapAsNull(false),
	jsontext.AllowDuplicateNames(false),
	jsontext.AllowInvalidUTF8(false),
	jsontext.EscapeForHTML(false),
	jsontext.EscapeForJS(false),
)

// numberJSON is userJSON for values that may contain a json.Number. The JSON package used here
// would encode it as a string. numberJSON is slower.
var numberJSON = json.JoinOptions(userJSON,
	json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, n *stdjson.Number) error {
		if dec.PeekKind() != '0' {
			return errors.ErrUnsupported
		}
		value, err := dec.ReadValue()
		*n = stdjson.Number(value)
		return err
	})),
	json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, n stdjson.Number) error {
		return enc.WriteValue(jsontext.Value(cmp.Or(n, "0")))
	})),
)

// jsonOptions returns the options for values of type t.
func jsonOptions(t reflect.Type) json.Options {
	if holdsNumber(t, map[reflect.Type]bool{}) {
		return numberJSON
	}
	return userJSON
}

// holdsNumber reports whether values of type t may contain a json.Number.
func holdsNumber(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.String:
		return t == reflect.TypeFor[stdjson.Number]()
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsNumber(t.Elem(), seen)
	case reflect.Map:
		return holdsNumber(t.Key(), seen) || holdsNumber(t.Elem(), seen)
	case reflect.Struct:
		for field := range t.Fields() {
			if holdsNumber(field.Type, seen) {
				return true
			}
		}
	}
	return false
}

func decode(data []byte, v any) error {
	return json.Unmarshal(data, v, userJSON)
}

func encode(v any) ([]byte, error) {
	return json.Marshal(v, numberJSON)
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// jsonValue is raw JSON.
type jsonValue = jsontext.Value

// canonical returns the canonical form (RFC 8785) of raw, or raw itself if it
// is not JSON.
func canonical(raw []byte) []byte {
	v := jsontext.Value(raw).Clone()
	if v.Canonicalize() != nil {
		return raw
	}
	return v
}

// compact returns raw without white space, and therefore without newlines. It returns nil if raw is
// not JSON.
func compact(raw []byte) []byte {
	v := jsontext.Value(raw).Clone()
	if len(v) == 0 || v.Compact() != nil {
		return nil
	}
	return v
}
