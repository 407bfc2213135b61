package jsonschema

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// field is a member of the JSON object for a struct.
type field struct {
	name      string
	tagged    bool  // whether the name comes from a json tag
	index     []int // index of the field as in reflect.StructField
	typ       reflect.Type
	tag       reflect.StructTag
	words     map[string]string // keywords in the jsonschema tag; see readWords
	owner     reflect.Type      // the struct that declares the field
	goName    string
	omits     bool // whether the field has the option omitempty or omitzero
	quoted    bool // whether the field has the option string
	throughPt bool // whether the field is promoted through an embedded pointer
}

// structFields returns the fields of a struct according to the rules of encoding/json, in the order
// of declaration. Fields of embedded structs are promoted, and a field hides deeper ones with the
// same name. Of several fields with the same name at the same depth, only the one with a tag
// remains; if not exactly one has a tag, none remains. A map or jsontext.Value with the option
// embed contains all other members; rest is the type of their values, or nil.
func structFields(t reflect.Type) (fields []field, rest reflect.Type) {
	type level struct {
		typ     reflect.Type
		index   []int
		pointer bool
	}
	var all []field
	next := []level{{typ: t}}
	seen := map[reflect.Type]bool{}
	for len(next) > 0 {
		now := next
		next = nil
		count := map[reflect.Type]int{}
		for _, l := range now {
			count[l.typ]++
		}
		visited := map[reflect.Type]bool{}
		for _, l := range now {
			if seen[l.typ] || visited[l.typ] {
				continue
			}
			visited[l.typ] = true
			for i := range l.typ.NumField() {
				sf := l.typ.Field(i)
				inner := sf.Type
				if inner.Name() == "" && inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				if sf.Anonymous && !sf.IsExported() && inner.Kind() != reflect.Struct || !sf.Anonymous && !sf.IsExported() {
					continue
				}
				tag := sf.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, options, _ := strings.Cut(tag, ",")
				if !isTagName(name) {
					name = ""
				}
				embeds := name == "" && options == "embed"
				if values := embeddedValues(inner); embeds && values != nil {
					if rest == nil {
						rest = values
					}
					continue
				}
				index := append(slices.Clip(l.index), i)
				if name == "" && (sf.Anonymous || embeds) && inner.Kind() == reflect.Struct {
					next = append(next, level{inner, index, l.pointer || sf.Type.Kind() == reflect.Pointer})
					continue
				}
				f := field{
					name: cmp.Or(name, sf.Name), tagged: name != "", index: index, typ: sf.Type, tag: sf.Tag,
					owner: l.typ, goName: sf.Name, throughPt: l.pointer,
					omits:  hasOption(options, "omitempty") || hasOption(options, "omitzero"),
					quoted: hasOption(options, "string") && isQuotable(inner),
				}
				all = append(all, f)
				if count[l.typ] > 1 {
					all = append(all, f) // add it twice, so that the two fields hide each other
				}
			}
		}
		for _, l := range now {
			seen[l.typ] = true
		}
	}
	return dominant(all), rest
}

// embeddedValues returns the type of the members stored in a field of type t with the
// option embed, or nil.
func embeddedValues(t reflect.Type) reflect.Type {
	switch {
	case t == reflect.TypeFor[jsontext.Value]():
		return reflect.TypeFor[any]()
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return t.Elem()
	}
	return nil
}

// dominant returns the fields that are not hidden by others.
func dominant(all []field) []field {
	byName := map[string][]field{}
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	var out []field
	for _, f := range all {
		rivals := byName[f.name]
		wins := true
		same := 0
		for _, r := range rivals {
			switch {
			case slices.Equal(r.index, f.index):
				same++
			case len(r.index) < len(f.index), len(r.index) == len(f.index) && (r.tagged || !f.tagged):
				wins = false
			}
		}
		if wins && same == 1 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return out
}

func hasOption(options, name string) bool {
	for o := range strings.SplitSeq(options, ",") {
		if o == name {
			return true
		}
	}
	return false
}

// isTagName reports whether package mcp's encoder accepts s as a name. Older releases of
// encoding/json do not accept some of these names.
func isTagName(s string) bool {
	return s != "" && utf8.ValidString(s) && !strings.ContainsAny(s, "\\'\"`")
}

// checkTag returns an error for a json tag that is invalid or that some releases of encoding/json
// interpret differently.
func checkTag(tag reflect.StructTag) error {
	text := tag.Get("json")
	name, options, _ := strings.Cut(text, ",")
	switch {
	case name != "" && !isTagName(name):
		return fmt.Errorf("the name in json:%q must be valid UTF-8 without quotes and backslashes", text)
	case strings.Contains(","+options, ",format:"):
		return fmt.Errorf("json:%q: encoding/json does not support the option format; use a type with MarshalText", text)
	case hasOption(options, "embed") && text != ",embed":
		return fmt.Errorf("json:%q: encoding/json supports the option embed only without a name and other options", text)
	}
	return nil
}

// isQuotable reports whether the option string has an effect on t.
func isQuotable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32,
		reflect.Float64, reflect.String:
		return true
	}
	return false
}
