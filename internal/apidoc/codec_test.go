package apidoc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
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
			if field.CanSet() && field.Type() != reflect.TypeFor[Style]() { // which the language sets anew
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

func encoded(tb testing.TB, p *Package) []byte {
	tb.Helper()
	e, err := p.Encode()
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

func roundTrip(t *testing.T, p *Package) *Package {
	t.Helper()
	got, err := DecodePackage(string(encoded(t, p)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEveryFieldOfTheModelIsKept(t *testing.T) {
	var full Package
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n, 4)
	if n < 100 {
		t.Fatalf("only %d values were made", n)
	}
	tests := []struct {
		name string
		pkg  Package
	}{
		{"all fields", full},
		{"no fields", Package{}},
		{"a long list of short texts", Package{Hidden: strings.Split("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "")}},
		{"empty lists", Package{Symbols: []Symbol{}, Warnings: []string{}}},
		{"numbers below zero", Package{Symbols: []Symbol{{Line: -1, Group: -1 << 40}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := roundTrip(t, &tt.pkg); !reflect.DeepEqual(*got.Whole(), tt.pkg) {
				t.Errorf("got  %+v\nwant %+v", *got, tt.pkg)
			}
		})
	}
}

func TestListsOfAKeptPackageDoNotShareRoom(t *testing.T) {
	p := roundTrip(t, &Package{Symbols: []Symbol{{Path: "A", Members: []Symbol{{Path: "A.x"}}}, {Path: "B"}}})
	p.Symbols[0].Members = append(p.Symbols[0].Members, Symbol{Path: "A.y"})
	if p.Symbols[1].Path != "B" {
		t.Errorf("a longer list writes over another: %q", p.Symbols[1].Path)
	}
}

func TestWhatIsNestedWithoutEndIsNotKept(t *testing.T) {
	s := Symbol{}
	for range maxNested + 1 {
		s = Symbol{Members: []Symbol{s}}
	}
	if _, err := (&Package{Symbols: []Symbol{s}}).Encode(); err == nil {
		t.Error("it was encoded, and could not be decoded")
	}
}

func TestEveryTextIsKeptOnce(t *testing.T) {
	doc := strings.Repeat("It parses. ", 1000)
	p := &Package{}
	for range 100 {
		p.Symbols = append(p.Symbols, Symbol{Path: "parse", Doc: doc})
	}
	if b := encoded(t, p); len(b) > 2*len(doc) {
		t.Errorf("%d bytes for 100 times the same %d", len(b), len(doc))
	}
}

func FuzzDecodePackage(f *testing.F) {
	var full Package
	n := 0
	fill(reflect.ValueOf(&full).Elem(), &n, 2)
	for _, p := range []*Package{{}, &full, {Symbols: []Symbol{}}} {
		f.Add(string(encoded(f, p)))
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := DecodePackage(s)
		if err != nil {
			return
		}
		again, err := DecodePackage(string(encoded(t, p)))
		if err != nil || !reflect.DeepEqual(again.Whole(), p.Whole()) {
			t.Errorf("%+v became %+v, %v", p, again, err)
		}
	})
}

// BenchmarkDecodePackage reads the package whose JSON, as docent describe
// --json prints it, is in the file that DOCENT_PACKAGE names; else a made one.
func BenchmarkDecodePackage(b *testing.B) {
	p := &Package{}
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
			s := Symbol{Path: fmt.Sprint("Class", i), Kind: Class, Signature: "class", File: "index.d.ts", Line: i}
			for j := range 50 {
				s.Members = append(s.Members, Symbol{
					Path: fmt.Sprint(s.Path, ".", j), Kind: Method, Signature: fmt.Sprint("m", j, "(): void"), Doc: fmt.Sprint("It does ", j), File: "index.d.ts",
				})
			}
			p.Symbols = append(p.Symbols, s)
		}
	}
	packed := string(encoded(b, p))
	b.SetBytes(int64(len(packed)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodePackage(packed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	p := &Package{}
	n := 0
	fill(reflect.ValueOf(p).Elem(), &n, 6)
	b.SetBytes(int64(len(encoded(b, p))))
	b.ReportAllocs()
	w := bufio.NewWriter(io.Discard)
	for b.Loop() {
		e, err := p.Encode()
		if err = errors.Join(err, e.Write(w)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestDecodePackage_ManyNames(t *testing.T) {
	p := &Package{Name: "p", Hidden: strings.Fields(strings.Repeat("name ", 1000))}
	q, err := DecodePackage(string(encoded(t, p)))
	if err != nil || len(q.Hidden) != 1000 {
		t.Errorf("of 1000 names, %d are decoded: %v", len(q.Hidden), err)
	}
}
