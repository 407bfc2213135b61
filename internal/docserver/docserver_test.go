package docserver

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

// library is a language with one package, and a project in one directory.
type library struct {
	ecosystem.Language
	project string
	asked   []ecosystem.Query
}

func (s *library) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "go", Platform: "whose files to read", Help: ecosystem.Help{Symbols: []string{"Get"}}}
}

func (s *library) HasProject(dir string) bool { return s.project != "" && dir == s.project }

func (s *library) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) { return s.read(q) }}, nil
}

func (s *library) read(q ecosystem.Query) (*apidoc.Package, error) {
	s.asked = append(s.asked, q)
	if q.Package != "example.com/web" {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no package " + q.Package, Next: "check its name"}
	}
	p := &apidoc.Package{
		Name: q.Package, Version: "v1.0.0", LocalName: "web", Doc: "Package web fetches pages.",
		Provenance: apidoc.Provenance{Source: "module cache", ChosenBy: "go.mod"},
	}
	for range 500 {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "Get", Kind: apidoc.Func, Signature: "func Get(url string) error", Doc: "Get fetches a page.", File: "web.go", Line: 3})
	}
	return p, nil
}

// describe calls the tool of the server's first language.
func describe(s *server, in describeInput) (described, error) {
	return s.describe(s.store.Languages()[0].Info())(context.Background(), nil, in)
}

func serverOn(s *library, dir string) *server {
	return &server{store: store.New(ecosystem.Languages{s}, store.Options{}), dir: dir}
}

func TestAServerWithoutLanguagesIsRefused(t *testing.T) {
	if _, err := New(Options{Store: store.New(nil, store.Options{}), Version: "v1.2.3"}); err == nil {
		t.Error("it was made")
	}
}

// broken is a library whose projects cannot be looked for.
type broken struct{ library }

func (*broken) HasProject(string) bool { panic("a defect") }

func TestNothingIsLoggedUnlessALoggerIsGiven(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe_go_package","arguments":{"package":"fmt"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	for _, logger := range []*slog.Logger{nil, slog.Default()} {
		m, err := New(Options{Logger: logger, Store: store.New(ecosystem.Languages{&broken{}}, store.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := m.Serve(t.Context(), struct {
			io.Reader
			io.Writer
		}{strings.NewReader(call), &out}); err != nil || !strings.Contains(out.String(), "-32603") {
			t.Errorf("%v: %s", err, &out)
		}
		if logged := log.Len() > 0; logged != (logger != nil) {
			t.Errorf("logged with the logger %v: %s", logger, &log)
		}
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		name string
		in   describeInput
		want string // a part of the text, or of the error
		fail bool
	}{
		{"a package", describeInput{Package: "example.com/web"}, "# example.com/web@v1.0.0", false},
		{"a symbol", describeInput{Package: "example.com/web", Symbol: "get"}, "# Get (func) in example.com/web@v1.0.0", false},
		{"a budget", describeInput{Package: "example.com/web", MaxTokens: 500}, "set a larger maxTokens", false},
		{"no such symbol", describeInput{Package: "example.com/web", Symbol: "Gte"}, "no symbol Gte in example.com/web; the nearest are Get. Call describe_go_package without symbol", true},
		{"no such package", describeInput{Package: "example.com/wbe"}, "no package example.com/wbe; check its name", true},
		{"a relative project", describeInput{Package: "example.com/web", ProjectPath: "src/app"}, `projectPath "src/app" is relative`, true},
		{"a project on another machine", describeInput{Package: "example.com/web", ProjectPath: "file://host/app"}, "is not a file of this machine", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := describe(serverOn(&library{}, ""), tt.in)
			if tt.fail {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got %v, want an error with %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if text := out.Markdown(); !strings.Contains(text, tt.want) || !strings.Contains(text, answer.Notice) {
				t.Errorf("the text lacks %q:\n%s", tt.want, text)
			}
		})
	}
}

func TestTheProjectOfAQuestion(t *testing.T) {
	root := t.TempDir()
	uri := "file://" + filepath.ToSlash(root)
	if runtime.GOOS == "windows" {
		uri = "file:///" + filepath.ToSlash(root)
	}
	tests := []struct {
		name, working, project, given, want string
	}{
		{"what the question names", "", "", root, root},
		{"a file URI", "", "", uri, root},
		{"the working directory if it is in a project", root, root, "", root},
		{"none if it is not", root, "", "", ""},
		{"what the question names before the working directory", filepath.Join(root, "other"), filepath.Join(root, "other"), root, root},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lib := &library{project: tt.project}
			s := serverOn(lib, tt.working)
			if _, err := describe(s, describeInput{Package: "example.com/web", ProjectPath: tt.given, Version: "v1", Platform: "a/b"}); err != nil {
				t.Fatal(err)
			}
			want := ecosystem.Query{Package: "example.com/web", Version: "v1", Platform: "a/b", ProjectDir: tt.want}
			if len(lib.asked) != 1 || lib.asked[0] != want {
				t.Errorf("asked %+v, want %+v", lib.asked, want)
			}
		})
	}
}

func TestSearch(t *testing.T) {
	s := serverOn(&library{}, "")
	for _, tt := range []struct {
		query string
		fuzzy bool
		want  int
	}{{"get", false, 500}, {"fecth", true, 501}, {"fecth", false, 0}} {
		out, err := s.search(t.Context(), nil, searchInput{Package: "example.com/web", Query: tt.query, Language: "go", Fuzzy: tt.fuzzy})
		if err != nil {
			t.Fatal(err)
		}
		if out.Total != tt.want || len(out.Hits) > maxHits {
			t.Errorf("%q, fuzzy %t: %d hits of %d, want %d in all", tt.query, tt.fuzzy, len(out.Hits), out.Total, tt.want)
		}
	}
	if _, err := s.search(t.Context(), nil, searchInput{Package: "example.com/web", Query: "x", Language: "npm"}); err == nil {
		t.Error("a language that is not there was searched")
	}
}

func TestPackagesAskedForLastAreKeptReady(t *testing.T) {
	var s shelf
	packages := make([]apidoc.Package, maxReady+1)
	first := s.of(&packages[0])
	index, book := first.index(), first.book()
	if again := s.of(&packages[0]); again != first || again.index() != index || again.book() != book {
		t.Error("it was made ready twice")
	}
	for i := range packages {
		s.of(&packages[i])
	}
	if len(s.recent) != maxReady {
		t.Errorf("%d packages are kept", len(s.recent))
	}
	if s.of(&packages[0]) == first {
		t.Error("the one asked for least recently was kept")
	}
}
