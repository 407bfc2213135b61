// Package floors_test holds the shape of the repository: which package may
// import which, and which code of others comes in where.
package floors_test

import (
	"fmt"
	"go/parser"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "github.com/docent-mcp/docent"

// floors lists the directories of the house from the top down. A package
// belongs to the longest directory that its own starts with, and imports
// only packages of lower floors or of its own directory.
var floors = []string{
	"internal/floors",
	"internal/bench",
	"internal/limits",
	"test/accuracy",
	"test/check",
	"test/snippets",
	"test/attack",
	"test/audit",
	"test/compare",
	"test/deps",
	"test/memory",
	"test/mutate",
	"test/soak",
	"test/relevance",
	"test/links",
	"test/trial",
	"test/conformance",
	"examples",
	"cmd/docent",
	"internal/setup",
	"internal/mcpproxy",
	"internal/inspector",
	"internal/teamserver",
	"internal/docserver",
	"internal/web",
	"internal/browse",
	"internal/lookup",
	"internal/resolve",
	"internal/catalog",
	"internal/depindex",
	"internal/audit",
	"internal/depgraph",
	"internal/section",
	"internal/compare",
	"internal/check",
	"internal/answer",
	"internal/apijson",
	"internal/search",
	"internal/store",
	"internal/upstream",
	"internal/webdocs",
	"internal/languages",
	"internal/ecosystem/golang",
	"internal/ecosystem/npm",
	"internal/ecosystem/python",
	"internal/ecosystem/rust",
	"internal/ecosystem/swift",
	"internal/usetest",
	"internal/modeltest",
	"internal/ecosystem",
	"internal/skill",
	"internal/program",
	"internal/project",
	"internal/yaml",
	"internal/fetch",
	"internal/progress",
	"internal/span",
	"internal/fingerprint",
	"internal/cachedir",
	"internal/memory",
	"internal/archive",
	"internal/git",
	"internal/terminal",
	"internal/console",
	"internal/quote",
	"internal/schemaform",
	"internal/prose",
	"internal/markup",
	"internal/lazyregexp",
	"internal/work",
	"internal/environ",
	"internal/rootfs",
	"internal/filetest",
	"internal/extent",
	"internal/parallel",
	"internal/highlight",
	"internal/naming",
	"internal/spelling",
	"internal/apicodec",
	"internal/apidoc",
	"mcp",
}

// languages are next to each other, not above one another: what two of them
// share lies on a lower floor.
const languages = "internal/ecosystem/"

// library is the part of the module that other modules import. It must not depend on other packages
// of docent, and only the packages that implement MCP may depend on it.
const library = "mcp"

var aboveLibrary = []string{"internal/docserver", "internal/teamserver", "internal/mcpproxy", "internal/inspector", "cmd/docent", "internal/bench", "test/conformance", "examples", "test/attack", "test/memory", "test/soak"}

// guests use the library as code outside this repository does: nothing else
// of the house is within their reach.
var guests = []string{"test/conformance", "examples"}

// thirdParty lists every dependency, the directories that may import it, and the reason for using
// it.
var thirdParty = []struct {
	path, reason string
	in           []string
}{
	{
		path:   "github.com/go-json-experiment/json",
		reason: "one-pass JSON with exact numbers and no re-compaction; encoding/json/v2 from Go 1.27 on",
		in:     []string{"mcp", "internal"},
	},
	{
		path:   "golang.org/x/mod",
		reason: "go.mod, go.sum, go.work, module paths and versions, read as the go command reads them",
		in:     []string{"internal/ecosystem/golang", "internal/project"},
	},
	{
		path:   "go.yaml.in/yaml/v3",
		reason: "what the tests compare the own reader of lock files and settings with: the library compares all keys of a mapping in pairs, repeats them in its errors, and takes seconds for a lock file of 100,000 packages; the positions of nodes in configurations of hosts; the tree of the fields at the top of a skill; the definitions of the pre-commit hook and the action, in a test",
		in:     []string{"internal/yaml", "internal/setup", "mcp/skills", "cmd/docent"},
	},
	{
		path:   "github.com/pelletier/go-toml/v2",
		reason: "the settings of tools that keep them as TOML, with a bound against deep nesting",
		in:     []string{"internal/ecosystem", "internal/project", "internal/setup", "internal/teamserver"},
	},
	{
		path:   "github.com/tailscale/hujson",
		reason: "JSON with comments and trailing commas, with the offsets of all values, for edits that keep the rest of a host's configuration",
		in:     []string{"internal/setup"},
	},
	{
		path:   "github.com/klauspost/compress",
		reason: "gzip a quarter faster than the standard library reads it, which is most of the way from a tarball to its documentation",
		in:     []string{"internal/archive"},
	},
	{
		path:   "golang.org/x/net/html",
		reason: "tags, attributes and entities of HTML, read as browsers read them",
		in:     []string{"internal/markup", "internal/ecosystem/python", "internal/web", "test/links"},
	},
	{
		path:   "github.com/yuin/goldmark",
		reason: "Markdown with tables and HTML, rendered as code hosts do; it has no dependencies",
		in:     []string{"internal/web", "internal/terminal"},
	},
	{
		path:   "github.com/clipperhouse/displaywidth",
		reason: "how many columns of a terminal a text takes, by Unicode's tables",
		in:     []string{"internal/terminal"},
	},
	{
		path:   "github.com/microcosm-cc/bluemonday",
		reason: "an allowlist of elements, attributes and addresses for HTML that strangers write",
		in:     []string{"internal/web"},
	},
	{
		path:   "github.com/github/go-spdx/v2",
		reason: "the list of SPDX identifiers, and whether an expression of licences is satisfied by those that are allowed",
		in:     []string{"internal/audit"},
	},
	{
		path:   "golang.org/x/text/encoding",
		reason: "the tables of the encodings that source files of Python declare",
		in:     []string{"internal/ecosystem/python"},
	},
	{
		path:   "deps.dev/util/semver",
		reason: "version ranges as npm resolves them",
		in:     []string{"internal/ecosystem/npm"},
	},
	{
		path:   "github.com/bmatcuk/doublestar/v4",
		reason: "the patterns of .gitignore, but for the few rules that git adds to them",
		in:     []string{"internal/check"},
	},
	{
		path:   "github.com/spf13/cobra",
		reason: "commands, flags, help and shell completion",
		in:     []string{"cmd/docent"},
	},
	{
		path:   "github.com/spf13/pflag",
		reason: "the flags of cobra's commands, which the manual page lists, and which configuration files set",
		in:     []string{"cmd/docent", "internal/teamserver/command"},
	},
	{
		path:   "golang.org/x/sys",
		reason: "file locks and the modes of the console on Windows, which the standard library keeps to itself",
		in:     []string{"internal/cachedir", "mcp/auth", "internal/console"},
	},
	{
		path:   "golang.org/x/oauth2",
		reason: "requests to token endpoints and the many forms of their answers, and PKCE; servers without authorization do not need it",
		in:     []string{"mcp/auth"},
	},
	{
		path:   "golang.org/x/time",
		reason: "token buckets for the middleware that limits calls; the library without it does not need them",
		in:     []string{"mcp/ratelimit"},
	},
	{
		path:   "github.com/golang-jwt/jwt/v5",
		reason: "signatures of JWT access tokens; it has no dependencies, and the library without authorization does not need it",
		in:     []string{"mcp/auth"},
	},
}

func TestImportsOnlyGoDown(t *testing.T) {
	expectNone(t, check)
}

func TestCheckNamesWhatBreaksTheFloors(t *testing.T) {
	tests := []struct {
		name, file, source string
		want               string // a part of the one complaint; empty wants none
	}{
		{
			"an import of a lower floor is fine",
			"internal/answer/a.go", `package answer; import _ "` + module + `/internal/apidoc"`, "",
		},
		{
			"an import of a higher floor is named",
			"internal/apidoc/a.go", `package apidoc; import _ "` + module + `/internal/answer"`,
			"internal/apidoc/a.go imports internal/answer, which is a floor above it",
		},
		{
			"a test file counts too",
			"internal/store/a_test.go", `package store; import _ "` + module + `/cmd/docent"`,
			"internal/store/a_test.go imports cmd/docent, which is a floor above it",
		},
		{
			"a language may import what all languages share",
			"internal/ecosystem/golang/a.go", `package golang; import _ "` + module + `/internal/ecosystem"`, "",
		},
		{
			"a language may not import another",
			"internal/ecosystem/golang/a.go", `package golang; import _ "` + module + `/internal/ecosystem/npm"`,
			"imports internal/ecosystem/npm, another language",
		},
		{
			"the library may import its own internal packages",
			"mcp/a.go", `package mcp; import _ "` + module + `/mcp/internal/jsonrpc"`, "",
		},
		{
			"the library may not import docent",
			"mcp/internal/wire/a.go", `package wire; import _ "` + module + `/internal/apidoc"`,
			"imports internal/apidoc, but mcp stands on nothing of docent's",
		},
		{
			"the server may import the library",
			"internal/docserver/a.go", `package docserver; import _ "` + module + `/mcp"`, "",
		},
		{
			"a floor that does not speak MCP may not",
			"internal/search/a.go", `package search; import _ "` + module + `/mcp"`,
			"imports mcp, but only internal/docserver, internal/teamserver, internal/mcpproxy, internal/inspector, cmd/docent, internal/bench, test/conformance, examples, test/attack, test/memory, test/soak speak MCP",
		},
		{
			"a guest may import the library",
			"examples/weather/a.go", `package main; import _ "` + module + `/mcp/mcptest"`, "",
		},
		{
			"a guest may not import the rest of the house",
			"examples/weather/a.go", `package main; import _ "` + module + `/internal/apidoc"`,
			"imports internal/apidoc, but a guest of the library uses nothing else",
		},
		{
			"a guest may not import what others cannot",
			"test/conformance/server/a.go", `package main; import _ "` + module + `/mcp/internal/wire"`,
			"imports mcp/internal/wire, which no code outside",
		},
		{
			"a listed module is fine where it is listed",
			"cmd/docent/a.go", `package main; import _ "github.com/spf13/cobra"`, "",
		},
		{
			"a listed module elsewhere is named",
			"mcp/a.go", `package mcp; import _ "github.com/spf13/cobra"`,
			"imports github.com/spf13/cobra, which is listed for cmd/docent only",
		},
		{
			"a module that only shares a listed name's beginning is not listed",
			"cmd/docent/a.go", `package main; import _ "github.com/spf13/cobrax"`,
			"imports github.com/spf13/cobrax, which is not listed",
		},
		{
			"an unlisted module is named",
			"mcp/a.go", `package mcp; import _ "example.com/surprise"`,
			"imports example.com/surprise, which is not listed",
		},
		{
			"cgo is refused",
			"internal/archive/a.go", `package archive; import "C"`,
			"uses cgo",
		},
		{
			"a directory without a floor is named",
			"internal/utils/a.go", `package utils`,
			"internal/utils has no floor",
		},
		{
			"the standard library is fine",
			"mcp/a.go", `package mcp; import _ "net/http"`, "",
		},
		{
			"other modules in the tree are not looked at",
			"other/a.go", `package other; import "C"`, "",
		},
		{
			"test data is not looked at",
			"mcp/testdata/a.go", `package other; import "C"`, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, files, err := check(fstest.MapFS{
				"go.mod":       {Data: []byte("module " + module)},
				"other/go.mod": {Data: []byte("module example.com/other")},
				tt.file:        {Data: []byte(tt.source)},
			})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("complained without need: %q", got)
			case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
				t.Errorf("got %q, want one complaint with %q", got, tt.want)
			case tt.want != "" && files != 1:
				t.Errorf("looked at %d files, want 1", files)
			}
		})
	}
}

// check reads the imports of every Go file of the module at the root of fsys
// and returns a sentence for each that the house does not allow, and how many
// files it read.
func check(fsys fs.FS) (complaints []string, files int, err error) {
	leaveOut := func(name string, dir bool) bool { return dir && outside(fsys, name) }
	err = eachGoFile(fsys, ".", parser.ImportsOnly, leaveOut, func(file *goFile) error {
		files++
		dir := path.Dir(file.name)
		if floorOf(dir) < 0 {
			c := dir + " has no floor: give it one in internal/floors and ARCHITECTURE.md"
			if !slices.Contains(complaints, c) {
				complaints = append(complaints, c)
			}
			return nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if c := complaint(dir, imported); c != "" {
				complaints = append(complaints, file.name+" "+c)
			}
		}
		return nil
	})
	return complaints, files, err
}

// complaint returns a description of the mistake in an import of a file in dir, or "" if there is
// none.
func complaint(dir, imported string) string {
	if imported == "C" {
		return `uses cgo (import "C"), and the house is pure Go`
	}
	target, ours := strings.CutPrefix(imported, module+"/")
	if !ours {
		return foreign(dir, imported)
	}
	from, to := floors[floorOf(dir)], ""
	if i := floorOf(target); i >= 0 {
		to = floors[i]
	}
	switch {
	case to == "":
		return fmt.Sprintf("imports %s, which has no floor", target)
	case from == to:
		return ""
	case from == library:
		return fmt.Sprintf("imports %s, but %s stands on nothing of docent's", target, library)
	case to != library && slices.Contains(guests, from):
		return fmt.Sprintf("imports %s, but a guest of the library uses nothing else of the house", target)
	case to == library && slices.Contains(guests, from) && target != library && strings.Contains(target, "/internal/"):
		return fmt.Sprintf("imports %s, which no code outside the repository could", target)
	case to == library:
		if slices.Contains(aboveLibrary, from) {
			return ""
		}
		return fmt.Sprintf("imports %s, but only %s speak MCP", target, strings.Join(aboveLibrary, ", "))
	case strings.HasPrefix(from, languages) && strings.HasPrefix(to, languages):
		return fmt.Sprintf("imports %s, another language; what two languages share lies on a lower floor", target)
	case floorOf(target) < floorOf(dir):
		return fmt.Sprintf("imports %s, which is a floor above it", target)
	}
	return ""
}

// foreign returns a description of the mistake in an import from outside this module, or "" if
// there is none.
func foreign(dir, imported string) string {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return "" // The import is from the standard library.
	}
	for _, m := range thirdParty {
		if !under(imported, m.path) {
			continue
		}
		for _, allowed := range m.in {
			if under(dir, allowed) {
				return ""
			}
		}
		return fmt.Sprintf("imports %s, which is listed for %s only (%s)", imported, strings.Join(m.in, ", "), m.reason)
	}
	return fmt.Sprintf("imports %s, which is not listed: add its module to internal/floors with the reason", imported)
}

// floorOf returns the index in floors of the longest entry that dir lies under,
// -1 if there is none.
func floorOf(dir string) int {
	best := -1
	for i, f := range floors {
		if under(dir, f) && (best < 0 || len(f) > len(floors[best])) {
			best = i
		}
	}
	return best
}

func under(name, parent string) bool {
	return name == parent || strings.HasPrefix(name, parent+"/")
}
