package jsonschema

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCompileAndValidate uses arbitrary schemas and instances. Nothing may panic or hang, results
// must be reproducible, and the result of inserting defaults must be valid JSON.
func FuzzCompileAndValidate(f *testing.F) {
	for _, c := range [][2]string{
		{searchSchema, `{"query":"a","limit":500,"tags":["a","a"],"price":0.071}`},
		{`{"$ref":"#"}`, `1`},
		{`{"$dynamicAnchor":"n","items":{"$dynamicRef":"#n"},"unevaluatedItems":false,"contains":{"const":1}}`, `[1,[1]]`},
		{`{"anyOf":[{"properties":{"a":{}}},{"patternProperties":{"^b\\d{2,}$":{"type":"null"}}}],"unevaluatedProperties":false}`, `{"a":1,"b12":null,"c":{}}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"if":{"minimum":1e400}}],"dependencies":{"a":["b"]}}`, `[1e999999999999,"\ud800"]`},
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"type":["string","string"],"pattern":"["}`},
		{`{"uniqueItems":true,"items":{"multipleOf":0.0001,"oneOf":[{"maximum":5},{"minimum":5}]}}`, `[5.0,5,{"a":{"b":[]}}]`},
		{`{"format":"idn-hostname","propertyNames":{"maxLength":2},"properties":{"a":{"default":{"x":1},"properties":{"y":{"default":2}}}}}`, `{"a":{},"\u0061b":"}"`},
	} {
		f.Add([]byte(c[0]), []byte(c[1]))
	}
	f.Fuzz(func(t *testing.T, schema, data []byte) {
		s, err := Compile(schema, &Options{AssertFormat: true, MaxSteps: 200_000, MaxDepth: 500, MaxSubschemas: 500})
		if err != nil {
			if _, ok := errors.AsType[*CompileError](err); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if n := len(data) - 2; n >= 0 && data[0] == '"' && json.Valid(data) {
			if got, want := countEscaped(data[1:n+1]), utf8.RuneCount(appendUnescaped(nil, data[1:n+1])); got != want {
				t.Fatalf("%s has %d characters, not %d", data, want, got)
			}
		}
		first, second := s.Validate(data), s.Validate(data)
		if (first == nil) != (second == nil) || first != nil && first.Error() != second.Error() {
			t.Fatalf("first %v, then %v", first, second)
		}
		if _, ok := errors.AsType[*ValidationError](first); first != nil && !ok &&
			!errors.Is(first, ErrMalformed) && !errors.Is(first, ErrTooComplex) && !errors.Is(first, ErrTooDeep) {
			t.Fatalf("%T: %v", first, first)
		}
		_, broken := parseValue(data, 400)
		if broken == nil && errors.Is(first, ErrMalformed) {
			t.Fatalf("%s is well-formed: %v", data, first)
		}
		out, changed := s.AppendDefaults(nil, data)
		without, removed := s.WithoutNulls(data)
		if broken != nil {
			return
		}
		if _, err := parseValue(without, 400); removed && (err != nil || len(without) >= len(data)) {
			t.Fatalf("%s without nulls is %s: %v", data, without, err)
		}
		if changed {
			if _, err := parseValue(out, 1000); err != nil {
				t.Fatalf("%s became %s: %v", data, out, err)
			}
			if again, changed := s.AppendDefaults(nil, out); changed && string(again) != string(out) && len(again) < len(out) {
				t.Fatalf("%s lost something: %s", out, again)
			}
		}
	})
}

// FuzzDecimal compares decimals with exact rational numbers.
func FuzzDecimal(f *testing.F) {
	for _, c := range [][2]string{{"0", "-0.0"}, {"1e2", "100"}, {"0.01", "1e-2"}, {"-12.50", "-12.5001"},
		{"9007199254740993", "9007199254740992"}, {"123456789012345678901234567890", "1.5e28"}, {"19.99", "0.01"}} {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !json.Valid([]byte(a)) || !json.Valid([]byte(b)) || len(a)+len(b) > 100 {
			return
		}
		x, ok1 := rational(a)
		y, ok2 := rational(b)
		if !ok1 || !ok2 {
			parseDecimal([]byte(a)).cmp(parseDecimal([]byte(b)))
			return
		}
		d, e := parseDecimal([]byte(a)), parseDecimal([]byte(b))
		if got, want := d.cmp(e), x.Cmp(y); got != want {
			t.Errorf("%s against %s is %d, not %d", a, b, want, got)
		}
		if got, want := d.isInteger() || d.isZero(), x.IsInt(); got != want {
			t.Errorf("%s integer: %v, not %v", a, want, got)
		}
		if y.Sign() > 0 {
			quotient := new(big.Rat).Quo(x, y)
			if got, want := newDivisor([]byte(b)).divides(d), quotient.IsInt(); got != want {
				t.Errorf("%s is a multiple of %s: %v, not %v", a, b, want, got)
			}
		}
		whole := new(big.Int).Div(x.Num(), x.Denom()) // Div rounds toward minus infinity, because Denom is positive
		if got, exact := d.floor(); whole.IsInt64() && (got != whole.Int64() || exact != x.IsInt()) {
			t.Errorf("floor of %s is %v, not %d", a, whole, got)
		}
		if d.cmp(e) == 0 && d.hash() != e.hash() {
			t.Errorf("%s and %s are equal but hash differently", a, b)
		}
	})
}

// rational parses a number whose exponent is small enough to be written out.
func rational(s string) (*big.Rat, bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > 2 {
		return nil, false
	}
	if k, ok := kindAt(s[0]); !ok || k != kindNumber {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// FuzzPattern translates arbitrary patterns. If a pattern can be compiled, the fast implementation
// must match the same strings as regexp.
func FuzzPattern(f *testing.F) {
	for _, c := range [][2]string{
		{`^[a-z0-9-]{2,30}$`, "a-b"}, {`\p{Letter}+\d`, "é1"}, {`^\u{1F600}|\ud83d\ude00$`, "😀"}, {`[^]`, ""}, {`a{0,2000}b?`, "aab"},
		{`(?<y>\d{4})-[\S\s]`, "2006-x"}, {`(?=a)`, "a"}, {`\cJ\x41[\b]`, "\nA\b"}, {`^[A-Z]*$`, "É"},
	} {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := newPattern(source)
		if err != nil {
			return
		}
		if got, want := p.match([]byte(text)), p.re.MatchString(text); got != want {
			t.Errorf("%q in %q: %v, not %v", source, text, want, got)
		}
	})
}
