package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

// basic is a language with one package. It implements only what a language must have.
type basic struct{ project string }

func (basic) Info() *ecosystem.Info {
	return &ecosystem.Info{
		ID: "basic", Spellings: []string{"bas"}, Manifests: []string{"basic.lst"}, Prose: true,
		Style:    apidoc.Style{Name: "BASIC", Fence: "bas", LineComment: "' ", Separator: "::"},
		Platform: "dialect whose files to read, such as visual",
		Help: ecosystem.Help{
			Noun: "a BASIC package", Package: "name of a tape", Versioned: "turtle@2", Symbols: []string{"PLOT", "TURTLE::GO"},
			Versions: "basic.lst",
			Describe: []string{"turtle TURTLE::GO"}, Search: []string{"turtle forward"},
		},
	}
}

func (basic) Find(_ context.Context, q ecosystem.Query) (*ecosystem.Found, error) {
	if q.Package != "turtle" {
		return nil, &ecosystem.Error{Reason: ecosystem.NotFound, What: "no tape " + q.Package}
	}
	return &ecosystem.Found{Read: func(context.Context) (*apidoc.Package, error) {
		return &apidoc.Package{
			Name: "turtle", Version: "2", Platform: q.Platform, Provenance: apidoc.Provenance{Source: "tape", ChosenBy: "basic.lst"},
			Sections: []apidoc.Section{{ID: "readme/winding", Title: "Winding", Level: 2, Body: "Rewind first.", File: "README"}},
			Symbols: []apidoc.Symbol{{Path: "TURTLE", Kind: "sub", Signature: "SUB TURTLE", Doc: "Draws.", Members: []apidoc.Symbol{
				{Path: "TURTLE::GO", Kind: "sub", Signature: "SUB GO(steps)", Doc: "Moves forward."},
			}}},
		}, nil
	}}, nil
}

func (b basic) HasProject(dir string) bool { return b.project != "" && dir == b.project }

func (basic) Names(projectDir, prefix string, _ int) []string {
	if name := "turtle"; projectDir != "" && strings.HasPrefix(name, prefix) {
		return []string{name}
	}
	return nil
}

func (basic) Doctor(projectDir string) []ecosystem.Fact {
	return []ecosystem.Fact{{Name: "tape recorder", Value: "rewound for " + projectDir}}
}

func TestALanguageIsWhatItSaysOfItself(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	with := func(offline bool) ecosystem.Languages { return append(languages(offline), basic{dir}) }
	ids := with(true).IDs()
	tools := func(pattern string) string { // names of the tools of all languages
		all := with(true).Each(func(i *ecosystem.Info) string { return i.Tool(pattern) })
		return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
	}

	t.Run("on the command line", func(t *testing.T) {
		for _, tt := range []struct {
			args []string
			code int
			want []string
		}{
			{[]string{"describe", "basic", "turtle"}, 0, []string{"# turtle@2\n\n> BASIC; version from basic.lst; read from tape.", "```bas\n' Draws.\nSUB TURTLE\n", "SUB GO(steps)", "readme/winding"}},
			{[]string{"describe", "BAS", "turtle", "TURTLE.GO"}, 0, []string{"# TURTLE::GO (sub) in turtle@2", "Moves forward."}},
			{[]string{"describe", "basic", "turtle", "turtle::TURTLE::GO", "--platform", "visual"}, 0, []string{"# TURTLE::GO (sub)"}},
			{[]string{"describe", "basic", "turtle", "--max-tokens", "500", "--json"}, 0, []string{`"ecosystem": "basic"`}},
			{[]string{"describe", "basic", "turtle", "--section", "readme/winding"}, 0, []string{"## Winding"}},
			{[]string{"describe", "basic", "turtle", "TURTLE.GO", "--section", "readme/winding"}, 0, []string{"## Winding", "\n\n# TURTLE::GO (sub)"}},
			{[]string{"describe", "basic", "turtle", "TURTLE.GO", "--section", "readme/winding", "--json"}, 2, []string{"omit one of them"}},
			{[]string{"describe", "basic", "tortoise"}, 3, []string{"no tape tortoise"}},
			{[]string{"search", "basic", "turtle", "forward"}, 0, []string{"**TURTLE::GO**\n\n```bas\n' Moves forward.\nSUB GO(steps)\n```"}},
			{[]string{"describe", "cobol", "x", "--project="}, 2, []string{`"cobol" is not one of the languages ` + strings.Join(ids, ", ")}},
			{[]string{"describe", "cobol", "x"}, 3, []string{"no tape cobol\ncobol is not a language, so docent used it as the name of a package; the languages are: " + strings.Join(ids, ", ")}},
			{[]string{"describe", "turtle", "TURTLE.GO"}, 0, []string{"# TURTLE::GO (sub) in turtle@2"}},
			{[]string{"__complete", "describe", ""}, 0, []string{strings.Join(ids, "\n") + "\n"}},
			{[]string{"__complete", "describe", "basic", "tu"}, 0, []string{"turtle\n"}},
			{[]string{"__complete", "describe", "basic", "turtle", "TUR"}, 0, []string{"TURTLE\tsub\n:4\n"}},
			{[]string{"__complete", "describe", "basic", "turtle", "TURTLE::"}, 0, []string{"TURTLE::GO\tsub\n"}},
			{[]string{"__complete", "describe", "basic", "turtle", "--section", ""}, 0, []string{"readme/winding\tWinding\n"}},
			{[]string{"--help"}, 0, []string{"docent describe basic turtle TURTLE::GO\n", "docent search basic turtle forward\n"}},
			{[]string{"describe", "--help"}, 0, []string{"basic, bas: symbols such as PLOT, TURTLE::GO\n"}},
			{[]string{"doctor"}, 0, []string{"tape recorder", "rewound for " + dir}},
			{[]string{"doctor", "--project", t.TempDir()}, 1, []string{" nor basic.lst is there"}},
		} {
			var out bytes.Buffer
			code := run(t.Context(), tt.args, streams{in: strings.NewReader(""), out: &out, err: &out}, with)
			if code != tt.code {
				t.Errorf("%q: exit code %d, want %d", tt.args, code, tt.code)
			}
			for _, part := range tt.want {
				if !strings.Contains(out.String(), part) {
					t.Errorf("%q lacks %q:\n%s", tt.args, part, out.String())
				}
			}
		}
	})

	t.Run("over MCP", func(t *testing.T) {
		server, err := docserver.New(docserver.Options{Store: store.New(with(true), store.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		lines := []string{
			`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_basic_package","arguments":{"package":"turtle","symbol":"GO","platform":"visual"}}}`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_package_docs","arguments":{"language":"basic","package":"turtle","query":"forward"}}}`,
			`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_basic_package_doc","arguments":{"package":"turtle"}}}`,
			`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"describe_basic_package","arguments":{"package":"turtle","symbol":"JUMP"}}}`,
			`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"describe_basic_package","arguments":{"package":"turtle","includeTypes":false}}}`,
		}
		var out bytes.Buffer
		if err := server.ServeConn(t.Context(), struct {
			io.Reader
			io.Writer
		}{strings.NewReader(strings.Join(lines, "\n") + "\n"), &out}); err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{
			tools("describe_%s_package") + ": without symbol", tools("get_%s_package_doc") + ": README",
			`"name":"describe_basic_package"`, "Documentation of a BASIC package",
			"name of a tape", "PLOT, TURTLE::GO", "dialect whose files to read",
			`"enum":["` + strings.Join(ids, `","`) + `"]`, ", turtle@2",
			"# TURTLE::GO (sub) in turtle@2", "**TURTLE::GO**",
			"Rewind first.", "Call describe_basic_package without symbol", `unknown property \"includeTypes\"`,
		} {
			if !strings.Contains(out.String(), part) {
				t.Errorf("the server does not say %q:\n%s", part, out.String())
			}
		}
	})
}

func TestNoTwoLanguagesHaveTheSameName(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range languages(true) {
		i := l.Info()
		for _, name := range append([]string{string(i.ID)}, i.Spellings...) {
			if seen[name] || name != strings.ToLower(name) {
				t.Errorf("%q is taken, or not in lower case", name)
			}
			seen[name] = true
		}
		h := &i.Help
		for what, text := range map[string]string{
			"Style.Name": i.Style.Name, "Noun": h.Noun, "Package": h.Package, "Versioned": h.Versioned,
			"Versions": h.Versions,
			"Symbols":  strings.Join(h.Symbols, ""), "Describe": strings.Join(h.Describe, ""), "Search": strings.Join(h.Search, ""),
			"Manifests": strings.Join(i.Manifests, ""), "ProjectFiles": strings.Join(i.ProjectFiles, ""),
		} {
			if text == "" {
				t.Errorf("%s does not say its %s", i.ID, what)
			}
		}
	}
}
