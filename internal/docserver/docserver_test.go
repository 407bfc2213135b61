package docserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// library is a language with one package, and a project in one directory.
type library struct {
	ecosystem.Language
	project string

	mu       sync.Mutex
	requests []ecosystem.Query // guarded by mu while calls run
}

func (s *library) Info() *ecosystem.Info {
	return &ecosystem.Info{ID: "go", Spellings: []string{"golang"}, Platform: "whose files to read", Help: ecosystem.Help{Symbols: []string{"Get"}}}
}

func (s *library) Names(string, string, int) []string { return []string{"example.com/web"} }

func (s *library) HasProject(dir string) bool { return s.project != "" && dir == s.project }

func (s *library) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) { return s.read(q) }}, nil
}

func (s *library) read(q ecosystem.Query) (*apidoc.Package, error) {
	s.mu.Lock()
	s.requests = append(s.requests, q)
	s.mu.Unlock()
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
func describe(s *server, in describeInput) (*answer.Answer, error) {
	return s.describe(s.store.Languages()[0].Info())(context.Background(), nil, in)
}

func serverOn(s *library, dir string) *server {
	cache := store.New(ecosystem.Languages{s}, store.Options{})
	return &server{lookup: lookup.New(cache), store: cache, dir: dir}
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
		if err := m.ServeConn(t.Context(), struct {
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
		{"a symbol", describeInput{Package: "example.com/web", Symbol: "Get"}, "# Get (func) in example.com/web@v1.0.0", false},
		{"a symbol in another case", describeInput{Package: "example.com/web", Symbol: "get"}, "did you mean Get? Call describe_go_package without symbol", true},
		{"a budget", describeInput{Package: "example.com/web", MaxTokens: 500}, "call describe_go_package with symbol=", false},
		{"the last part of a path", describeInput{Package: "web"}, "# example.com/web@v1.0.0", false},
		{"a qualified symbol", describeInput{Package: "web.Get"}, "# Get (func) in example.com/web@v1.0.0", false},
		{"no such symbol", describeInput{Package: "example.com/web", Symbol: "Gte"}, "no symbol Gte in example.com/web@v1.0.0; the nearest are Get. Call describe_go_package without symbol", true},
		{"no such package", describeInput{Package: "example.com/wbe"}, "no package example.com/wbe; check its name", true},
		{"a relative project", describeInput{Package: "example.com/web", ProjectPath: "src/app"}, `projectPath "src/app" is relative`, true},
		{"a project on another machine", describeInput{Package: "example.com/web", ProjectPath: "file://host/app"}, "is not on this machine", true},
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
			if text := out.Text; !strings.Contains(text, tt.want) || !strings.Contains(text, answer.Notice) {
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
		name, working, project, path, want string
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
			if _, err := describe(s, describeInput{Package: "example.com/web", ProjectPath: tt.path, Version: "v1", Platform: "a/b"}); err != nil {
				t.Fatal(err)
			}
			want := ecosystem.Query{Package: "example.com/web", Version: "v1", Platform: "a/b", ProjectDir: tt.want}
			if len(lib.requests) != 1 || lib.requests[0] != want {
				t.Errorf("asked %+v, want %+v", lib.requests, want)
			}
		})
	}
}

func TestSearch(t *testing.T) {
	s := serverOn(&library{}, "")
	for _, tt := range []struct {
		query string
		fuzzy bool
		want  string
	}{
		{"get", false, "func Get(url string) error"}, {"fecth", true, "func Get(url string) error"}, {"fecth", false, "Nothing matches"},
		{"get; zebra", false, "## zebra"},
	} {
		out, err := s.search(t.Context(), nil, searchInput{Package: "example.com/web", Query: tt.query, Fuzzy: tt.fuzzy})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.Text, tt.want) {
			t.Errorf("%q, fuzzy %t: no %q in\n%s", tt.query, tt.fuzzy, tt.want, out.Text)
		}
	}
	for _, in := range []searchInput{{Package: "example.com/web", Query: "x", Language: "npm"}, {Package: "example.com/web", Query: " ; "}} {
		if _, err := s.search(t.Context(), nil, in); err == nil {
			t.Errorf("%+v was searched for", in)
		}
	}
}

// ask sends requests to a server of library and returns its answers.
func ask(t *testing.T, o Options, lines ...string) string {
	t.Helper()
	o.Store = store.New(ecosystem.Languages{&library{}}, store.Options{})
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	lines = append([]string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`}, lines...)
	var out bytes.Buffer
	if err := m.ServeConn(t.Context(), struct {
		io.Reader
		io.Writer
	}{strings.NewReader(strings.Join(lines, "\n") + "\n"), &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAnswersAreTextUnlessDataIsAskedFor(t *testing.T) {
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_go_package","arguments":{"package":"example.com/web","symbol":"Get"}}}`
	if out := ask(t, Options{}, list, call); strings.Contains(out, "structuredContent") || strings.Contains(out, "outputSchema") {
		t.Errorf("there is structured content:\n%s", out)
	}
	out := ask(t, Options{Structured: true}, list, call)
	if !strings.Contains(out, "outputSchema") {
		t.Errorf("there is no output schema:\n%s", out)
	}
	for line := range strings.Lines(out) {
		var m struct {
			ID     int
			Result struct {
				Content           []struct{ Text string }
				StructuredContent struct {
					Text     string
					Packages []answer.About
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.ID != 2 {
			continue
		}
		data := m.Result.StructuredContent
		if data.Text != m.Result.Content[0].Text || !strings.Contains(data.Text, "func Get(url string) error") || len(data.Packages) != 1 || data.Packages[0].Version != "v1.0.0" {
			t.Errorf("the data does not say what the text says:\n%s", line)
		}
	}
}

func TestArgumentsAsModelsWriteThemAreUnderstood(t *testing.T) {
	for _, tt := range []struct{ tool, arguments, want string }{
		{"describe_go_package", `{"name":"example.com/web"}`, "# example.com/web@v1.0.0"},
		{"describe_go_package", `{"packageName":"example.com/web","symbols":["Get","Gone"]}`, "# Get (func)"},
		{"describe_go_package", `{"package_name":"example.com/web","symbol":null,"version":null,"max_tokens":"600"}`, "# example.com/web@v1.0.0"},
		{"describe_go_package", `{"package":["example.com/web"],"maxTokens":7e9}`, "# example.com/web@v1.0.0"},
		{"describe_go_package", `{"package":"example.com/web","symbol":"Get","source":false}`, "# Get (func)"},
		{"search_package_docs", `{"pkg":"example.com/web","queries":["get","fetch a page"],"lang":"Golang","fuzzy":"true"}`, "## fetch a page"},
		{"search_package_docs", `{"package":"example.com/web","query":"get","project_path":"/src"}`, "func Get(url string) error"},
		{"describe_go_package", `{"package":"example.com/web","colour":"red"}`, "colour"},
		{"describe_go_package", `{"symbol":"Get"}`, "package"},
		{"describe_go_package", `{"package":{"name":"x"}}`, "package"},
	} {
		out := ask(t, Options{}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tt.tool+`","arguments":`+tt.arguments+`}}`)
		_, result, _ := strings.Cut(out, `"id":1,`)
		if !strings.Contains(result, tt.want) || strings.Contains(result, "isError") != !strings.Contains(tt.want, " ") {
			t.Errorf("%s: no %q in\n%s", tt.arguments, tt.want, result)
		}
	}
}

// dependent is a library whose project depends on its package, which is found
// once out has shown progress.
type dependent struct {
	library

	out   bytes.Buffer
	shown chan struct{}
	once  sync.Once
}

func (d *dependent) Find(ctx context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	<-d.shown
	return d.library.Find(ctx, q)
}

func (d *dependent) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("notifications/progress")) {
		d.once.Do(func() { close(d.shown) })
	}
	return d.out.Write(p)
}

func (*dependent) Dependencies(string) ([]ecosystem.Dependency, error) {
	return []ecosystem.Dependency{{Package: "example.com/web", Direct: true, Installed: true}, {Package: "example.com/absent", Direct: true}}, nil
}

func TestASearchWithoutAPackageIsOfAllThatTheProjectDependsOn(t *testing.T) {
	d := &dependent{library: library{project: "/src/app"}, shown: make(chan struct{})}
	o := Options{Store: store.New(ecosystem.Languages{d}, store.Options{})}
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.ServeConn(t.Context(), struct {
		io.Reader
		io.Writer
	}{strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_package_docs","arguments":{"query":"get","projectPath":"/src/app"},"_meta":{"progressToken":"p"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_package_docs","arguments":{"query":"get"}}}
`), d}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"**Get** in example.com/web@v1.0.0", "Not installed, so not searched: example.com/absent (docent fetch reads them).", "notifications/progress",
		`with the package and symbol=`, "neither a package nor a project was named",
	} {
		if !strings.Contains(d.out.String(), part) {
			t.Errorf("no %q in\n%s", part, &d.out)
		}
	}
}

// FuzzRepair checks that the result of repair is JSON or nil for any input.
func FuzzRepair(f *testing.F) {
	f.Add(`{"name":"a","symbols":["b",1],"max_tokens":"x"}`)
	f.Add(`{"package":null,"fuzzy":"T"}`)
	f.Fuzz(func(t *testing.T, args string) {
		s := &server{lookup: lookup.New(store.New(ecosystem.Languages{&library{}}, store.Options{}))}
		if out := repair(json.RawMessage(args), s.searchTool().arguments); out != nil && !json.Valid(out) {
			t.Errorf("%s became %s", args, out)
		}
	})
}
