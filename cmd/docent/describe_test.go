package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apijson"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestCommandLines(t *testing.T) {
	app := workspace(t)
	bare := t.TempDir() // a directory without a project
	shop := npmProject(t)
	tests := []struct {
		name string
		dir  string
		args []string
		code int
		out  []string // parts of the expected standard output
		err  []string // parts of the expected standard error
	}{
		{
			"a package", bare, []string{"describe", "go", "encoding/json"}, 0,
			[]string{"# encoding/json@go", "version from the installed Go", "func Marshal(v any) ([]byte, error)", "type Decoder struct"}, nil,
		},
		{
			"a symbol", bare, []string{"describe", "go", "net/http", "Client.Do"}, 0,
			[]string{"# Client.Do (method) in net/http@go", "func (c *Client) Do(req *Request) (*Response, error)", "Declared in net/http/client.go:"}, nil,
		},
		{
			"a symbol in another case", bare, []string{"describe", "GO", "net/http", "client.do"}, 3,
			nil, []string{"no symbol client.do in net/http@go", "; did you mean Client.Do?\n"},
		},
		{
			"a symbol of another package of the module", bare, []string{"describe", "go", "net/http", "NewRecorder"}, 0,
			[]string{"**net/http does not export NewRecorder. net/http/httptest does: `import \"net/http/httptest\"`.**\n\n# NewRecorder (func) in net/http/httptest@go"}, nil,
		},
		{
			"the same as data", bare, []string{"describe", "go", "net/http", "NewRecorder", "--json"}, 0,
			[]string{`"package": "net/http/httptest"`, `"notice": "net/http does not export`, `"path": "NewRecorder"`}, nil,
		},
		{
			"the same with a second package", bare, []string{"describe", "go", "errors,net/http", "NewRecorder"}, 0,
			[]string{"# NewRecorder (func) in net/http/httptest@go"}, nil,
		},
		{"several packages as data", bare, []string{"describe", "go", "errors,html", "--json"}, 0, []string{`"name": "errors"`, `"name": "html"`}, nil},
		{"a pattern without matches", bare, []string{"describe", "go", "errors", "Zz*"}, 3, nil, []string{"no symbol of errors matches Zz*"}},
		{
			"a package of the project that the working directory is in", app, []string{"describe", "go", "example.com/app/db"}, 0,
			[]string{"# example.com/app/db\n", "package of your project", "Package db keeps rows.", "func Open(name string) (*Table, error)"}, nil,
		},
		{
			"a directory of a project", bare, []string{"describe", "go", "./db", "Table", "--project", app}, 0,
			[]string{"# Table (type) in example.com/app/db", "Rows int", "func (t *Table) Close() error"}, nil,
		},
		{
			"no project although the working directory is in one", app, []string{"describe", "go", "example.com/app/db", "--project="}, 4,
			nil, []string{"docent: example.com/app/db is not on this machine"},
		},
		{
			"another platform", bare, []string{"describe", "go", "os/signal", "--platform", "windows/amd64"}, 0,
			[]string{"SIGINT"}, nil,
		},
		{
			"a small budget", bare, []string{"describe", "go", "net/http", "--max-tokens", "1000"}, 0,
			[]string{"This overview lists", "docent search go net/http WORDS"}, nil,
		},
		{
			"no bound", bare, []string{"describe", "go", "net/http", "--max-tokens", "0"}, 0,
			[]string{"func (t *Transport) CloseIdleConnections()", "func (r *Request) PathValue(name string) string"}, nil,
		},
		{
			"a search", bare, []string{"search", "go", "net/http", "close idle"}, 0,
			[]string{"# Found in net/http@go", "```go\n// CloseIdleConnections closes any connections", "\nfunc (c *Client) CloseIdleConnections()\n"}, nil,
		},
		{
			"a search with a slip", bare, []string{"search", "go", "strings", "HasPerfix"}, 0,
			[]string{"```go\n// HasPrefix reports whether the string s begins with prefix.\nfunc HasPrefix(s, prefix string) bool"}, nil,
		},
		{
			"a search without slips", bare, []string{"search", "go", "strings", "HasPerfix", "--fuzzy=false"}, 3,
			[]string{`Nothing matches "HasPerfix"`}, nil,
		},
		{
			"a search with few matches shown", bare, []string{"search", "go", "strings", "index", "--limit", "2"}, 0,
			[]string{"less similar matches; raise --limit"}, nil,
		},
		{"the version", bare, []string{"version"}, 0, []string{"docent " + version() + "\n"}, nil},
		{"the version as a flag", bare, []string{"--version"}, 0, []string{"docent " + version() + "\n"}, nil},
		{"help with flags of the command", bare, []string{"help", "describe", "--nope", "--json"}, 0, []string{"docent describe [LANG] PACKAGE"}, nil},
		{"HTTP flags without HTTP", bare, []string{"serve", "--stateless"}, 2, nil, []string{"specify an address with --http"}},
		{"help", bare, nil, 0, []string{"docent describe go", "Exit codes:", "  4  docent could not reach a registry"}, nil},
		{"help on describe", bare, []string{"describe", "--help"}, 0, []string{"docent describe [LANG] PACKAGE", "Examples:", "--max-tokens", "Exit codes:"}, nil},
		{"help on a command with exit codes of its own", bare, []string{"check", "--help"}, 0, []string{"[flags]\n", "\n\nExit codes:\n  0  there are no findings\n  1  there are findings, or docent failed\n"}, nil},
		{"help on serve", bare, []string{"help", "serve"}, 0, []string{`"mcpServers"`, "Examples:"}, nil},
		{"the doctor", bare, []string{"doctor"}, 0, []string{"docent ", "module cache", "GOPROXY", "npm registry", "\ncache ", " of at most 2 GiB"}, nil},
		{"the doctor in a project", shop, []string{"doctor"}, 0, []string{"npm project", "shop in ", "https://till.example/, from "}, nil},
		{"the doctor without a project", bare, []string{"doctor", "--project", bare}, 1, []string{"! neither go.mod, go.work, package.json"}, nil},
		{"shell completion", bare, []string{"completion", "bash"}, 0, []string{"__docent"}, nil},
		{"completion of a language", bare, []string{"__complete", "search", ""}, 0, []string{"go\n"}, nil},
		{"completion of a package", bare, []string{"__complete", "describe", "go", "net/h"}, 0, []string{"net/http\n", "net/http/httptest\n"}, nil},
		{"completion of a package of the project", app, []string{"__complete", "describe", "go", "exam"}, 0, []string{"example.com/app/db\n"}, nil},
		{"completion of a package by its last part", app, []string{"__complete", "describe", "go", "d"}, 0, []string{"db\texample.com/app/db\n"}, nil},
		{"completion of a package by its last part without the language", app, []string{"__complete", "describe", "app/d"}, 0, []string{"app/db\texample.com/app/db\n"}, nil},
		{"completion of an npm package", shop, []string{"__complete", "describe", "npm", "ti"}, 0, []string{"till\n"}, nil},
		{"completion of an entry point", shop, []string{"__complete", "describe", "npm", "till/"}, 0, []string{"till/mini\n"}, nil},
		{"completion of an npm symbol", shop, []string{"__complete", "describe", "npm", "till", ""}, 0, []string{"Till\tclass\n"}, nil},
		{"completion of a member of npm", shop, []string{"__complete", "describe", "npm", "till", "Till.c"}, 0, []string{"Till.count\tmethod\n"}, nil},
		{"completion of a section", shop, []string{"__complete", "describe", "npm", "till", "--section", "read"}, 0, []string{"readme/counting\tCounting\n", ":4\n"}, nil},
		{"completion of a section of no package", bare, []string{"__complete", "describe", "npm", "no-such-package", "--section", ""}, 0, []string{":4\n"}, nil},
		{"completion of a symbol", bare, []string{"__complete", "describe", "go", "encoding/json", "Marsh"}, 0, []string{"MarshalIndent\tfunc\n"}, nil},
		{"completion of a member", bare, []string{"__complete", "describe", "go", "encoding/json", "Decoder.T"}, 0, []string{"Decoder.Token\tmethod\n"}, nil},

		{"no network", bare, []string{"describe", "go", "example.com/not/here@v1.0.0", "--offline"}, 4, nil, []string{"docent: example.com/not/here", "network access is disabled"}},
		{"no such package", bare, []string{"describe", "go", "no/such"}, 3, nil, []string{"docent: there is no package no/such", "tried: "}},
		{
			"no such symbol", bare, []string{"describe", "go", "encoding/json", "Marshl"}, 3,
			nil, []string{"docent: no symbol Marshl in encoding/json", "Marshal", "docent describe go encoding/json\n"},
		},
		{"no such language", bare, []string{"describe", "cobol", "x"}, 2, nil, []string{`"cobol"`, "go"}},
		{"no package", bare, []string{"describe", "go"}, 2, nil, []string{"specify a package", "docent describe --help"}},
		{"no language", bare, []string{"describe"}, 2, nil, []string{"specify a language"}},
		{"several symbols", bare, []string{"describe", "go", "strings", "Cut*", "Fields", "Nothing"}, 0, []string{"\nfunc Cut(s", "\nfunc CutPrefix(s", "\nfunc Fields(s", "no symbol Nothing"}, nil},
		{"several wishes", bare, []string{"search", "go", "strings", "trim a prefix; split at spaces"}, 0, []string{"## trim a prefix", "\nfunc TrimPrefix(", "## split at spaces", "\nfunc Fields("}, nil},
		{"several packages", bare, []string{"describe", "go", "errors,context", "Is", "WithTimeout"}, 0, []string{"## Is (func)", "## WithTimeout (func)"}, nil},
		{"how to go on with one of several packages", bare, []string{"describe", "go", "net/http,reflect"}, 0, []string{"docent describe go PACKAGE "}, nil},
		{"the last part of a path", bare, []string{"describe", "go", "json", "Marshal"}, 0, []string{"# Marshal (func) in encoding/json@go"}, nil},
		{"a qualified symbol", bare, []string{"describe", "go", "json.Marshal"}, 0, []string{"# Marshal (func) in encoding/json@go"}, nil},
		{"a last part that several have", bare, []string{"describe", "go", "rand.Int"}, 3, nil, []string{"rand can refer to any of crypto/rand, math/rand;"}},
		{"a search of all that the project depends on", app, []string{"search", "go", "--all", "parse", "IP", "address"}, 0, []string{"# Found in the project's dependencies", "**ParseIP** in net@go"}, nil},
		{"the same as data", app, []string{"search", "go", "--all", "--json", "parse IP"}, 0, []string{`"package": "net"`, `"Searched 1 package that`}, nil},
		{"a search of all without a project", bare, []string{"search", "go", "--all", "parse"}, 2, nil, []string{"neither a package nor a project was named"}},
		{"a search of all for nothing", app, []string{"search", "go", "--all"}, 2, nil, []string{"docent search [LANG] --all QUERY"}},
		{"no language in a project", shop, []string{"describe", "till", "Till.count"}, 0, []string{"# Till.count (method) in till"}, nil},
		{"a version and a symbol that it lacks", shop, []string{"describe", "npm", "till@1.0.0", "Count"}, 3, nil, []string{"no symbol Count in till", "docent describe npm till@1.0.0\n"}},
		{"a package and a symbol that it lacks in one argument", shop, []string{"describe", "till.Count"}, 3, nil, []string{"no symbol Count in till", "docent describe till\n"}},
		{"no language and no such symbol", shop, []string{"describe", "till", "Count"}, 3, nil, []string{"no symbol Count in till", "docent describe till\n"}},
		{"no language in a search", shop, []string{"search", "till", "count"}, 0, []string{"# Found in till"}, nil},
		{"no language in a search of all", app, []string{"search", "--all", "parse", "IP", "address"}, 0, []string{"**ParseIP** in net@go"}, nil},
		{"no language, nor a query", shop, []string{"search", "till"}, 2, nil, []string{"specify a query after till"}},
		{"no project in a search of all", app, []string{"search", "--all", "parse", "--project="}, 2, nil, []string{"needs a project; specify its directory with --project"}},
		{"no language and nothing to look for", app, []string{"search", "--all"}, 2, nil, []string{"docent search [LANG] --all QUERY"}},
		{
			"no language without a project", bare, []string{"describe", "html", "Escape*"}, 2,
			nil, []string{`"html" is not one of the languages go, npm`, "\n  docent describe go html 'Escape*'\n", "\n  docent describe npm html 'Escape*' (queries the registry)\n"},
		},
		{"no language with a project elsewhere", bare, []string{"describe", "till", "Till.count", "--project", shop}, 0, []string{"# Till.count (method) in till"}, nil},
		{"no language and no project", shop, []string{"describe", "till", "--project="}, 2, nil, []string{`"till" is not one of the languages go, npm`, "\n  docent describe npm till (queries the registry)\n"}},
		{"no query", bare, []string{"search", "go", "strings"}, 2, nil, []string{"specify a query"}},
		{"no such flag", bare, []string{"describe", "--nope"}, 2, nil, []string{"unknown flag: --nope", "docent describe --help"}},
		{"no such command", bare, []string{"descibe"}, 2, nil, []string{`there is no command "descibe" in docent; did you mean describe?`, "docent --help"}},
		{"a malformed question", bare, []string{"describe", "go", "http://x/y"}, 2, nil, []string{"is a URL"}},
		{"an unknown log level", bare, []string{"serve", "--log-level", "loud"}, 2, nil, []string{`"loud" is not a log level`}},
		{"a log file that cannot be opened", bare, []string{"serve", "--log-file", filepath.Join(bare, "no", "dir")}, 1, nil, []string{"log file cannot be opened"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(tt.dir)
			got := docent(tt.args...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d", got.code, tt.code)
			}
			for _, part := range tt.out {
				if !strings.Contains(got.out, part) {
					t.Errorf("standard output lacks %q:\n%.2000s", part, got.out)
				}
			}
			for _, part := range tt.err {
				if !strings.Contains(got.err, part) {
					t.Errorf("standard error lacks %q:\n%s", part, got.err)
				}
			}
			if tt.code == 0 && got.err != "" && !strings.HasPrefix(tt.name, "completion") {
				t.Errorf("standard error: %s", got.err)
			}
			if tt.code != 0 && tt.out == nil && got.out != "" {
				t.Errorf("standard output of a failure: %s", got.out)
			}
		})
	}
}

func TestJSONHoldsEverySymbolWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	got := docent("describe", "go", "net/http", "--json", "--max-tokens", "500")
	if got.code != 0 {
		t.Fatal(got.err)
	}
	var p apidoc.Package
	if err := json.Unmarshal([]byte(got.out), &p); err != nil {
		t.Fatal(err)
	}
	paths := make(map[string]*apidoc.Symbol)
	for s := range p.All {
		paths[s.Path] = s
		if s.Path == "" || s.Kind == "" || s.Signature == "" {
			t.Errorf("%+v lacks a path, kind or signature", s)
		}
		if s.From == "" && (s.File == "" || s.Line == 0) {
			t.Errorf("%s has no file or line", s.Path)
		}
	}
	for _, path := range []string{"StatusTeapot", "ErrBodyNotAllowed", "ListenAndServe", "Client", "Client.Timeout", "Client.Do", "Handler.ServeHTTP"} {
		if paths[path] == nil {
			t.Errorf("%s is missing", path)
		}
	}
	if len(paths) < 300 {
		t.Errorf("only %d symbols", len(paths))
	}
	if p.Provenance.ChosenBy == "" || p.Version == "" {
		t.Errorf("the version %q was chosen by %q", p.Version, p.Provenance.ChosenBy)
	}
}

func TestJSONOfASymbolNamesItsPackage(t *testing.T) {
	t.Chdir(t.TempDir())
	got := docent("describe", "go", "net/http", "StatusOK", "--json")
	var data apijson.PackageSymbol
	if err := json.Unmarshal([]byte(got.out), &data); err != nil {
		t.Fatal(err)
	}
	if data.Package != "net/http" || data.Version == "" || data.Symbol.Path != "StatusOK" || data.Symbol.Line == 0 {
		t.Errorf("got %+v", data)
	}
	if data.Group == nil || !strings.Contains(data.Group.Signature, "StatusTeapot") {
		t.Errorf("the declaration that it shares is missing: %+v", data.Group)
	}
}

func TestAPackageOfTheProjectIsNeverStale(t *testing.T) {
	dir := workspace(t)
	t.Chdir(dir)
	before := docent("describe", "go", "./db", "Table.Close")
	file := filepath.Join(dir, "db", "db.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "// Close closes t.", "// Close gives t back.", 1)
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	after := docent("describe", "go", "./db", "Table.Close")
	if !strings.Contains(before.out, "Close closes t.") || !strings.Contains(after.out, "Close gives t back.") {
		t.Errorf("before:\n%s\nafter:\n%s", before.out, after.out)
	}
}

// npmProject creates a project in which a package is installed.
func npmProject(t *testing.T) string {
	t.Helper()
	return filetest.Dir(t, map[string]string{
		"node_modules/till/README.md":    "# till\n\nCounts coins.\n\n## Counting\n\nCall count.\n",
		"package.json":                   `{"name":"shop","dependencies":{"till":"1"}}`,
		".npmrc":                         "registry=https://till.example",
		"node_modules/till/package.json": `{"name":"till","version":"1.0.0","exports":{".":{"types":"./i.d.ts"},"./mini":"./m.js"}}`,
		"node_modules/till/i.d.ts":       "export declare class Till { count(): number }\n",
	})
}
