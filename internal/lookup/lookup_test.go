package lookup

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/store"
)

// shelves is a language with a few packages, and a project in one directory.
type shelves struct {
	ecosystem.Language
	id       apidoc.Ecosystem
	packages map[string]*apidoc.Package
	read     []string
	style    apidoc.Style
	popular  string
}

func (s *shelves) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: s.id, ProjectFiles: []string{"app.lock"}, Style: s.style, Popular: s.popular}
}

func (s *shelves) HasProject(dir string) bool { return dir == "/src/"+string(s.id) }

func (s *shelves) Names(string, string, int) []string {
	var names []string
	for name := range s.packages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *shelves) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	name, _, _ := strings.Cut(q.Package, "@")
	p := s.packages[name]
	if p == nil {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no package " + q.Package}
	}
	s.read = append(s.read, name)
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) { copied := *p; return &copied, nil }}, nil
}

func pkg(name, module string, below []string, symbols ...string) *apidoc.Package {
	p := &apidoc.Package{Name: name, Module: module, Version: "v1", LocalName: name[strings.LastIndexByte(name, '/')+1:], Provenance: apidoc.Provenance{ChosenBy: "lock of app"}}
	for _, s := range symbols {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: s, Kind: apidoc.Func, Signature: "func " + s + "()", Doc: s + " does it."})
	}
	for _, s := range below {
		p.Subpackages = append(p.Subpackages, apidoc.Subpackage{Name: s})
	}
	return p
}

// beta makes the version of p a prerelease.
func beta(p *apidoc.Package) *apidoc.Package {
	p.Version = "v1.0.0-beta.1"
	return p
}

func lookups() (*Lookup, *shelves) {
	one := &shelves{id: "go", style: apidoc.Style{Syntax: godoc.Syntax{}}, packages: map[string]*apidoc.Package{}}
	for _, p := range []*apidoc.Package{
		pkg("example.com/fire", "example.com/fire", []string{"example.com/fire/auth", "example.com/fire/store"}, "Start"),
		pkg("example.com/fire/auth", "example.com/fire", nil, "SignIn", "SignOut"),
		pkg("example.com/fire/store", "example.com/fire", nil, "Save", "SignOut"),
		pkg("example.com/tool/v5", "example.com/tool/v5", nil, "Use"),
		pkg("example.com/till", "example.com/till", nil, "Use"), pkg("example.com/till/v9", "example.com/till/v9", nil, "Use"), pkg("example.com/till/v10", "example.com/till/v10", nil, "Use"),
		pkg("example.com/bell", "example.com/bell", nil, "Ring"), pkg("example.com/bell/v2", "example.com/bell/v2", nil, "Ring"), beta(pkg("example.com/bell/v3", "example.com/bell/v3", nil, "Ring")),
		beta(pkg("example.com/gong/v2", "example.com/gong/v2", nil, "Ring")), beta(pkg("example.com/gong/v3", "example.com/gong/v3", nil, "Ring")),
		pkg("example.com/hall/v2/api", "example.com/hall/v2", nil, "Enter"), pkg("example.com/hall/v2/api/v5", "example.com/hall/v2", nil, "Enter"),
		pkg("example.com/yard/v2/door/v7", "example.com/yard/v2", nil, "Shut"), pkg("example.com/yard/v3/door/v7", "example.com/yard/v3", nil, "Shut"),
		pkg("text/date", "std", nil, "Use"), pkg("text/date/v2", "std", nil, "Use"),
		pkg("crypto/rand", "std", nil, "Read"), pkg("math/rand", "std", nil, "Int"),
		pkg("example.com/a/internal/json", "example.com/a", nil, "Hidden"), pkg("encoding/json", "std", nil, "Marshal"),
	} {
		one.packages[p.Name] = p
	}
	other := &shelves{id: "npm", packages: map[string]*apidoc.Package{"hono": pkg("hono", "hono", nil, "route")}}
	return New(store.New(ecosystem.Languages{one, other}, store.Options{})), one
}

func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		name, pkg, symbols string
		want               []string // parts of the expected text or error
		fail               bool
	}{
		{"a small package with those below it", "example.com/fire", "", []string{"# example.com/fire@v1\n", "func Start()", "func SignIn()", "func Save()", "of example.com/fire and 2 packages below it"}, false},
		{"a symbol", "example.com/fire", "Start", []string{"# Start (func) in example.com/fire@v1\n"}, false},
		{"a symbol of another package of the module", "example.com/fire", "SignIn", []string{"# SignIn (func) in example.com/fire/auth@v1\n"}, false},
		{"the same asked of a package beside it", "example.com/fire/store", "SignIn", []string{"# SignIn (func) in example.com/fire/auth@v1\n"}, false},
		{"one that two packages have", "example.com/fire", "SignOut", []string{"example.com/fire/auth", "example.com/fire/store"}, false},
		{"one that the package has itself", "example.com/fire/store", "SignOut", []string{"# SignOut (func) in example.com/fire/store@v1\n"}, false},
		{"one that there is and one that there is not", "example.com/fire", "Start Stop", []string{"func Start()", "no symbol Stop in example.com/fire@v1"}, false},
		{"one that there is not", "example.com/fire", "Stop", []string{"no symbol Stop in example.com/fire@v1; the nearest are Start"}, true},
		{"the last part of a path", "fire", "Start", []string{"in example.com/fire@v1\n"}, false},
		{"the last part before a major version", "tool", "Use", []string{"in example.com/tool/v5@v1\n"}, false},
		{"the newest of several major versions", "till", "Use", []string{"in example.com/till/v10@v1\n"}, false},
		{"a major version among several", "till/v9", "Use", []string{"in example.com/till/v9@v1\n"}, false},
		{"a major version with prereleases only", "bell", "Ring", []string{"in example.com/bell/v2@v1\n"}, false},
		{"major versions with prereleases only", "gong", "Ring", []string{"in example.com/gong/v3@v1.0.0-beta.1\n"}, false},
		{"a package with a version below a module with one", "api", "Enter", []string{"in example.com/hall/v2/api@v1\n"}, false},
		{"a package with a version in several major versions", "door/v7", "Shut", []string{"in example.com/yard/v3/door/v7@v1\n"}, false},
		{"a package of the standard library with a successor", "date", "Use", []string{"in text/date@v1\n"}, false},
		{"a qualified symbol", "json.Marshal", "", []string{"# Marshal (func) in encoding/json@v1\n"}, false},
		{"a symbol behind a whole path", "encoding/json.Marshal", "", []string{"# Marshal (func) in encoding/json@v1\n"}, false},
		{"a last part that several have", "rand", "", []string{"rand can refer to any of crypto/rand, math/rand"}, true},
		{"several packages", "crypto/rand, math/rand", "", []string{"# crypto/rand@v1\n", "# math/rand@v1\n"}, false},
		{"symbols of several packages", "crypto/rand math/rand", "Read Int", []string{"## crypto/rand\n\n```go\n// Read does it.", "## math/rand\n\n```go\n// Int does it."}, false},
		{"qualified symbols of several packages", "json.Marshal, math/rand.Int", "", []string{"## encoding/json\n\n```go\n// Marshal does it.", "## math/rand\n\n```go\n// Int does it."}, false},
		{"a symbol of one of several packages that have the name", "crypto/rand, math/rand, encoding/json", "json.Marshal", []string{"# Marshal (func) in encoding/json@v1\n"}, false},
		{"several packages, one unknown", "math/rand, gone", "", []string{"# math/rand@v1\n", "no package gone"}, false},
		{"no such package", "gone", "", []string{"no package gone"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, _ := lookups()
			a, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: tt.pkg}, Symbols: tt.symbols})
			if (err != nil) != tt.fail {
				t.Fatal(err)
			}
			var text string
			if err != nil {
				text = err.Error()
			} else {
				text = a.Text
			}
			for _, part := range tt.want {
				if !strings.Contains(text, part) {
					t.Errorf("no %q in\n%s", part, text)
				}
			}
		})
	}
}

func TestASearchLooksThroughTheModule(t *testing.T) {
	l, _ := lookups()
	a, found, err := l.Search(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/fire"}, Query: "sign in; start; save; nonsense"})
	if err != nil || !found {
		t.Fatal(found, err)
	}
	for _, part := range []string{"**SignIn** in example.com/fire/auth", "\nfunc Start()", "**Save** in example.com/fire/store", `Nothing matches "nonsense"`} {
		if !strings.Contains(a.Text, part) {
			t.Errorf("no %q in\n%s", part, a.Text)
		}
	}
	if _, found, err := l.Search(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/fire"}, Query: "nonsense"}); found || err != nil {
		t.Error(found, err)
	}
}

// indexed is a language whose packages have several entry points and an index of them.
type indexed struct{ shelves }

func (x *indexed) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "npm", Indexes: true, ProjectFiles: []string{"app.lock"}, Style: apidoc.Style{Syntax: modules.Syntax{}}}
}

func (x *indexed) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if !q.Index {
		return x.shelves.Find(ctx, q)
	}
	all := &apidoc.Package{Name: q.Package, Module: q.Package, Version: "v1"}
	for _, name := range x.Names("", "", 0) {
		members := slices.Clone(x.packages[name].Symbols)
		for i := range members {
			members[i].Path, _ = apidoc.CutLabels(members[i].Path)
		}
		all.Symbols = append(all.Symbols, apidoc.Symbol{Path: name, Kind: "module", Members: members})
	}
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) { return all, nil }}, nil
}

func TestAnIndexLeadsToTheEntryPoint(t *testing.T) {
	x := &indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}
	var below []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "auth", "auth/deep", "table"} {
		name = "fire/" + name
		below = append(below, name)
		symbols := []string{"Only" + strings.ToUpper(name[len(name)-1:])}
		switch name {
		case "fire/auth", "fire/auth/deep":
			symbols = append(symbols, "signIn")
		case "fire/g":
			symbols = append(symbols, "copy(to:)")
		case "fire/table":
			symbols = append(symbols, "pgTable", "PgTable")
		}
		x.packages[name] = pkg(name, "fire", nil, symbols...)
	}
	// Two entry points export Row, but only one of them has the member.
	x.packages["fire/h"].Symbols = append(x.packages["fire/h"].Symbols, apidoc.Symbol{
		Path: "Row", Kind: apidoc.Class, Signature: "class Row",
		Members: []apidoc.Symbol{{Path: "Row.onConflict", Kind: apidoc.Method, Signature: "onConflict()"}},
	})
	x.packages["fire/auth"].Symbols = append(x.packages["fire/auth"].Symbols, apidoc.Symbol{
		Path: "Session", Kind: apidoc.Class, Signature: "class Session",
		Members: []apidoc.Symbol{{Path: "Session.renew", Kind: apidoc.Method, Signature: "renew()"}, {Path: "Session.end", Kind: apidoc.Method, Signature: "end()"}},
	})
	x.packages["fire"] = pkg("fire", "fire", below, "pgTABLE", "Row")
	for name, tt := range map[string]struct {
		symbols string
		want    []string
		read    []string
	}{
		"an export of another entry point":       {"signIn", []string{"signIn (func) in fire/auth"}, []string{"fire", "fire/auth"}},
		"rather than what is only alike here":    {"pgTable", []string{"pgTable (func) in fire/table"}, []string{"fire", "fire/table"}},
		"several":                                {"signIn, PgTable, pgTABLE", []string{"func signIn()", "func PgTable()", "func pgTABLE()"}, []string{"fire", "fire/auth", "fire/table"}},
		"all members of a type elsewhere":        {"Session.*", []string{"## Members of Session\n", "renew()\n", "end()\n"}, []string{"fire", "fire/auth"}},
		"behind the last name of an entry point": {"deep.signIn", []string{"signIn (func) in fire/auth/deep"}, []string{"fire", "fire/auth/deep"}},
		"with argument labels":                   {"copy(to:)", []string{"copy(to:) (func) in fire/g"}, []string{"fire", "fire/g"}},
		"a path that an entry point begins":      {"fire/auth/deep.signIn", []string{"signIn (func) in fire/auth/deep"}, []string{"fire", "fire/auth/deep"}},
	} {
		t.Run(name, func(t *testing.T) {
			x.read = nil
			l := New(store.New(ecosystem.Languages{x}, store.Options{}))
			a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "fire"}, Symbols: tt.symbols})
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range tt.want {
				if !strings.Contains(a.Text, part) {
					t.Errorf("the answer lacks %q:\n%s", part, a.Text)
				}
			}
			if slices.Sort(x.read); !slices.Equal(x.read, tt.read) {
				t.Errorf("%q were read, want %q", x.read, tt.read)
			}
		})
	}
	for symbol, want := range map[string]string{"row": "did you mean Row?", "SIGNin": "did you mean signIn of fire/auth?"} {
		l := New(store.New(ecosystem.Languages{x}, store.Options{}))
		if a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "fire"}, Symbols: symbol}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", symbol, a, err)
		}
	}
	x.packages["fire"].Symbols = nil
	l := New(store.New(ecosystem.Languages{x}, store.Options{}))
	_, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "fire"}, Symbols: "signOn"})
	if err == nil || strings.Contains(err.Error(), "exports nothing") || !strings.Contains(err.Error(), "signIn of fire/auth") {
		t.Errorf("the error is %v", err)
	}
	results, err := l.Matches(t.Context(), Search{Package: Package{Language: "npm", Name: "fire"}, Query: "pgTable"})
	if err != nil || len(results[0].Hits) == 0 || results[0].Hits[0].Symbol.Path != "pgTable" {
		t.Errorf("the search finds %+v, %v", results, err)
	}
	x.read = nil
	results, err = l.Matches(t.Context(), Search{Package: Package{Language: "npm", Name: "fire"}, Query: "onConflict"})
	if err != nil || len(results[0].Hits) == 0 || results[0].Hits[0].Symbol.Path != "Row.onConflict" {
		t.Errorf("the search finds %+v, %v, with %q read", results, err, x.read)
	}
	l = New(store.New(ecosystem.Languages{x}, store.Options{}))
	l.Single = true
	index := func() *catalog.Item {
		q := Package{Language: "npm", Name: "fire"}
		p, err := l.catalog.Read(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return l.catalog.Index(t.Context(), q, p).Item
	}
	before := index()
	single, err := l.Matches(t.Context(), Search{Package: Package{Language: "npm", Name: "fire"}, Query: "onConflict"})
	if err != nil || len(single[0].Hits) == 0 || single[0].Hits[0].Symbol != results[0].Hits[0].Symbol {
		t.Errorf("a single search finds %+v, %v", single, err)
	}
	if index() == before {
		t.Error("a single search does not drop the index")
	}
	found, _, err := l.Select(t.Context(), Description{Package: Package{Language: "npm", Name: "fire"}, Symbols: "signIn"})
	if err != nil || len(found) != 1 || found[0].Symbol.Path != "signIn" || found[0].Name != "fire/auth" {
		t.Errorf("selected are %v, %v", found, err)
	}
}

func TestSearch_EachOfSeveralQueriesReachesOtherEntryPoints(t *testing.T) {
	x := &indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}
	var below []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		below = append(below, "fire/"+name)
		x.packages["fire/"+name] = pkg("fire/"+name, "fire", nil, "query"+strings.ToUpper(name))
	}
	x.packages["fire/h"] = pkg("fire/h", "fire", nil, "streamEvents")
	x.packages["fire/i"] = pkg("fire/i", "fire", nil, "limitBody")
	x.packages["fire"] = pkg("fire", "fire", below, "route")
	l := New(store.New(ecosystem.Languages{x}, store.Options{}))
	results, err := l.Matches(t.Context(), Search{Package: Package{Language: "npm", Name: "fire"}, Query: "query; streamEvents example; limit body"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"query", "streamEvents", "limitBody"} {
		if hits := results[i].Hits; len(hits) == 0 || !strings.HasPrefix(hits[0].Symbol.Path, want) {
			t.Errorf("%s: found %+v", results[i].Query, hits)
		}
	}
}

// dotted is a language that writes packages and symbols with dots between their names.
type dotted struct{ indexed }

func (x *dotted) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "npm", Indexes: true, Style: apidoc.Style{Separator: "."}}
}

func (x *dotted) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if q.Package == "fire.broken" {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "fire.broken is damaged")
	}
	return x.indexed.Find(ctx, q)
}

func TestATypeThatSignaturesNameIsOfTheEntryPointThatExportsIt(t *testing.T) {
	x := &dotted{indexed{shelves{id: "npm", packages: map[string]*apidoc.Package{}}}}
	x.packages["fire"] = pkg("fire", "fire", []string{"fire.log"}, "open")
	x.packages["fire"].Internal = []apidoc.Symbol{{Path: "Console", Kind: apidoc.Class, Signature: "class Console"}, {Path: "Hidden", Kind: apidoc.Class, Signature: "class Hidden"}}
	x.packages["fire.log"] = pkg("fire.log", "fire", nil, "Console")
	x.packages["fire.both"] = pkg("fire.both", "fire", nil, "Shared")
	x.packages["fire.more"] = pkg("fire.more", "fire", nil, "Shared")
	for _, name := range []string{"fire.both", "fire.more"} {
		x.packages[name].Symbols[0].File, x.packages[name].Symbols[0].Line = "fire/shared.py", 1
	}
	l := New(store.New(ecosystem.Languages{x}, store.Options{}))
	for symbol, want := range map[string]string{"Console": "Console (func) in fire.log", "fire.Console": "Console (func) in fire.log", "Hidden": "Hidden (class, not exported) in fire", "fire.open": "open (func) in fire", "Shared": "# Shared (func) in fire.both@v1"} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "fire"}, Symbols: symbol})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(a.Text, want) {
			t.Errorf("%s: the answer lacks %q:\n%s", symbol, want, a.Text)
		}
	}
	if _, err := l.Describe(t.Context(), Description{Package: Package{Language: "npm", Name: "fire.broken"}}); err == nil || err.Error() != "fire.broken is damaged" {
		t.Errorf("the error is %v, not that of the package itself", err)
	}
}

func TestTheLanguageIsFoundOut(t *testing.T) {
	for _, tt := range []struct {
		in   Package
		want string
	}{
		{Package{Language: "npm", Name: "fire"}, "npm"},
		{Package{Name: "fire"}, "go"},
		{Package{Name: "hono"}, "npm"},
		{Package{Name: "hono", Project: "/src/go"}, "go"}, // the project does not have the package
		{Package{Name: "gone"}, ""},
		{Package{Language: "cobol", Name: "fire"}, ""},
	} {
		l, _ := lookups()
		info, err := l.LanguageOf(t.Context(), tt.in)
		if (err != nil) != (tt.want == "") || err == nil && string(info.ID) != tt.want {
			t.Errorf("%+v is of %v, %v", tt.in, info, err)
		}
	}
}

func TestPackagesAreReadAndPreparedOnce(t *testing.T) {
	l, one := lookups()
	q := Package{Language: "go", Name: "example.com/fire"}
	var first *answer.Renderer
	for range 3 {
		p, _, err := l.resolver.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = p.Renderer()
		}
		if p.Renderer() != first {
			t.Error("it was prepared twice")
		}
	}
	if len(one.read) != 1 {
		t.Errorf("read %q", one.read)
	}
}

// website returns sections from the web for packages.
type website struct {
	requests int
	notes    []string
}

func (w *website) Read(_ context.Context, p *apidoc.Package) ([]apidoc.Section, []string) {
	w.requests++
	return []apidoc.Section{{ID: "web/llms", Title: "Kindling", Level: 1, Body: "How to kindle " + p.Name + ".", File: "https://h.example/llms.txt", Origin: "the website's https://h.example/llms.txt, which does not state a version"}}, w.notes
}

func TestWhatTheWebSaysIsFoundAndNamed(t *testing.T) {
	l, _ := lookups()
	web := &website{notes: []string{"Docent did not read docs/ in h.example/o/r."}}
	about := Package{Language: "go", Name: "example.com/fire"}
	if a, err := l.Prose(t.Context(), Prose{Package: about}); err != nil || strings.Contains(a.Text, "kindle") {
		t.Errorf("without the web it answers %v, %v", a, err)
	}
	l.Web = web
	for name, ask := range map[string]func() (*answer.Answer, error){
		"prose": func() (*answer.Answer, error) { return l.Prose(t.Context(), Prose{Package: about, Section: "web"}) },
		"words": func() (*answer.Answer, error) { return l.Prose(t.Context(), Prose{Package: about, Query: "kindle"}) },
		"search": func() (*answer.Answer, error) {
			a, _, err := l.Search(t.Context(), Search{Package: about, Query: "kindling"})
			return a, err
		},
	} {
		a, err := ask()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range []string{"Kindling", "the website's https://h.example/llms.txt, which does not state a version", web.notes[0]} {
			if !strings.Contains(a.Text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, a.Text)
			}
		}
	}
	if web.requests != 1 {
		t.Errorf("the web was asked %d times", web.requests)
	}
}

func TestProse_ASectionThatOnlySharesWordsIsNamedAndNotShown(t *testing.T) {
	l, s := lookups()
	filler := strings.Repeat("The kiln is heated before the glaze is applied. ", 20)
	s.packages["example.com/fire"].Doc = "Lights fires."
	s.packages["example.com/fire"].Sections = []apidoc.Section{
		{ID: "readme/fire", Title: "Fire", Level: 1, Body: "Lights fires of any size.", File: "README.md"},
		{ID: "readme/speed", Title: "Speed", Level: 2, Body: filler + "It is quick on hot paths.", File: "README.md"},
		{ID: "readme/handling-errors", Title: "Handling errors", Level: 2, Body: filler + "Start returns what went wrong.", File: "README.md"},
	}
	for query, want := range map[string]string{
		"refine path":           "no section of the documentation of example.com/fire is about \"refine path\". Its sections: readme/speed, readme/fire, readme/handling-errors.",
		"error messages":        "Start returns what went wrong.",
		"refine path; errors":   "Start returns what went wrong.",
		"light fires of a size": "Lights fires of any size.",
	} {
		a, err := l.Prose(t.Context(), Prose{Package: Package{Language: "go", Name: "example.com/fire"}, Query: query})
		var text string
		if err != nil {
			text = err.Error()
		} else {
			text = a.Text
		}
		if !strings.Contains(text, want) || strings.Contains(text, "hot paths") {
			t.Errorf("%s: got\n%s", query, text)
		}
	}
}

func TestProseOfAPackageBelowIsThatOfItsModule(t *testing.T) {
	l, s := lookups()
	s.packages["example.com/fire"].Sections = []apidoc.Section{{ID: "readme/fire", Title: "Fire", Level: 1, Body: "How to light it.", File: "README.md"}}
	for _, name := range []string{"example.com/fire", "example.com/fire/auth"} {
		a, err := l.Prose(t.Context(), Prose{Package: Package{Language: "go", Name: name}})
		if err != nil || !strings.Contains(a.Text, "How to light it.") {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		sections, err := l.Sections(t.Context(), Prose{Package: Package{Language: "go", Name: name}, Section: "README"})
		if err != nil || len(sections) != 1 {
			t.Errorf("%s: %+v, %v", name, sections, err)
		}
	}
	if _, err := l.Sections(t.Context(), Prose{Package: Package{Language: "go", Name: "crypto/rand"}, Section: "README"}); err == nil {
		t.Error("a package without prose has a README")
	}
}

func TestSearchOfSeveralPackages(t *testing.T) {
	l, _ := lookups()
	ask := func(names, query string) (string, bool, error) {
		a, found, err := l.Search(t.Context(), Search{Package: Package{Language: "go", Name: names}, Query: query, Options: answer.Options{}})
		if err != nil {
			return "", found, err
		}
		return a.Text, found, nil
	}
	for _, names := range []string{"crypto/rand,encoding/json,example.com/none", "crypto/rand encoding/json, example.com/none"} {
		text, found, err := ask(names, "read; marshal")
		for _, want := range []string{"crypto/rand@v1, encoding/json@v1", "**Read** in", "**Marshal** in", "Not searched: no package example.com/none"} {
			if err != nil || !found || !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s%v", names, want, text, err)
			}
		}
	}
	if _, _, err := ask("example.com/none,example.com/no", "read"); err == nil || !strings.Contains(err.Error(), "example.com/none") || !strings.Contains(err.Error(), "example.com/no") {
		t.Errorf("the error does not name both: %v", err)
	}
	if _, _, err := ask(strings.Repeat("crypto/rand,", 21), "read"); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("21 packages: %v", err)
	}
	if text, _, err := ask("crypto/rand,crypto/rand", "read"); err != nil || strings.Count(text, "crypto/rand@v1") != 1 {
		t.Errorf("one package twice: %s%v", text, err)
	}
	if _, err := l.Matches(t.Context(), Search{Package: Package{Language: "go", Name: "crypto/rand,example.com/none"}, Query: "read"}); err == nil {
		t.Error("programs are not told what was not searched")
	}
}

func TestModulesSideBySideAreShownWithTheMainOne(t *testing.T) {
	l, language := lookups()
	for name, other := range map[string]string{"osier/Osier": "osier/OsierDye", "osier/OsierDye": "osier/Osier"} {
		p := pkg(name, "osier", []string{other}, "make"+name[len("osier/"):])
		p.Above = "osier/Osier"
		language.packages[name] = p
	}
	for name, want := range map[string]bool{"osier/Osier": true, "osier/OsierDye": false} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: name}})
		if err != nil {
			t.Fatal(err)
		}
		if both := strings.Contains(a.Text, "makeOsier()") && strings.Contains(a.Text, "makeOsierDye()"); both != want {
			t.Errorf("%s: shown with the other module: %t\n%s", name, both, a.Text)
		}
		if !want && !strings.Contains(a.Text, "Packages beside:\n- osier/Osier") {
			t.Errorf("the other module is not named:\n%s", a.Text)
		}
	}
}

// TestPathsWithTheSeparatorOfSymbols uses a language that writes the paths of packages and symbols
// in the same way. A module takes precedence over a class and its method with the same names.
func TestPathsWithTheSeparatorOfSymbols(t *testing.T) {
	language := &shelves{id: "python", style: apidoc.Style{Separator: "."}, packages: map[string]*apidoc.Package{}}
	for _, p := range []*apidoc.Package{
		pkg("dates", "dates", []string{"dates.parser"}, "easter"),
		pkg("dates.parser", "dates", nil, "parser", "parser.parse", "parse"),
		pkg("PIX", "PIX", []string{"PIX.Image"}), pkg("PIX.Image", "PIX", nil, "Image", "Image.open", "open"),
	} {
		p.LocalName = p.Name[strings.LastIndexByte(p.Name, '.')+1:]
		language.packages[p.Name] = p
	}
	l := New(store.New(ecosystem.Languages{language}, store.Options{}))
	for _, tt := range []struct{ name, symbols, want string }{
		{"dates", "parser.parse", "# parse (func) in dates.parser@v1\n"},
		{"dates.parser.parse", "", "# parse (func) in dates.parser@v1\n"},
		{"dates.easter", "", "# easter (func) in dates@v1\n"},
		{"PIX.Image", "open", "# open (func) in PIX.Image@v1\n"},
		{"PIX.Image.Image.open", "", "# Image.open (func) in PIX.Image@v1\n"},
	} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "python", Name: tt.name}, Symbols: tt.symbols})
		if err != nil {
			t.Errorf("%s %s: %v", tt.name, tt.symbols, err)
		} else if !strings.HasPrefix(a.Text, tt.want) {
			t.Errorf("%s %s: %s", tt.name, tt.symbols, a.Text)
		}
	}
}

// TestPaths_OfModules uses a package whose root cannot be read. It is not needed for symbols of modules.
func TestPaths_OfModules(t *testing.T) {
	language := &shelves{id: "rust", style: apidoc.Style{Separator: "::"}, packages: map[string]*apidoc.Package{
		"dates::parser": pkg("dates::parser", "dates", nil, "parse", "Parser", "Parser::new"), "dates::parser::fast": pkg("dates::parser::fast", "dates", nil, "parse"),
	}}
	l := New(store.New(ecosystem.Languages{language}, store.Options{}))
	for _, tt := range []struct{ name, symbols, want string }{
		{"dates", "parser::parse", "# parse (func) in dates::parser@v1\n"},
		{"dates", "parser::Parser::new", "# Parser::new (func) in dates::parser@v1\n"},
		{"dates@1", "parser::fast::parse", "# parse (func) in dates::parser::fast@v1\n"},
		{"dates", "parser::Missing", ""},
		{"dates", "Parser::new", ""},
	} {
		a, err := l.Describe(t.Context(), Description{Package: Package{Language: "rust", Name: tt.name}, Symbols: tt.symbols})
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s %s: %s", tt.name, tt.symbols, a.Text)
			}
		} else if err != nil {
			t.Errorf("%s %s: %v", tt.name, tt.symbols, err)
		} else if !strings.HasPrefix(a.Text, tt.want) {
			t.Errorf("%s %s: %s", tt.name, tt.symbols, a.Text)
		}
	}
}

func TestWishesAreSearchedAtOnceAndAnsweredInOrder(t *testing.T) {
	l, _ := lookups()
	ask := func(query string) []answer.QueryResult {
		results, err := l.Matches(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/fire"}, Query: query})
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	queries := []string{"sign in", "save", "start", "sign out", "nothing at all"}
	all := ask(strings.Join(queries, "; "))
	for i, query := range queries {
		one := ask(query)[0]
		same := slices.EqualFunc(all[i].Hits, one.Hits, func(a, b answer.Hit) bool { return a.Symbol == b.Symbol && a.Score == b.Score })
		if all[i].Query != query || all[i].Total != one.Total || !same {
			t.Errorf("%q has %+v among others, %+v alone", query, all[i], one)
		}
	}
}

func TestAPanicOfOneWishIsThatOfTheSearch(t *testing.T) {
	defer func() {
		if got := recover(); got != "two" {
			t.Errorf("recovered %v", got)
		}
	}()
	parallel.Each(3, func(i int) {
		if i == 2 {
			panic("two")
		}
	})
}

func TestTheNearestNamesAreThoseOfThePackageThatHasThem(t *testing.T) {
	l, _ := lookups()
	_, err := l.Describe(context.Background(), Description{Package: Package{Name: "example.com/fire, encoding/json", Language: "go"}, Symbols: "Marshl"})
	if err == nil || !strings.Contains(err.Error(), "no symbol Marshl in encoding/json") || strings.Contains(err.Error(), "in example.com/fire") {
		t.Errorf("got %v", err)
	}
}

func TestSeveralPackagesAreShownWithThoseBelow(t *testing.T) {
	l, _ := lookups()
	for names, want := range map[string]string{
		"example.com/fire, encoding/json":        "func SignIn() func Save() func Marshal()",
		"example.com/fire example.com/fire/auth": "func Start() func SignIn()", // the packages below it are requested one by one
	} {
		a, err := l.Describe(context.Background(), Description{Package: Package{Name: names, Language: "go"}})
		if err != nil {
			t.Fatal(err)
		}
		for f := range strings.SplitSeq(want, ") ") {
			if n := strings.Count(a.Text, strings.TrimSuffix(f, ")")+")\n"); n != 1 {
				t.Errorf("%s: %s stands there %d times in\n%s", names, f, n, a.Text)
			}
		}
	}
}
