package yaml

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	library "go.yaml.in/yaml/v3"

	"github.com/docent-mcp/docent/internal/filetest"
)

// values returns the whole first document of a text.
func values(text string) (v any, err error) {
	err = Read(context.Background(), []byte(text), func(r *Reader) error {
		v, err = r.Value()
		return err
	})
	return v, err
}

var documents = map[string]string{
	"empty":                        "",
	"only comments":                "# a\n\n# b\n",
	"a scalar":                     "a b\n",
	"a field":                      "a: b",
	"fields":                       "a: b\nc:\n  d: e\n  f:\nг: ü\n",
	"windows lines":                "a: b\r\nc:\r\n  - d\r\n",
	"a byte order mark":            "\uFEFFa: b\n",
	"marker and directive":         "%YAML 1.1\n---\na: b\n...\n",
	"marker with a scalar":         "--- a\n",
	"second document":              "a: b\n---\nc: [\n",
	"items":                        "- a\n- b: c\n  d: e\n-\n  - f\n- - g\n  - h\n",
	"items at the field's column":  "a:\n- b\n- c\nd: e\n",
	"indented items":               "a:\n  - b\n  - c: d\n    e: f\ng: h\n",
	"dashes in scalars":            "a: -b\nd: --\n",
	"null, true and text":          "a: ~\nb: null\nc: true\nd: 'true'\ne: \"null\"\nf: yes\ng: 1.10\n",
	"comments":                     "a: b # c\n# d\ne: f#g\nh: # i\n  j\n",
	"colons":                       "a:b: c:d\ne: f:g\n'h:': i\n",
	"single quotes":                "'a''b': 'c \"d'\n",
	"double quotes":                `a: "b\n\t\"\\\u00fc\x41\U0001F600\e"` + "\n",
	"quotes over lines":            "a: \"b\n  c\n\n  d \\\n   e\\\n\n f\"\ng: 'h\n\n\n  i j\n  k'\n",
	"a long quote":                 "a: \"" + strings.Repeat("b c", 200) + "\"\n",
	"plain over lines":             "a: b\n  c\n\n  d\ne: f\n",
	"flow":                         "a: {b: c, d: [e, f], \"g\":h, i: , j, }\nk: []\nl: {}\n",
	"flow over lines":              "a: {\n    b: c, # d\n    e:\n      f g\n      h,\n  }\ni: [\n  j,\n  'k'\n  ]\n",
	"adjacent in flow":             "{\"a\":1,'b':2,c: [d]}",
	"literal":                      "a: |\n  b\n   c\n\n  d\n\ne: |-\n  f\n\ng: |+\n  h\n\ni: |2\n    j\nk:\n  - |\n    l\n",
	"folded":                       "a: >\n  b\n  c\n\n  d\n   e\n  f\n\n\ng: >-\n\n  h\n  i\n",
	"literal at the end":           "a: |\n  b",
	"empty literal":                "a: |\nb: c\n",
	"explicit keys":                "? a\n: b\n? 'c d'\n: - e\n? f\n? g\n:\n  h: i\n",
	"anchors":                      "a: &x b\nc: *x\nd: &y\n  e: f\ng: *y\nh: &z [i, *x]\nj: [*z, *z]\n&k l: m\nn: *k\n",
	"an anchor without a value":    "a: &x\nb: *x\n",
	"merge keys":                   "a: &x {b: c, d: e}\nf:\n  <<: *x\n  b: g\nh:\n  <<: [*x, {i: j}]\nk:\n  '<<': l\n",
	"tags":                         "a: !!str 1\nb: !x {c: d}\ne: !!map\n  f: g\n",
	"question marks and specials":  "a: ?b\nc: a?b\nd: x@y\ne: a`b\nf: a&b\ng: a*b\nh: a!b\n",
	"white space at the ends":      "a:   b  \nc:\t d\t\n   \ne: f\n",
	"numbers as keys":              "1: a\n1.5: b\nnull: c\n",
	"a key of many characters":     "? " + strings.Repeat("k", 2000) + "\n: v\n",
	"a block scalar of the root":   "--- |\n  a\n  b\n",
	"pnpm's and prettier's styles": "packages:\n\n  a@1.0.0:\n    resolution: {integrity: sha512-abc==}\n  /b/1.0.0:\n    resolution:\n      {\n        integrity: sha512-def==,\n      }\n    engines: {node: '>=6'}\n",
}

func TestValuesAreThoseOfTheLibrary(t *testing.T) {
	for name, text := range documents {
		t.Run(name, func(t *testing.T) {
			got, err := values(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := libraryValue(text)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
		})
	}
}

var broken = []string{
	"a: b: c", "a: - b", "a: b\n c: d", "a:\n  b: c\n d: e", "a: b\n- c", "- a\nb: c", "[a", "{a: b", "a: [b]]", "a: {b: c", "[a,,b]", "{,}",
	"a: 'b", "a: \"b", "a: \"\\q\"", "a: \"\\ud800\"", "a: \"\\u12\"", "a: *b", "a: &b &c d", "a: & b", "\ta: b", "a:\n\tb: c", "a: @b", "a: `b", "a: %b", "a: |x\n b", "a: ]",
	"? [a]\n: b", "? a: b\n: c", "[a]: b", "{[a]: b}", "[a: b]", "*a : b", "a: b\n<<<<<<< HEAD\nc: d\n", "a: \x00", "a: \xff", "a: 1\na: 2", "<<: a", "a: \"b\" c", "a: [b] c", "a: 'b'#c",
	"---\n'a\n---\nb'", "a: [\n---\n]", "a: &x [*x]", "&x *x",
}

func TestWhatIsNoYAMLIsRefused(t *testing.T) {
	for _, text := range broken {
		if v, err := values(text); err == nil {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}

func TestErrorsNameTheLineAndQuoteNothing(t *testing.T) {
	_, err := values("a: b\n\ntoken: [secret, *secret]\n")
	if err == nil || !strings.HasPrefix(err.Error(), "line 3: ") || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

func TestNestingIsBounded(t *testing.T) {
	for _, nested := range []func(n int) string{
		func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
		func(n int) string { return strings.Repeat("- ", n) + "a" },
		func(n int) string { return strings.Repeat("{a: ", n) + strings.Repeat("}", n) },
	} {
		if _, err := values(nested(maxDepth)); err != nil {
			t.Error(err)
		}
		if _, err := values(nested(maxDepth + 1)); err == nil || !strings.Contains(err.Error(), "more than 100 levels") {
			t.Error(err)
		}
	}
}

func TestReaderGoesThroughADocument(t *testing.T) {
	const text = "name: &n x\nskipped: {a: [b, *n], c: {d: |\n  e}}\nlist: [1, *n, ~]\nfields:\n  f: {g: h}\n  i:\n  j: *n\nnothing: ~\n"
	var got []string
	err := Read(context.Background(), []byte(strings.Replace(text, "|\n  e", "e", 1)), func(r *Reader) error {
		return r.Fields(func(name string) error {
			got = append(got, name)
			switch name {
			case "list":
				return r.Items(func() error {
					s, err := r.Text()
					got = append(got, "item "+s)
					return err
				})
			case "fields", "nothing":
				return r.Fields(func(name string) error {
					kind, err := r.Kind()
					if err != nil {
						return err
					}
					got = append(got, name)
					if kind == Mapping {
						return nil
					}
					s, err := r.Text()
					got = append(got, "text "+s)
					return err
				})
			}
			return nil
		})
	})
	want := []string{"name", "skipped", "list", "item 1", "item x", "item ", "fields", "f", "i", "text ", "j", "text x", "nothing"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for _, wrong := range []func(r *Reader) error{
		func(r *Reader) error { return r.Items(nil) },
		func(r *Reader) error { _, err := r.Text(); return err },
	} {
		if err := Read(context.Background(), []byte("a: b"), wrong); err == nil {
			t.Error("a mapping is taken for something else")
		}
	}
}

func TestReadingStopsWhenTheContextIsDone(t *testing.T) {
	for name, text := range map[string]string{
		"fields": strings.Repeat("a:\n", 1<<16), "blank lines": strings.Repeat("\n", 1<<18), "comments": strings.Repeat("# a\n", 1<<16),
		"items": "[" + strings.Repeat("a,", 1<<17) + "]", "a literal": "a: |\n" + strings.Repeat(" b\n", 1<<17), "a plain scalar": strings.Repeat("a\n", 1<<17), "a quote": "'" + strings.Repeat("a\n", 1<<17) + "'",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		err := Read(ctx, []byte(text), func(r *Reader) error { return r.Skip() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// unlike matches what YAML 1.1 and 1.2 read differently.
var unlike = regexp.MustCompile("[\u0085\u2028\u2029\uFEFF]|:[,\\[\\]{}?]|\\?|\t")

// FuzzRead compares what is read with what the library makes of it.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("../project/npmlock/testdata/*/*.yaml")
	yarn, _ := filepath.Glob("../project/npmlock/testdata/berry*/yarn.lock")
	for _, file := range append(files, yarn...) {
		data := filetest.Read(f, file)
		f.Add(string(data))
	}
	for _, text := range documents {
		f.Add(text)
	}
	for _, text := range broken {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_ = Read(context.Background(), []byte(text), func(r *Reader) error { return r.Skip() })
		got, err := values(text)
		if err != nil || len(text) > 4096 || unlike.MatchString(text) {
			return
		}
		want, err := libraryValue(text)
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("got  %#v\nwant %#v", got, want)
		}
	})
}

var errUnlike = errors.New("the library reads what Reader does not")

// libraryValue returns what Value returns for the document that the library
// reads.
func libraryValue(text string) (any, error) {
	var doc library.Node
	if err := library.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 {
		return nil, nil
	}
	return ofLibrary(doc.Content[0], 0)
}

func ofLibrary(n *library.Node, depth int) (any, error) {
	if depth > 200 {
		return nil, errUnlike
	}
	plain := n.Style&(library.DoubleQuotedStyle|library.SingleQuotedStyle|library.LiteralStyle|library.FoldedStyle) == 0
	switch n.Kind {
	case library.AliasNode:
		return ofLibrary(n.Alias, depth+1)
	case library.ScalarNode:
		if plain && isNull([]byte(n.Value)) {
			return nil, nil
		}
		return scalar([]byte(n.Value), plain), nil
	case library.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			v, err := ofLibrary(c, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	}
	object, merged := map[string]any{}, []any(nil)
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		v, err := ofLibrary(n.Content[i+1], depth+1)
		if err != nil || key.Kind != library.ScalarNode {
			return nil, errors.Join(err, errUnlike)
		}
		if key.Value == "<<" && key.Style == 0 {
			merged = append(merged, v)
			continue
		}
		object[key.Value] = v
	}
	for _, m := range merged {
		if err := (&Reader{}).merge(object, m); err != nil {
			return nil, err
		}
	}
	return object, nil
}
