package modules

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestLargeFilesOfTheLibraryAreReadForTheNamesThatTheyDeclare(t *testing.T) {
	files := map[string]string{
		"typescript:lib/lib.esnext.full.d.ts": "/// <reference lib=\"es5\" />\n/// <reference lib=\"dom\" />\n/// <reference lib=\"dom.iterable\" />",
		"typescript:lib/lib.es5.d.ts":         "interface Plain { es5: 1 }",
		"typescript:lib/lib.dom.d.ts": "/// <reference lib=\"more\" />\n// " + strings.Repeat("x", large) +
			"\ninterface Element { dom: Plain }\ndeclare var document: { title: string };\n",
		"typescript:lib/lib.dom.iterable.d.ts": "interface Element { iterable: 1 }\ninterface Iterable { one: 1 }",
		"typescript:lib/lib.more.d.ts":         "interface More { more: 1 }",
	}
	node := map[string]string{"@types/node:index.d.ts": "interface Element { node: 1 }"}
	tests := []struct {
		name, src, want string
		with            map[string]string
		read            []string
	}{
		{"a name of the small files", "export interface X extends Plain {}", "X.es5", nil, nil},
		{"a name of no file", "export interface X extends Missing { a: 1 }", "X.a", nil, nil},
		{
			"a name of the large file and of one after it, in their order", "export interface X extends Element {}", "X.dom X.iterable", nil,
			[]string{"lib/lib.dom.d.ts", "lib/lib.dom.iterable.d.ts"},
		},
		{"a name of a file after the large one", "export interface X extends Iterable {}", "X.one", nil, []string{"lib/lib.dom.iterable.d.ts"}},
		{"the type of a variable", "export interface X extends Pick<typeof document, 'title'> {}", "X.title", nil, []string{"lib/lib.dom.d.ts"}},
		{
			"a name of a file that the large one refers to", "export interface X extends Pick<typeof document, 'title'>, More {}", "X.title X.more", nil,
			[]string{"lib/lib.dom.d.ts", "lib/lib.more.d.ts"},
		},
		{
			"declarations of Node.js, which add to all of them", "export interface X extends Element {}", "X.dom X.iterable X.node", node,
			[]string{"lib/lib.dom.d.ts", "lib/lib.dom.iterable.d.ts", "lib/lib.more.d.ts"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := maps.Clone(files)
			maps.Copy(all, tt.with)
			all["index.d.ts"] = tt.src
			r := newWorld(all).reader(t)
			doc, err := r.Read(".")
			if err != nil || len(doc.Symbols) != 1 {
				t.Fatalf("%v, %v", doc, err)
			}
			var got []string
			for _, m := range doc.Symbols[0].Members {
				got = append(got, m.Path)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
			var read []string
			for f := range r.files {
				if strings.HasPrefix(f.path, "lib/lib.dom") || strings.HasPrefix(f.path, "lib/lib.more") {
					read = append(read, f.path)
				}
			}
			if slices.Sort(read); !slices.Equal(read, tt.read) {
				t.Errorf("read %v, want %v", read, tt.read)
			}
		})
	}
}

func TestNamesThatLinesDeclare(t *testing.T) {
	src := "interface A<T> {\n    type: B;\n}\r\ndeclare const enum C { D }\n\tdeclare  var E: F;\ndeclare function g(): H;\ntype I=J;\n * the class K\ndeclare abstract class L\ndeclare namespace M.N {"
	got := slices.Sorted(maps.Keys(declaredNames(src)))
	for _, name := range []string{"A", "C", "E", "g", "I", "L", "M"} {
		if !slices.Contains(got, name) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range []string{"B", "D", "F", "H", "J", "K", "T", "N"} {
		if slices.Contains(got, name) {
			t.Errorf("%s is declared nowhere", name)
		}
	}
}
