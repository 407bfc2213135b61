package python

import (
	"io/fs"
	"net/url"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/project/pep508"
)

// FuzzPage reads hostile pages of indexes: every result must be a file of the project
// with a URL that can be requested.
func FuzzPage(f *testing.F) {
	base := &url.URL{Scheme: "https", Host: "index.example", Path: "/simple/till/"}
	f.Fuzz(func(t *testing.T, data string) {
		p, err := parsePage(strings.NewReader(data), base, "till")
		if err != nil {
			return
		}
		for _, r := range p.Files {
			u, err := url.Parse(r.URL)
			name, ok := parseFileName(r.File)
			if err != nil || !ok || name.Name != "till" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "file" {
				t.Errorf("%+v", r)
			}
		}
		p.close("1.0")
		finder := &finder{target: target{python: "3.11.7", platform: "linux/amd64"}}
		if version := finder.newest(p, nil); version != "" && finder.bestFile(p, version, nil) == nil {
			t.Errorf("%s has no file", version)
		}
	})
}

// FuzzFileName parses hostile file names.
func FuzzFileName(f *testing.F) {
	f.Fuzz(func(t *testing.T, file string) {
		name, ok := parseFileName(file)
		if !ok {
			return
		}
		if strings.ContainsAny(file, `/\`) || name.Name == "" || name.Name != pep508.Normalize(name.Name) || name.Wheel != (len(name.Tags) > 0) {
			t.Errorf("%q is %+v", file, name)
		}
		if version := versionIn(file); version != name.Version {
			t.Errorf("%q has version %q instead of %q", file, version, name.Version)
		}
		tags := target{python: "3.11.7", platform: "darwin/arm64"}
		tags.rank(&name)
	})
}

// FuzzMetadata reads hostile METADATA and RECORD files.
func FuzzMetadata(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		m := parseMetadata(text)
		for _, r := range m.Requires {
			if !pep508.ValidName(r.Name) {
				t.Errorf("%q is required", r.Name)
			}
		}
		files := parseRecord(text)
		for _, name := range files {
			if !fs.ValidPath(name) {
				t.Errorf("%q is a file", name)
			}
		}
		for _, module := range topModules(files) {
			if !validModule(module) {
				t.Errorf("%q is a module", module)
			}
		}
		if module := primaryModule("x-y", topModules(files), files); module != "" && !validModule(module) {
			t.Errorf("%q stands for the distribution", module)
		}
	})
}

// FuzzClassGraph reads hostile code: every class and import must be resolved.
func FuzzClassGraph(f *testing.F) {
	f.Add(strings.Repeat("A = A.a\nA = B\nB = A.b\nfrom . import A\nfrom . import *\n", 100)+"class C(A): ...\n", "C")
	f.Add("from .a import (B as C, *)\nimport d.e as f, g\nclass H(C[int], f.I, metaclass=J): ...\nK = C if g else H\nclass C(K): ...\n", "H")
	f.Fuzz(func(t *testing.T, code, name string) {
		g := newClassGraph()
		file := g.addFile(codeFile{root: t.TempDir(), name: "a/__init__.py", project: true, near: true}, []byte(code))
		g.files[file].scope = readScope([]byte(code))
		classes := g.lookup("a", name, true, true)
		for c := range classes {
			if g.files[g.classes[c].file].name != "a/__init__.py" {
				t.Errorf("class %d is in no file", c)
			}
		}
		g.addHeirs(classes, name, true, true)
		g.addBases(classes, nil)
	})
}
