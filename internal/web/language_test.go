package web

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// manual is a language whose packages a test writes down. Every directory is a project that depends
// on all of them. Packages have one version.
type manual struct {
	packages []*apidoc.Package
	request  func(ecosystem.Query) // is called with each query, if it is not nil
}

const onlyVersion = "1.2.3"

func (*manual) Info() *ecosystem.Info {
	return &ecosystem.Info{
		ID: "manual", Style: apidoc.Style{Name: "Manual", Separator: "."},
		Help: ecosystem.Help{Noun: "a manual", Package: "name of a manual", Versioned: "turtle@2", Symbols: []string{"plot"}, Describe: []string{"turtle"}, Search: []string{"turtle x"}},
	}
}

func (m *manual) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if m.request != nil {
		m.request(q)
	}
	name, version, _ := strings.Cut(q.Package, "@")
	if q.Version != "" {
		version = q.Version
	}
	for _, p := range m.packages {
		if (p.Name == name || p.Module == name && strings.HasSuffix(p.Name, "/All")) && (version == "" || strings.HasPrefix(onlyVersion, version)) {
			return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) {
				copied := *p
				copied.Version, copied.Style = onlyVersion, m.Info().Style
				return &copied, nil
			}}, nil
		}
	}
	return nil, ecosystem.Fail(ecosystem.Unreachable, "the registry of %s cannot be reached", name)
}

func (*manual) HasProject(dir string) bool         { return dir != "" }
func (*manual) Names(string, string, int) []string { return nil }
func (*manual) Doctor(string) []ecosystem.Fact     { return nil }

func (m *manual) Dependencies(string) ([]ecosystem.Dependency, error) {
	var all []ecosystem.Dependency
	for _, p := range m.packages {
		all = append(all, ecosystem.Dependency{Package: p.Name, Direct: len(all) < 30, Installed: true})
	}
	return all, nil
}

// function returns a function with documentation.
func function(path, doc string) apidoc.Symbol {
	return apidoc.Symbol{Path: path, Kind: apidoc.Function, Signature: path + "(x)", Doc: doc}
}

// newSite returns the site of a project in one language.
func newSite(t testing.TB, language ecosystem.Language, project string) *Site {
	t.Helper()
	s, err := New(Options{Lookup: lookup.New(store.New(ecosystem.Languages{language}, store.Options{})), Project: project, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAddress_VersionAfterTheModule(t *testing.T) {
	below := func(names ...string) (all []apidoc.Subpackage) {
		for _, name := range names {
			all = append(all, apidoc.Subpackage{Name: name})
		}
		return all
	}
	s := newSite(t, &manual{packages: []*apidoc.Package{
		{Name: "sys/unix", Module: "sys", Symbols: []apidoc.Symbol{function("Stat", "Asks."), function("At.Once", "Asks.")}},
		{Name: "dates", Symbols: []apidoc.Symbol{function("add", "Adds.")}, Subpackages: below("dates/locale", "dates/locale/en", "dates")},
		{Name: "dates/locale", Symbols: []apidoc.Symbol{function("de", "German.")}},
		{Name: "dates/locale/en", Symbols: []apidoc.Symbol{function("short", "Short.")}},
		{Name: "flask", Symbols: []apidoc.Symbol{function("run", "Runs.")}, Subpackages: below("flask.json", "flask.json.tag", "flask::sync")},
		{Name: "kit/All", Module: "kit", Symbols: []apidoc.Symbol{function("run", "Runs.")}, Subpackages: below("kit/Deque")},
		{Name: "kit/Deque", Symbols: []apidoc.Symbol{function("push", "Pushes.")}},
		{Name: "flask.json.tag", Symbols: []apidoc.Symbol{function("Tag.key", "Keys.")}},
	}}, t.TempDir())
	for path, want := range map[string]string{
		"/manual/sys@1/unix":                       "/manual/sys/unix@1.2.3/",
		"/manual/sys@1.2.3/unix/":                  "/manual/sys/unix@1.2.3/",
		"/manual/sys@1/unix/Stat":                  "/manual/sys/unix@1.2.3/Stat",
		"/manual/sys@1/unix/At.Once":               "/manual/sys/unix@1.2.3/At.Once",
		"/manual/sys@1/unix/Stat.md":               "/manual/sys/unix@1.2.3/Stat?format=md",
		"/manual/sys@1/unix.json":                  "/manual/sys/unix@1.2.3/?format=json",
		"/manual/dates@1/locale":                   "/manual/dates/locale@1.2.3/",
		"/manual/dates@1/locale/de":                "/manual/dates/locale@1.2.3/de",
		"/manual/dates@1/locale/en/short":          "/manual/dates/locale/en@1.2.3/short",
		"/manual/dates@1/locale/en/":               "/manual/dates/locale/en@1.2.3/",
		"/manual/dates@1/locale.md":                "/manual/dates/locale@1.2.3/?format=md",
		"/manual/flask@1/json.tag":                 "/manual/flask.json.tag@1.2.3/",
		"/manual/flask@1/json/tag/Tag.key":         "/manual/flask.json.tag@1.2.3/Tag.key",
		"/manual/flask@1.2.3/sync":                 "/manual/flask::sync@1.2.3/",
		"/manual/kit@1/Deque":                      "/manual/kit/Deque@1.2.3/",
		"/manual/sys/unix@1/Stat":                  "/manual/sys/unix@1.2.3/Stat",
		"/manual/sys@1/windows":                    "",
		"/manual/sys@1/unix/None":                  "",
		"/manual/sys@2/unix":                       "",
		"/manual/sys@1/" + strings.Repeat("/", 99): "",
	} {
		w := ask(t, s, path, nil)
		if got := w.Header().Get("Location"); got != want || want == "" && w.Code < 400 {
			t.Errorf("%s: status %d, leads to %q, want %q", path, w.Code, got, want)
		}
	}
}

// library returns a language with many packages, whose texts have few words in common.
func library(packages, symbols int) *manual {
	nouns := strings.Fields("file request client server token stream buffer query record field session cache header socket route event timer worker queue message")
	verbs := strings.Fields("open read write send parse close encode decode find list create update delete merge split watch retry cancel sign verify")
	m := &manual{}
	word := func(all []string, n int) string { return all[n%len(all)] }
	for i := range packages {
		p := &apidoc.Package{Name: fmt.Sprintf("library%d", i), Doc: "Keeps things."}
		for k := range symbols {
			n := i*7 + k
			verb, noun, other := word(verbs, n), word(nouns, n/len(verbs)), word(nouns, n*3+i)
			s := function(fmt.Sprintf("%s%s%d", verb, strings.ToUpper(noun[:1])+noun[1:], k), fmt.Sprintf("%ss a %s of the %s, within the time that the %s %d allows. It fails if the %s was closed.", verb, noun, other, word(nouns, n+5), n, other))
			p.Symbols = append(p.Symbols, s)
		}
		m.packages = append(m.packages, p)
	}
	return m
}

// BenchmarkSearch searches a project with 300 packages of 150 symbols, as pages and as the script of
// the pages does.
func BenchmarkSearch(b *testing.B) {
	s := newSite(b, library(300, 150), b.TempDir())
	s.encode = func(io.Writer, any) error { return nil }
	for _, query := range []string{"open", "openFile", "missing", "read a file with a timeout"} {
		for _, form := range []string{"page", "json"} {
			path := "/-/search?q=" + strings.ReplaceAll(query, " ", "+") + "&format=" + form
			for !strings.Contains(ask(b, s, "/-/search?q=open", nil).Body.String(), "Searched 300 packages") {
			}
			b.Run(query+"/"+form, func(b *testing.B) {
				for b.Loop() {
					ask(b, s, path, nil)
				}
			})
		}
	}
}
