package mcp

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// plainFields decodes structs of strings, booleans and numbers, which are the arguments of most
// tools, several times faster than package json. It does not decode other values.
type plainFields []plainField

type plainField struct {
	name  string
	index int
	kind  reflect.Kind
	bits  int // size of a number in bits
}

// plainFieldsOf returns the fields of t, or nil if t needs package json.
func plainFieldsOf(t reflect.Type) plainFields {
	if t.Kind() != reflect.Struct || decodesItself(t) {
		return nil
	}
	fields := plainFields{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.PkgPath() != "" || f.Anonymous || !f.IsExported() || strings.Trim(name, tagLetters) != "" ||
			options != "" && options != "omitempty" && options != "omitzero" {
			return nil
		}
		one := plainField{name: name, index: f.Index[0], kind: f.Type.Kind()}
		if name == "" {
			one.name = f.Name
		}
		if fields.find([]byte(one.name)) >= 0 || len(fields) == 64 {
			return nil
		}
		switch one.kind {
		case reflect.String, reflect.Bool:
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
			reflect.Float32, reflect.Float64:
			one.bits = f.Type.Bits()
		default:
			return nil
		}
		fields = append(fields, one)
	}
	return fields
}

// tagLetters contains the characters without a special meaning in the name in a struct tag.
const tagLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// decodesItself reports whether t has an unmarshal method that package json
// calls.
func decodesItself(t reflect.Type) bool {
	for _, name := range [...]string{"UnmarshalJSON", "UnmarshalJSONFrom", "UnmarshalText"} {
		if _, ok := reflect.PointerTo(t).MethodByName(name); ok {
			return true
		}
	}
	return false
}

// decode decodes args, a well-formed JSON object, into the struct v. If it
// returns false, package json must decode args; it overwrites the fields that
// decode has set.
func (p plainFields) decode(args []byte, v reflect.Value) bool {
	var seen uint64 // bit set of the fields that args contains
	o := jsonrpc.ReadObject(args)
	for o.Next() {
		i := p.find(o.Name)
		if i < 0 || seen&(1<<i) != 0 {
			return false
		}
		seen |= 1 << i
		if !p[i].set(v.Field(p[i].index), o.Value) {
			return false
		}
	}
	return o.Err == nil
}

func (p plainFields) find(name []byte) int {
	for i := range p {
		if p[i].name == string(name) {
			return i
		}
	}
	return -1
}

func (f *plainField) set(v reflect.Value, value []byte) bool {
	switch f.kind {
	case reflect.String:
		if bytes.Contains(value, []byte(`\u`)) { // the escape may be a lone surrogate, which package json refuses
			return false
		}
		s, ok := jsonrpc.String(value)
		if ok {
			v.SetString(s)
		}
		return ok
	case reflect.Bool:
		v.SetBool(value[0] == 't')
		return value[0] == 't' || value[0] == 'f'
	case reflect.Float32, reflect.Float64:
		n, err := strconv.ParseFloat(string(value), f.bits)
		v.SetFloat(n)
		return err == nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(string(value), 10, f.bits)
		v.SetInt(n)
		return err == nil
	default:
		n, err := strconv.ParseUint(string(value), 10, f.bits)
		v.SetUint(n)
		return err == nil
	}
}
