package jsonrpc

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// An Object iterates over the members of a JSON object, without descending into
// their values.
//
//	o := jsonrpc.ReadObject(data)
//	for o.Next() {
//		switch string(o.Name) { … o.Value … }
//	}
//	if o.Err != nil { … }
type Object struct {
	// Name is the current member's name, unescaped; Value is its JSON text.
	// Both may point into the data.
	Name, Value []byte
	// Err is the error that made Next return false before the end of the object.
	Err error

	data []byte
	next int // index of the text after the current member; -1 before the first member
}

// ReadObject returns an iterator over the object in data. Before and after the object, data may
// contain only white space.
func ReadObject(data []byte) Object {
	return Object{data: data, next: -1}
}

// Next advances to the next member and reports whether there is one.
func (o *Object) Next() bool {
	if o.Err != nil {
		return false
	}
	data, i := o.data, o.next
	if i < 0 {
		i = skipSpace(data, 0)
		if i >= len(data) || data[i] != '{' {
			return o.fail(errSyntax)
		}
		if i = skipSpace(data, i+1); i < len(data) && data[i] == '}' {
			return o.end(i + 1)
		}
	} else {
		switch i = skipSpace(data, i); {
		case i >= len(data):
			return o.fail(errEnd)
		case data[i] == '}':
			return o.end(i + 1)
		case data[i] != ',':
			return o.fail(errSyntax)
		}
		i = skipSpace(data, i+1)
	}
	start := i
	i, err := skipName(data, i)
	if err != nil {
		return o.fail(err)
	}
	name := data[start:i]
	name = name[1:bytes.LastIndexByte(name, '"')]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = AppendUnquoted(nil, name)
	}
	end, err := Skip(data, i)
	if err != nil {
		return o.fail(err)
	}
	o.Name, o.Value, o.next = name, data[i:end], end
	return true
}

func (o *Object) fail(err error) bool {
	o.Name, o.Value, o.Err = nil, nil, err
	return false
}

func (o *Object) end(i int) bool {
	if skipSpace(o.data, i) != len(o.data) {
		return o.fail(errSyntax)
	}
	o.Name, o.Value = nil, nil
	return false
}

// String returns the text of a JSON string. It returns false if value is not a
// string.
func String(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	value = value[1 : len(value)-1]
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value), true
	}
	return string(AppendUnquoted(nil, value)), true
}

// AppendUnquoted appends the text of a JSON string whose quotes have been
// removed. Lone surrogates become U+FFFD.
func AppendUnquoted(b, s []byte) []byte {
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			return append(b, s...)
		}
		b = append(b, s[:i]...)
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			var r rune
			r, s = unicodeEscape(s)
			if utf16.IsSurrogate(r) {
				second := rune(utf8.RuneError)
				if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
					second, _ = unicodeEscape(s[2:])
				}
				if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
					s = s[6:]
				}
			}
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, c)
		}
	}
	return b
}

// unicodeEscape decodes the hexadecimal digits of a \u escape and returns the
// text after them.
func unicodeEscape(s []byte) (rune, []byte) {
	if len(s) < 4 {
		return utf8.RuneError, nil
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 32)
	if err != nil {
		return utf8.RuneError, s[4:]
	}
	return rune(n), s[4:]
}
