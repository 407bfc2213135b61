package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/lookup"
)

var testCode = highlight.Lexis{Keywords: highlight.Words("if func"), LineComment: "//", BlockComments: true}

func TestSource_Anchors(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		first      int
		want       string
	}{
		{"numbers of lines", "if x\n\ny", 1, `<span id="L1"><a href="#L1">1</a><span class="kw">if</span> x</span>` + "\n" + `<span id="L2"><a href="#L2">2</a></span>` + "\n" + `<span id="L3"><a href="#L3">3</a>y</span>` + "\n"},
		{"a comment of several lines", "/* <b>\n</span> */", 9, `<span id="L9"><a href="#L9">9</a><span class="cm">/* &lt;b&gt;</span></span>` + "\n" + `<span id="L10"><a href="#L10">10</a><span class="cm">&lt;/span&gt; */</span></span>` + "\n"},
		{"no line", "", 1, ""},
		{"one empty line", "\n", 1, `<span id="L1"><a href="#L1">1</a></span>` + "\n"},
	} {
		if got := string(numbered(lookup.SourceLines(tt.code), tt.first, &testCode)); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// gzipped returns the size of a text after compression.
func gzipped(text string) int {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.Len()
}

func TestSource_HostileFilesAreBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(lines, length int, alphabet string) []string {
		all := make([]string, lines)
		for i := range all {
			var b strings.Builder
			for range length {
				b.WriteByte(alphabet[random.IntN(len(alphabet))])
			}
			all[i] = b.String()
		}
		return all
	}
	const printable = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&()*+,-./:;<=>?@[]^_{|}~"
	for _, tt := range []struct {
		name  string
		lines []string
		cut   bool
	}{
		{"code as people write it", slices.Repeat([]string{"\tif err := f(x, \"name\", 12); err != nil { // return early"}, maxPartLines), false},
		{"long lines that repeat", slices.Repeat([]string{strings.Repeat("a", 2000)}, maxPartLines), true},
		{"random lines", noise(maxPartLines, 200, printable), true},
		{"long random lines", noise(maxPartLines, 2000, printable), true},
		{"random tokens", noise(maxPartLines, 150, "1a \"/"), true},
		{"tags", noise(maxPartLines, 300, "<>&'\""), true},
		{"one random line", noise(1, 2000, printable), false},
	} {
		code, cut := numberedWithin(tt.lines, 1, &testCode)
		if size := gzipped(string(code)); size > maxPartPacked || cut != tt.cut {
			t.Errorf("%s: %d bytes when compressed, cut: %v, want %v", tt.name, size, cut, tt.cut)
		}
		if n := strings.Count(string(code), `<span id="L`); n != len(tt.lines) {
			t.Errorf("%s: %d of %d lines", tt.name, n, len(tt.lines))
		}
	}
}

func TestSource_Parts(t *testing.T) {
	a := address{Language: "go", Package: "x", Version: "v1"}
	for _, tt := range []struct {
		line, part int
		want       string
	}{
		{0, 0, "/go/x@v1/-/source/a%20b/c.go"}, {1, 0, "/go/x@v1/-/source/a%20b/c.go"}, {maxPartLines, 0, "/go/x@v1/-/source/a%20b/c.go"},
		{maxPartLines + 1, 1, "/go/x@v1/-/source-2/a%20b/c.go"}, {maxSourceLines, maxSourceLines/maxPartLines - 1, fmt.Sprintf("/go/x@v1/-/source-%d/a%%20b/c.go", maxSourceLines/maxPartLines)},
	} {
		to := a.source("a b/c.go", tt.line)
		if to.String() != tt.want {
			t.Errorf("line %d is at %s, want %s", tt.line, to, tt.want)
		}
		back, ok := parseAddress(to.String())
		if part, view := partOf(back.View); !ok || !view || part != tt.part || back.Name != "a b/c.go" {
			t.Errorf("%s is %+v, part %d", to, back, part)
		}
	}
	for _, view := range []string{"source-1", "source-0", "source--2", "source-+2", "source-02", "source-2x", "source-", "sources", "source-101", "source-999999999999999999999", "doc"} {
		if part, ok := partOf(view); ok {
			t.Errorf("the view %s is part %d", view, part)
		}
	}
	for lines, want := range map[int]int{0: 1, 1: 1, maxPartLines: 1, maxPartLines + 1: 2, maxSourceLines: maxSourceLines / maxPartLines, 10 * maxSourceLines: maxSourceLines / maxPartLines} {
		if got := partsOf(lines); got != want {
			t.Errorf("%d lines have %d parts, want %d", lines, got, want)
		}
	}
}

func TestSource_OnlyText(t *testing.T) {
	files := map[string]string{"a.go": "package a\r\n", "a.so": "\x7fELF\x00\x01"}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	if lines, err := readSource(read, "a.go"); err != nil || len(lines) != 1 || lines[0] != "package a" {
		t.Errorf("%q, %v", lines, err)
	}
	if _, err := readSource(read, "a.so"); err == nil || !strings.Contains(err.Error(), "not text") {
		t.Errorf("a program: %v", err)
	}
	if _, err := readSource(read, "b.go"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzSource(f *testing.F) {
	for _, code := range hostile {
		if len(code) < 500 {
			f.Add(code)
		}
	}
	f.Add("/* a\nb */ \"c\nd\"\r\n\r`e\nf`")
	id := regexp.MustCompile(`^L\d+$`)
	f.Fuzz(func(t *testing.T, code string) {
		lines := lookup.SourceLines(code)
		out := string(numbered(lines, 1, &testCode))
		doc, err := html.Parse(strings.NewReader("<!doctype html><body><pre>" + out + "</pre>"))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		anchors := 0
		for n := range doc.Descendants() {
			switch {
			case n.Type == html.TextNode && n.Parent.Data != "a":
				text.WriteString(n.Data)
			case n.Type == html.ElementNode && n.Data == "span" && attribute(n, "id") != "":
				if anchors++; !id.MatchString(attribute(n, "id")) {
					t.Errorf("%q: the ID %q", code, attribute(n, "id"))
				}
			case n.Type == html.ElementNode && !slices.Contains([]string{"html", "head", "body", "pre", "span", "a"}, n.Data):
				t.Errorf("%q: there is <%s> in %q", code, n.Data, out)
			}
		}
		if anchors != len(lines) {
			t.Errorf("%q has %d anchors, but %d lines", code, anchors, len(lines))
		}
		if want := strings.Join(lines, "\n"); strings.TrimSuffix(text.String(), "\n") != want {
			t.Errorf("%q is shown as %q", want, text.String())
		}
	})
}
