package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
)

// packages contains invented packages by name.
type packages map[string]*apidoc.Package

func (p packages) Describe(_ context.Context, _ string, q ecosystem.Query) (*apidoc.Package, error) {
	switch found := p[q.Package]; {
	case q.Package == "example.com/down":
		return nil, &ecosystem.Error{Reason: ecosystem.Unreachable, What: "the registry does not answer"}
	case strings.HasPrefix(q.Package, "example.com/offline/"):
		return nil, &ecosystem.Error{Reason: ecosystem.Unreachable, What: q.Package + ecosystem.NotHere, Next: "allow network access"}
	case found == nil:
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no package " + q.Package, Near: []string{"example.com/web"}}
	default:
		return found, nil
	}
}

func web() packages {
	p := &apidoc.Package{
		Name: "example.com/web", Version: "v1.2.0", LocalName: "web", Style: apidoc.Style{Name: "Go", Syntax: godoc.Syntax{}},
		Provenance: apidoc.Provenance{Source: "module cache", ChosenBy: "go.mod"},
		Symbols: []apidoc.Symbol{
			{Path: "Get", Kind: apidoc.Func, File: "web.go", Signature: "func Get(url string, options ...Option) (*Page, error)"},
			{Path: "Put", Kind: apidoc.Func, File: "web.go", Signature: "func Put(url, body string) error", Deprecated: "use\nSend"},
			{Path: "Post", Kind: apidoc.Func, File: "web.go", Signature: "func Post(url string) error", Deprecated: "use Send"},
			{Path: "Post", Kind: apidoc.Func, File: "web.go", Signature: "func Post(page *Page) error"},
			{Path: "Page", Kind: apidoc.Type, Signature: "type Page struct {\n\tTitle string\n}", Members: []apidoc.Symbol{
				{Path: "Page.Title", Kind: apidoc.Field, Signature: "Title string"}, {Path: "Page.Text", Kind: apidoc.Method, Signature: "func (p *Page) Text() string"},
			}},
		},
		Internal: []apidoc.Symbol{{Path: "Option", Kind: apidoc.Type, Signature: "type Option func()"}},
	}
	dynamic := &apidoc.Package{Name: "example.com/dynamic", Dynamic: "it makes names at run time", Style: p.Style}
	return packages{p.Name: p, dynamic.Name: dynamic}
}

func run(t *testing.T, files map[string]string) *check.Report {
	t.Helper()
	c := &check.Checker{Packages: web(), Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	r, err := c.Files(t.Context(), t.TempDir(), names, func(name string) ([]byte, error) {
		if files[name] == "" {
			return nil, errors.New("it is gone")
		}
		return []byte(files[name]), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const head = "package main\n\nimport \"example.com/web\"\n\n"

func TestFiles_Findings(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       []string // position, kind and a part of the message of each expected finding
	}{
		{"fine", "var p, _ = web.Get(\"x\")\nvar q = web.Page{Title: \"\"}\n", nil},
		{"a name that is absent", "var p = web.Fetch(\"x\")\n", []string{"5:13 name example.com/web@v1.2.0 has no Fetch"}},
		{"a name that is not exported", "var o web.Option\n", []string{"5:11 not-public example.com/web@v1.2.0 has Option"}},
		{"too few arguments", "var p, _ = web.Get()\n", []string{"5:16 call needs an argument for url"}},
		{"too many arguments", "func f() { web.Put(1, 2, 3) }\n", []string{"5:16 deprecated Put is deprecated: use Send", "5:16 call takes 2 arguments, but 3"}},
		{"an overload that is deprecated", "func f() { web.Post(nil) }\n", nil},
		{"variadic", "var p, _ = web.Get(\"x\", nil, nil, nil)\n", nil},
		{"arguments that cannot be counted", "func f() { web.Get(g()) }\n", nil},
		{"a field that is absent", "var q = web.Page{\n\tTitel: \"\",\n}\n", []string{"6:2 field has no field Titel"}},
		{"ignored", "var p = web.Fetch(1) // docent:ignore it is generated\n// docent:ignore generated, too\nvar q = web.Fetch(2)\nvar r = web.Fetch(3) // docent:ignore\n", []string{"8:13 name no Fetch"}},
		{"syntax", "var p = web.Get(\n", []string{"5:18 syntax"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, map[string]string{"main.go": head + tt.code})
			if len(r.Findings) != len(tt.want) {
				t.Fatalf("found %+v, want %v", r.Findings, tt.want)
			}
			for i, f := range r.Findings {
				place, message, _ := strings.Cut(tt.want[i], " ")
				kind, message, _ := strings.Cut(message, " ")
				if f.File != "main.go" || place != strings.Join([]string{itoa(f.Line), itoa(f.Column)}, ":") || kind != string(f.Kind) || !strings.Contains(f.Message, message) {
					t.Errorf("found %+v, want %v", f, tt.want)
				}
			}
		})
	}
}

// finder is a language whose packages have names that they do not declare.
type finder struct{ *golang.Golang }

func (finder) FindNames(context.Context, string) func(*ecosystem.SourceFile, string, string) bool {
	return func(f *ecosystem.SourceFile, pkg, name string) bool {
		return f.Name == "main.go" && pkg == "example.com/web" && name == "Fetch"
	}
}

func TestFiles_FoundNames(t *testing.T) {
	c := &check.Checker{Packages: web(), Languages: ecosystem.Languages{finder{golang.New(ecosystem.Options{Offline: true})}}}
	r, err := c.Files(t.Context(), t.TempDir(), []string{"main.go"}, func(string) ([]byte, error) {
		return []byte(head + "var p = web.Fetch(\"x\")\nvar q = web.Fetsh(\"x\")\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Use != "web.Fetsh" || r.Undecided != 1 {
		t.Errorf("found %+v, undecided: %d", r.Findings, r.Undecided)
	}
}

// tolerant is a language whose compiler accepts deprecated names in the last lines of a file.
type tolerant struct{ *golang.Golang }

func (tolerant) AcceptsDeprecated(*ecosystem.SourceFile) func(line int) bool {
	return func(line int) bool { return line >= 6 }
}

func TestFiles_DeprecatedCode(t *testing.T) {
	c := &check.Checker{Packages: web(), Languages: ecosystem.Languages{tolerant{golang.New(ecosystem.Options{Offline: true})}}}
	r, err := c.Files(t.Context(), t.TempDir(), []string{"main.go"}, func(string) ([]byte, error) {
		return []byte(head + "var p = web.Put(\"x\", \"\")\nvar q = web.Put(\"x\", \"\")\nvar r = web.Missing\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 2 || r.Findings[0].Kind != check.Deprecated || r.Findings[0].Line != 5 || r.Findings[1].Kind != check.Name {
		t.Errorf("found %+v", r.Findings)
	}
}

func itoa(n int) string { data, _ := json.Marshal(n); return string(data) }

func TestFiles_Packages(t *testing.T) {
	r := run(t, map[string]string{
		"a.go": "package a\nimport \"example.com/wob\"\nimport \"example.com/down\"\nimport \"example.com/dynamic\"\nvar _, _ = wob.X, wob.Y\nvar _, _ = down.X, dynamic.X\n",
		"b.go": "", "c.txt": "text",
	})
	if len(r.Findings) != 1 || r.Findings[0].Kind != check.Package || r.Findings[0].Line != 2 || !slices.Equal(r.Findings[0].Near, []string{"example.com/web"}) {
		t.Errorf("found %+v", r.Findings)
	}
	if len(r.Problems) != 2 || r.Files != 1 || r.Undecided != 6 || r.Uses != 7 {
		t.Errorf("the report is %+v", r)
	}
}

// TestFiles_Offline checks that one problem lists the packages that are not on this machine.
func TestFiles_Offline(t *testing.T) {
	for source, want := range map[string]string{
		"import (\n_ \"example.com/offline/kite\"\n_ \"example.com/offline/glue\"\n)\n": "example.com/offline/glue, example.com/offline/kite are not on this machine, and network access is disabled; allow network access",
		"import _ \"example.com/offline/glue\"\n":                                       "example.com/offline/glue is not on this machine, and network access is disabled; allow network access",
	} {
		r := run(t, map[string]string{"a.go": "package a\n" + source, "b.go": "package a\n" + source})
		if !slices.Equal(r.Problems, []string{want}) {
			t.Errorf("the problems are %q, want %q", r.Problems, want)
		}
	}
}

func TestFiles_Undeclared(t *testing.T) {
	packages := web()
	packages["example.com/web"].Provenance.Unused = true
	c := &check.Checker{Packages: packages, Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	r, err := c.Files(t.Context(), t.TempDir(), []string{"a.go"}, func(string) ([]byte, error) { return []byte(head + "var p, _ = web.Get(web.X)\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Kind != check.Undeclared || r.Findings[0].Line != 3 || r.Findings[0].Message != "the project does not depend on example.com/web; add the dependency, or remove the import" || r.Undecided != 2 {
		t.Errorf("found %+v", r.Findings)
	}
	if r.Fails("error") || !r.Fails("warning") {
		t.Error("it is not a warning")
	}
}

// listed is Go for projects that depend on example.com/website.
type listed struct{ *golang.Golang }

func (listed) Dependencies(string) ([]ecosystem.Dependency, error) {
	return []ecosystem.Dependency{{Package: "example.com/website"}}, nil
}

func TestFiles_MisspelledDependency(t *testing.T) {
	packages := web()
	packages["example.com/wbesite"] = packages["example.com/web"]
	packages["example.com/wbesite"].Provenance.Unused = true
	c := &check.Checker{Packages: packages, Languages: ecosystem.Languages{listed{golang.New(ecosystem.Options{Offline: true})}}}
	r, err := c.Files(t.Context(), t.TempDir(), []string{"a.go"}, func(string) ([]byte, error) { return []byte("package a\n\nimport _ \"example.com/wbesite\"\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || !slices.Equal(r.Findings[0].Near, []string{"example.com/website"}) || strings.Contains(r.Findings[0].Message, "add the dependency") {
		t.Errorf("found %+v", r.Findings)
	}
}

func TestFiles_UndeclaredThoughDependenciesUseIt(t *testing.T) {
	packages := web()
	packages["example.com/web"].Provenance.Undeclared = "go.mod does not require example.com/web"
	c := &check.Checker{Packages: packages, Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	r, err := c.Files(t.Context(), t.TempDir(), []string{"a.go"}, func(string) ([]byte, error) { return []byte(head + "var p, _ = web.Gett(web.X)\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) < 2 || r.Findings[0].Kind != check.Undeclared || r.Findings[0].Line != 3 || r.Findings[0].Message != "go.mod does not require example.com/web" || r.Findings[1].Kind != check.Name {
		t.Errorf("found %+v", r.Findings)
	}
}

// ownPlace is Go, but every import may refer to one of the project's own packages.
type ownPlace struct{ *golang.Golang }

func (ownPlace) Own(_ string, paths iter.Seq[string]) func(string) bool {
	return func(pkg string) bool {
		return slices.Contains(slices.Collect(paths), "tests/"+strings.ReplaceAll(pkg, "/", "_")+".go")
	}
}

func TestFiles_OwnPackages(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/tests", 0o755); err != nil {
		t.Fatal(err)
	}
	packages := web()
	packages["example.com/web"].Provenance.Unused = true
	c := &check.Checker{Packages: packages, Languages: ecosystem.Languages{ownPlace{golang.New(ecosystem.Options{Offline: true})}}}
	for name, want := range map[string]int{"example.com_web": 1, "example.com_wob": 1, "other": 2} { // web is undeclared, and wob does not exist
		file := dir + "/tests/" + name + ".go"
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := c.Files(t.Context(), dir, []string{"a.go"}, func(string) ([]byte, error) {
			return []byte("package a\n\nimport (\n\t\"example.com/web\"\n\t\"example.com/wob\"\n)\n\nvar _, _ = web.X, wob.X\n"), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != want {
			t.Errorf("with tests/%s.go: %d findings, want %d: %+v", name, len(r.Findings), want, r.Findings)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFiles_Unsure(t *testing.T) {
	c := &check.Checker{Packages: unsure{}, Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	r, err := c.Files(t.Context(), t.TempDir(), []string{"a.go"}, func(string) ([]byte, error) { return []byte("package a\nimport \"example.com/wob\"\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Kind != check.Undeclared || r.Findings[0].Message != "no package, but another distribution may contain it" {
		t.Errorf("found %+v", r.Findings)
	}
	c.Packages = unsure{foreign: true} // the package is from a workspace or from git
	if r, err = c.Files(t.Context(), t.TempDir(), []string{"a.go"}, func(string) ([]byte, error) { return []byte("package a\nimport \"example.com/wob\"\n"), nil }); err != nil || len(r.Findings) != 0 || r.Undecided != 1 {
		t.Errorf("of a package from elsewhere: %+v, %v", r, err)
	}
}

// unsure is a source of packages that does not know where packages are located.
type unsure struct{ foreign bool }

func (u unsure) Describe(context.Context, string, ecosystem.Query) (*apidoc.Package, error) {
	return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no package", Unsure: true, Foreign: u.foreign}
}

func TestReport_SourceInTheProject(t *testing.T) {
	dir := t.TempDir()
	packages := web()
	packages["example.com/web"].Provenance.Location = filepath.Join(dir, "vendor", "web")
	c := &check.Checker{Packages: packages, Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	r, err := c.Files(t.Context(), dir, []string{"a.go"}, func(string) ([]byte, error) { return []byte(head + "var p = web.Gett\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	if want := "\tread from example.com/web@v1.2.0 (module cache " + filepath.Join("vendor", "web") + ", chosen by go.mod)\n"; !strings.Contains(text.String(), want) {
		t.Errorf("the text is\n%s\nwant %q in it", &text, want)
	}
	if want := "module cache " + filepath.Join(dir, "vendor", "web") + ", chosen by go.mod"; len(r.Findings) != 1 || r.Findings[0].Source != want {
		t.Errorf("found %+v, want the source %q", r.Findings, want)
	}
}

// TestReport_HostileNames checks that the name of a file cannot add a line to a report or control a terminal.
func TestReport_HostileNames(t *testing.T) {
	r := check.Report{Findings: []check.Finding{{File: "a\r\nb\x1b[31m\u202e\u00e9\xff.go", Position: ecosystem.Position{Line: 1, Column: 2}, Kind: check.Name, Message: "absent"}}}
	var text, github strings.Builder
	if err := errors.Join(r.Text(&text), r.GitHub(&github)); err != nil {
		t.Fatal(err)
	}
	const name = `a\r\nb\x1b[31m\u202e` + "\u00e9\ufffd.go"
	if want := name + ":1:2: name: absent\n"; !strings.HasPrefix(text.String(), want) {
		t.Errorf("the text is %q, want %q first", text.String(), want)
	}
	if want := "::error file=" + name + ",line=1,"; !strings.HasPrefix(github.String(), want) {
		t.Errorf("the annotation is %q, want %q first", github.String(), want)
	}
}

func TestReport_AbsentPackages(t *testing.T) {
	const tried = "the module cache, the index"
	r := check.Report{Findings: []check.Finding{
		{Kind: check.Package, Message: "there is no package wob", Package: "wob", Source: tried, Near: []string{"web"}},
		{Kind: check.Package, Message: "there is no package wab", Package: "wab", Source: tried},
		{Kind: check.Undeclared, Message: "no package wub, but another distribution may contain it", Package: "wub", Source: "the environment"},
		{Kind: check.Undeclared, Message: "the project does not depend on web", Package: "web", Version: "1.0", Source: "index"},
	}}
	var text strings.Builder
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	const want = ":0:0: package: there is no package wob\n\tdid you mean web?\n\tlooked in the module cache, the index\n" +
		":0:0: package: there is no package wab\n" +
		":0:0: undeclared: no package wub, but another distribution may contain it\n\tlooked in the environment\n" +
		":0:0: undeclared: the project does not depend on web\n\tread from web@1.0 (index)\n"
	if !strings.HasPrefix(text.String(), want) {
		t.Errorf("the text is\n%s\nwant\n%s", &text, want)
	}
}

func TestReport_Formats(t *testing.T) {
	r := run(t, map[string]string{"main.go": head + "var p = web.Gett(\"x\")\nfunc f() { web.Put(1, 2) }\nvar é = \"😀\" + web.Gett()\n", "pkg:a/b c.go": "package a\nimport \"example.com/down\"\nvar x = y(\n"})
	r.Below("sub")
	const note = "Rust: calls are not checked"
	r.Notes = append(r.Notes, note)
	var text, github, sarif bytes.Buffer
	if err := errors.Join(r.Text(&text), r.GitHub(&github), r.SARIF(&sarif, "v1.0.0")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"sub/main.go:5:13: name: example.com/web@v1.2.0 has no Gett\n\tdid you mean Get?\n\tdeclared as Get: func Get(",
		"\tread from example.com/web@v1.2.0 (module cache, chosen by go.mod)\n",
		"\ndocent: " + note + "\n4 findings in 2 files, 5 uses of packages, 1 of them not checked\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
	if n := strings.Count(text.String(), "(module cache, chosen by go.mod)"); n != 1 || strings.Count(text.String(), "read from example.com/web@v1.2.0\n") != 1 || strings.Count(text.String(), "has no Gett\n\tdid you mean Get?\n\tdeclared as ") != 2 {
		t.Errorf("the text shows the source %d times, want once, although it names the package of each finding once:\n%s", n, &text)
	}
	if !strings.HasPrefix(github.String(), "::error file=sub/main.go,line=5,col=13,title=docent name::example.com/web@v1.2.0 has no Gett") || !strings.Contains(github.String(), "\n::warning file=sub/main.go,line=6") {
		t.Errorf("the annotations are\n%s", &github)
	}
	var log struct {
		Version string
		Runs    []struct {
			Invocations []struct {
				ToolExecutionNotifications []struct{ Message struct{ Text string } }
			}
			Results []struct {
				RuleID, Level string
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(sarif.Bytes(), &log); err != nil || log.Version != "2.1.0" || len(log.Runs[0].Results) != 4 {
		t.Fatalf("%v: %s", err, &sarif)
	}
	if result := log.Runs[0].Results[0]; result.RuleID != "name" || result.Level != "error" || result.Locations[0].PhysicalLocation.Region.StartColumn != 13 {
		t.Errorf("the result is %+v", result)
	}
	if region := log.Runs[0].Results[2].Locations[0].PhysicalLocation.Region; region.StartLine != 7 || region.StartColumn != 19 {
		t.Errorf("columns count characters, but the region is %+v", region)
	}
	if file := log.Runs[0].Results[3].Locations[0].PhysicalLocation.ArtifactLocation; file.URI != "sub/pkg%3Aa/b%20c.go" || file.URIBaseID != "%SRCROOT%" {
		t.Errorf("the file is %+v", file)
	}
	const problem = "the registry does not answer"
	if all := log.Runs[0].Invocations[0].ToolExecutionNotifications; len(all) != 2 || all[0].Message.Text != problem || all[1].Message.Text != note ||
		!strings.Contains(github.String(), "\n::warning title=docent::"+problem+"\n::notice title=docent::"+note+"\n4 findings") {
		t.Errorf("the problems and notes are %+v\n%s", all, &github)
	}
	if !r.Fails("error") || !r.Fails("warning") || r.Fails("never") {
		t.Error("a report with errors fails unless it never does")
	}
	if only := (&check.Report{Findings: []check.Finding{{Kind: check.Deprecated}}}); only.Fails("error") || !only.Fails("warning") {
		t.Error("deprecations are warnings")
	}
}

func TestTree_LeavesOut(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"a.go": "", "b.txt": "", "in/c.go": "", "in/node_modules/d.go": "", "vendor/e.go": "", ".hidden/f.go": "", "gen/g.go": "", "gen/keep/h.go": "", "in/skip.go": "", "in/deep/skip.go": "",
		".gitignore": "# built\n/gen/*\n!/gen/keep\n", "in/.gitignore": "/skip.go\n",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c := &check.Checker{Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	for dir, want := range map[string][]string{
		".":  {"a.go", "gen/keep/h.go", "in/c.go", "in/deep/skip.go"},
		"in": {"in/c.go", "in/deep/skip.go"},
	} {
		got, more, err := c.Tree(fsys, dir)
		if err != nil || more || !slices.Equal(got, want) {
			t.Errorf("the files of %s are %v, %v, %v; want %v", dir, got, more, err, want)
		}
	}
	if _, _, err := c.Tree(fsys, "missing"); err == nil {
		t.Error("a directory that is missing can be listed")
	}
}

// fixedTypes is a TypeChecker that finds the same uses in each project.
type fixedTypes struct {
	ecosystem.TypeChecker
	uses []ecosystem.TypedUse
}

func (f fixedTypes) Types(context.Context, string) (ecosystem.Types, error) {
	return fixedUses(f.uses), nil
}

type fixedUses []ecosystem.TypedUse

func (u fixedUses) Uses(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	return map[*ecosystem.SourceFile][]ecosystem.TypedUse{files[0]: u}
}

// TestTypes_Present counts the members that exist, except those of packages, which may be deprecated.
func TestTypes_Present(t *testing.T) {
	use := func(pkg string, fault ecosystem.Fault) ecosystem.TypedUse {
		return ecosystem.TypedUse{Use: ecosystem.Use{Package: pkg, Text: "a"}, Fault: fault}
	}
	for _, tt := range []struct{ uses, want []ecosystem.TypedUse }{
		{nil, nil},
		{[]ecosystem.TypedUse{use("", ecosystem.NoFault)}, []ecosystem.TypedUse{{Present: 1}}},
		{
			[]ecosystem.TypedUse{use("", ecosystem.NoFault), use("p", ecosystem.NoFault), use("", ecosystem.AbsentFault), use("", ecosystem.NoFault)},
			[]ecosystem.TypedUse{use("p", ecosystem.NoFault), use("", ecosystem.AbsentFault), {Present: 2}},
		},
	} {
		got, err := check.Types(t.Context(), "go", fixedTypes{uses: tt.uses}, "", [][]*ecosystem.SourceFile{{{Name: "a.go"}}})
		if err != nil || !reflect.DeepEqual(got, [][][]ecosystem.TypedUse{{tt.want}}) {
			t.Errorf("the uses are %+v (%v), want %+v", got, err, tt.want)
		}
	}
}

func TestFiles_Types(t *testing.T) {
	use := func(column int, path string, fault ecosystem.Fault, message string) ecosystem.TypedUse {
		return ecosystem.TypedUse{Use: ecosystem.Use{Position: ecosystem.Position{Line: 5, Column: column}, Package: "example.com/web", Path: path, Text: path}, Fault: fault, Message: message}
	}
	field := use(5, "Page", ecosystem.FieldsFault, "")
	field.Fields = []ecosystem.Field{{Position: field.Position, Name: "Titel"}}
	own := use(8, "main.Own", ecosystem.AbsentFault, "")
	own.Package, own.Near = "example.com/own", []string{"main.Owner"}
	unknown := use(9, "Titel", ecosystem.AbsentFault, "nothing declares Titel")
	unknown.Package = ""
	similar := use(10, "Page.Txet", ecosystem.AbsentFault, "Page has no member Txet")
	similar.Near = []string{"Text"}
	internal := use(11, "fold(_:)", ecosystem.ArgumentsFault, "it takes 1 argument, but 2 are passed")
	internal.Declaration = "func fold(_ n: Int)"
	uses := []ecosystem.TypedUse{
		use(1, "Page.Text", ecosystem.NoFault, ""), use(2, "Page.Txt", ecosystem.AbsentFault, ""), use(3, "Page.hidden", ecosystem.UnexportedFault, ""),
		use(4, "Page.Text", ecosystem.ArgumentsFault, "it takes 0 arguments, but 1 is passed"), field, use(6, "Get", ecosystem.TypeFault, "cannot use 1"),
		use(7, "Put", ecosystem.NoFault, ""), own, unknown, similar, internal, {Present: 5},
	}
	c := &check.Checker{Packages: web(), Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	c.Types = func(context.Context, apidoc.Ecosystem, ecosystem.TypeChecker, string, [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
		return [][][]ecosystem.TypedUse{{uses}}, nil
	}
	read := func(string) ([]byte, error) { return []byte("package main\n"), nil }
	r, err := c.Files(t.Context(), t.TempDir(), []string{"main.go"}, read)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2 name example.com/web@v1.2.0 has no Page.Txt", "3 not-public example.com/web@v1.2.0 has Page.hidden but does not export it",
		"4 call Page.Text takes 0 arguments, but 1 is passed", "5 field Page has no field Titel", "6 type cannot use 1",
		"7 deprecated Put is deprecated: use Send", "8 name example.com/own has no main.Own", "9 name nothing declares Titel",
		"10 name Page has no member Txet", "11 call fold(_:) takes 1 argument, but 2 are passed",
	}
	var got []string
	for _, f := range r.Findings {
		got = append(got, itoa(f.Column)+" "+string(f.Kind)+" "+f.Message)
	}
	if !slices.Equal(got, want) || r.Uses != 16 || r.Undecided != 0 {
		t.Errorf("found %q, want %q; %+v", got, want, r)
	}
	if f := r.Findings[8]; f.Declaration != "func (p *Page) Text() string" || f.Source == "" {
		t.Errorf("the evidence of %s is %q in %q, want the declaration of Text", f.Message, f.Declaration, f.Source)
	}
	if f := r.Findings[9]; f.Declaration != internal.Declaration {
		t.Errorf("the evidence of %s is %q, want the declaration that the type check found", f.Message, f.Declaration)
	}
	if near := r.Findings[6].Near; !slices.Equal(near, own.Near) {
		t.Errorf("names like main.Own are %q, want those of the type check, %q", near, own.Near)
	}
	c.Types = func(context.Context, apidoc.Ecosystem, ecosystem.TypeChecker, string, [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
		return nil, errors.New("it takes too long")
	}
	if r, err = c.Files(t.Context(), t.TempDir(), []string{"main.go"}, read); err != nil || len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "it takes too long") {
		t.Errorf("the report is %+v, %v", r, err)
	}
	c.Types = func(context.Context, apidoc.Ecosystem, ecosystem.TypeChecker, string, [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
		return [][][]ecosystem.TypedUse{{uses}}, &ecosystem.PartialError{Reason: "calls are not checked"}
	}
	if r, err = c.Files(t.Context(), t.TempDir(), []string{"main.go"}, read); err != nil || len(r.Findings) != len(want) || len(r.Problems) != 0 || !slices.Equal(r.Notes, []string{"Go: calls are not checked"}) {
		t.Errorf("with partial types, the report is %+v, %v", r, err)
	}
}

func TestFiles_OneFindingForAnImportThatTypesAlsoReport(t *testing.T) {
	unused := *web()["example.com/web"]
	unused.Name, unused.Provenance.Unused = "example.com/unused", true
	all := web()
	all[unused.Name] = &unused
	c := &check.Checker{Packages: all, Languages: ecosystem.Languages{golang.New(ecosystem.Options{Offline: true})}}
	c.Types = func(context.Context, apidoc.Ecosystem, ecosystem.TypeChecker, string, [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
		var uses []ecosystem.TypedUse
		for line := 3; line <= 4; line++ {
			uses = append(uses, ecosystem.TypedUse{Use: ecosystem.Use{Position: ecosystem.Position{Line: line, Column: 8}}, Fault: ecosystem.AbsentFault, Message: "nothing is named so"})
		}
		return [][][]ecosystem.TypedUse{{uses}}, nil
	}
	read := func(string) ([]byte, error) {
		return []byte("package main\n\nimport \"example.com/unused\"\nimport \"example.com/absent\"\n"), nil
	}
	r, err := c.Files(t.Context(), t.TempDir(), []string{"main.go"}, read)
	if err != nil || len(r.Findings) != 2 || r.Findings[0].Kind != check.Name || r.Findings[1].Kind != check.Package {
		t.Errorf("found %+v, %v; want an absent name in line 3, and an absent package in line 4", r, err)
	}
}

func TestReport_WithoutFiles(t *testing.T) {
	var b strings.Builder
	if err := run(t, nil).Text(&b); err != nil || b.String() != "no source files to check\n" {
		t.Errorf("the text is %q, %v", b.String(), err)
	}
}
