package mcp

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// decoding describes how JSON is decoded into values of one type.
type decoding struct {
	plain plainFields // nil if values of the type are decoded by package json
	opts  json.Options
}

func decodingOf(t reflect.Type) decoding { return decoding{plainFieldsOf(t), jsonOptions(t)} }

// decodeArguments decodes arguments that satisfy the tool's schema. The error is written for the
// model: it describes the place and the problem in terms of JSON instead of Go.
func decodeArguments[In any](args []byte, as decoding) (*In, error) {
	in := new(In)
	if as.plain != nil && as.plain.decode(args, reflect.ValueOf(in).Elem()) {
		return in, nil
	}
	err := json.Unmarshal(args, in, as.opts, jsonv1.ReportErrorsWithLegacySemantics(false))
	if err == nil {
		return in, nil
	}
	if integers, changed := plainIntegers(args); changed {
		if again := new(In); json.Unmarshal(integers, again, as.opts) == nil {
			return again, nil
		}
	}
	return nil, explain(err)
}

// plainIntegers returns args with integers such as 1.0 and 1e3 rewritten as 1 and 1000. JSON Schema
// treats them as integers, but Go does not decode them into integer types. changed is false if args
// contains no such numbers.
func plainIntegers(args []byte) (plain []byte, changed bool) {
	for i := 0; i < len(args); {
		start := i
		switch c := args[i]; {
		case c == '"':
			for i++; args[i] != '"'; i++ {
				if args[i] == '\\' {
					i++
				}
			}
			i++
		case c == '-' || c-'0' < 10:
			for i < len(args) && strings.IndexByte("+-.eE0123456789", args[i]) >= 0 {
				i++
			}
			if n := integer(args[start:i]); n != nil {
				plain, changed = n.Append(plain, 10), true
				continue
			}
		default:
			i++
		}
		plain = append(plain, args[start:i]...)
	}
	return plain, changed
}

// integer returns the value of a number that has a fraction or an exponent but is an integer. It
// returns nil for any other number, and for a number longer than 64 bytes.
func integer(number []byte) *big.Int {
	s := strings.ToLower(string(number))
	_, exponent, _ := strings.Cut(s, "e")
	if !strings.ContainsAny(s, ".e") || len(s) > 64 || len(exponent) > 3 {
		return nil
	}
	if r, ok := new(big.Rat).SetString(s); ok && r.IsInt() {
		return r.Num()
	}
	return nil
}

// explain returns an error that describes err, a decoding error, in terms of JSON, and states where
// it occurred.
func explain(err error) error {
	e, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			return fmt.Errorf("%s: %w", e.JSONPointer, e.Err)
		}
		return err
	}
	why := errors.New("it does not fit")
	switch {
	case e.JSONKind == '0' && isNumber(e.GoType):
		why = fmt.Errorf("%s is out of range", clip(string(e.JSONValue), 64))
	case e.GoType == reflect.TypeFor[time.Time]():
		why = fmt.Errorf("must be an RFC 3339 date and time, such as %q", time.RFC3339[:19]+"Z")
	case e.GoType == reflect.TypeFor[[]byte]():
		why = errors.New("must be base64")
	case e.Err != nil:
		why = e.Err // the error that the type's UnmarshalJSON or UnmarshalText method returned
	}
	return fmt.Errorf("%s: %w", e.JSONPointer, why)
}

func isNumber(t reflect.Type) bool {
	return t != nil && reflect.Int <= t.Kind() && t.Kind() <= reflect.Float64
}
