package apicodec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// fill gives every field below v another value, lists two elements each, down
// to a depth.
func fill(v reflect.Value, n *int, depth int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() && field.Type() != reflect.TypeFor[apidoc.Style]() { // The language sets this field after decoding.
				fill(field, n, depth)
			}
		}
	case reflect.Slice:
		if depth == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n, depth-1)
		}
	default:
		panic("the codec does not know a " + v.Kind().String() + ": teach it")
	}
}

func encoded(tb testing.TB, p *apidoc.Package) []byte {
	tb.Helper()
	e, err := Encode(p)
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	if err := errors.Join(e.Write(w), w.Flush()); err != nil {
		tb.Fatal(err)
	}
	if b.Len() != e.Len() {
		tb.Fatalf("%d bytes were said to be %d", b.Len(), e.Len())
	}
	return b.Bytes()
}

func roundTrip(t *testing.T, p *apidoc.Package) *apidoc.Package {
	t.Helper()
	got, err := Decode(string(encoded(t, p)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// whole returns p with all members in Symbol.Members.
func whole(p *apidoc.Package) *apidoc.Package {
	out := *p
	for _, symbols := range []*[]apidoc.Symbol{&out.Symbols, &out.Elsewhere, &out.Internal} {
		*symbols = withMembers(*symbols)
	}
	return &out
}

func withMembers(symbols []apidoc.Symbol) []apidoc.Symbol {
	out := slices.Clone(symbols)
	for i := range out {
		out[i].SetMembers(withMembers(out[i].AllMembers()))
	}
	return out
}

func TestEveryFieldOfTheModelIsKept(t *testing.T) {
	var full apidoc.Package
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n, 4)
	if n < 100 {
		t.Fatalf("only %d values were made", n)
	}
	tests := []struct {
		name string
		pkg  apidoc.Package
	}{
		{"all fields", full},
		{"no fields", apidoc.Package{}},
		{"a long list of short texts", apidoc.Package{Hidden: strings.Split("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "")}},
		{"empty lists", apidoc.Package{Symbols: []apidoc.Symbol{}, Warnings: []string{}}},
		{"numbers below zero", apidoc.Package{Symbols: []apidoc.Symbol{{Line: -1, Group: -1 << 40}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := roundTrip(t, &tt.pkg); !reflect.DeepEqual(*whole(got), tt.pkg) {
				t.Errorf("got  %+v\nwant %+v", *got, tt.pkg)
			}
		})
	}
}

func TestListsOfAKeptPackageDoNotShareRoom(t *testing.T) {
	p := roundTrip(t, &apidoc.Package{Symbols: []apidoc.Symbol{{Path: "A", Members: []apidoc.Symbol{{Path: "A.x"}}}, {Path: "B"}}})
	p.Symbols[0].Members = append(p.Symbols[0].Members, apidoc.Symbol{Path: "A.y"})
	if p.Symbols[1].Path != "B" {
		t.Errorf("a longer list writes over another: %q", p.Symbols[1].Path)
	}
}

func TestWhatIsNestedWithoutEndIsNotKept(t *testing.T) {
	s := apidoc.Symbol{}
	for range maxNested + 1 {
		s = apidoc.Symbol{Members: []apidoc.Symbol{s}}
	}
	if _, err := Encode(&apidoc.Package{Symbols: []apidoc.Symbol{s}}); err == nil {
		t.Error("it was encoded, and could not be decoded")
	}
}

func TestEveryTextIsKeptOnce(t *testing.T) {
	doc := strings.Repeat("It parses. ", 1000)
	p := &apidoc.Package{}
	for range 100 {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "parse", Doc: doc})
	}
	if b := encoded(t, p); len(b) > 2*len(doc) {
		t.Errorf("%d bytes for 100 times the same %d", len(b), len(doc))
	}
}

func FuzzDecode(f *testing.F) {
	var full apidoc.Package
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n, 2)
	for _, p := range []*apidoc.Package{{}, &full, {Symbols: []apidoc.Symbol{}}} {
		f.Add(string(encoded(f, p)))
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Decode(s)
		if err != nil {
			return
		}
		again, err := Decode(string(encoded(t, p)))
		if err != nil || !reflect.DeepEqual(whole(again), whole(p)) {
			t.Errorf("%+v became %+v, %v", p, again, err)
		}
	})
}

// BenchmarkDecode decodes the package whose JSON, as printed by docent describe --json, is in the
// file given by DOCENT_PACKAGE, or else a generated package.
func BenchmarkDecode(b *testing.B) {
	p := &apidoc.Package{}
	if file := os.Getenv("DOCENT_PACKAGE"); file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if err := json.Unmarshal(data, p); err != nil {
			b.Fatal(err)
		}
	} else {
		for i := range 300 {
			s := apidoc.Symbol{Path: fmt.Sprint("Class", i), Kind: apidoc.Class, Signature: "class", File: "index.d.ts", Line: i}
			for j := range 50 {
				s.Members = append(s.Members, apidoc.Symbol{
					Path: fmt.Sprint(s.Path, ".", j), Kind: apidoc.Method, Signature: fmt.Sprint("m", j, "(): void"), Doc: fmt.Sprint("It does ", j), File: "index.d.ts",
				})
			}
			p.Symbols = append(p.Symbols, s)
		}
	}
	packed := string(encoded(b, p))
	b.SetBytes(int64(len(packed)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(packed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	p := &apidoc.Package{}
	n := 0
	fill(reflect.ValueOf(p).Elem(), &n, 6)
	b.SetBytes(int64(len(encoded(b, p))))
	b.ReportAllocs()
	w := bufio.NewWriter(io.Discard)
	for b.Loop() {
		e, err := Encode(p)
		if err = errors.Join(err, e.Write(w)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestDecode_ManyNames(t *testing.T) {
	p := &apidoc.Package{Name: "p", Hidden: strings.Fields(strings.Repeat("name ", 1000))}
	q, err := Decode(string(encoded(t, p)))
	if err != nil || len(q.Hidden) != 1000 {
		t.Errorf("of 1000 names, %d are decoded: %v", len(q.Hidden), err)
	}
}
