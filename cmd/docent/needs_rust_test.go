package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lookup"
)

// neededRust contains the crates whose functions the test requests, with their entries in
// Cargo.toml. cargo downloads their newest versions.
var neededRust = [][2]string{
	{"tokio", `{ version = "1", features = ["full"] }`}, {"clap", `"4"`}, {"regex", `"1"`}, {"hyper", `{ version = "1", features = ["full"] }`},
	{"axum", `"0.8"`}, {"chrono", `"0.4"`}, {"bytes", `"1"`}, {"http", `"1"`}, {"serde_json", `"1"`}, {"rayon", `"1"`},
	{"syn", `{ version = "2", features = ["full"] }`}, {"reqwest", `{ version = "0.12", features = ["json"] }`}, {"petgraph", `"0.8"`}, {"url", `"2"`}, {"tower", `{ version = "0.5", features = ["full"] }`},
	{"ratatui", `"0.29"`}, {"uuid", `{ version = "1", features = ["v4"] }`}, {"image", `"0.25"`}, {"crossterm", `"0.29"`}, {"nalgebra", `"0.33"`},
}

var (
	rustNames = regexp.MustCompile(`[A-Za-z_]\w*`)
	rustTypes = []apidoc.Kind{apidoc.Struct, apidoc.Union, apidoc.Trait, apidoc.TypeAlias, apidoc.Enum}
)

// inStd contains names of types in the standard library that crates also use.
var inStd = []string{"SocketAddr", "File", "Error", "Result", "Iter", "Ordering"}

// TestTheTypesOfParametersComeWithACallOfRust requests functions and methods of crates and checks
// that the answers contain the declarations of the parameter types that belong to the same crate.
func TestTheTypesOfParametersComeWithACallOfRust(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test fetches crates from a registry; to run it, set DOCENT_LIVE=1")
	}
	if _, err := exec.LookPath("cargo"); err != nil {
		t.Skip("cargo is not installed, which fetches the crates of this test; to run it, install Rust")
	}
	dir := t.TempDir()
	manifest := "[package]\nname = \"needs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n"
	for _, c := range neededRust {
		manifest += c[0] + " = " + c[1] + "\n"
	}
	for name, text := range map[string]string{"lib.rs": "", "Cargo.toml": manifest + "[lib]\npath = \"lib.rs\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cargo := exec.CommandContext(t.Context(), "cargo", "fetch")
	cargo.Dir = dir
	if out, err := cargo.CombinedOutput(); err != nil {
		t.Fatalf("cargo fetch: %v\n%s", err, out)
	}
	l := lookup.New(openStore(languages, true))
	v := &coverage{Lookup: l, language: "rust", project: dir, declaration: `\b(struct|enum|union|trait|type) %s\b`}
	for _, c := range neededRust {
		all := callsRust(t, l, dir, c[0])
		for _, one := range all[:min(len(all), 80)] { // limit the calls of each crate, so that no crate dominates the result
			v.ask(t, one)
		}
	}
	v.check(t, 400)
}

// callsRust returns the functions of a crate that take types of the crate, taking one from each
// module in turn.
func callsRust(t *testing.T, l *lookup.Lookup, dir, crate string) []call {
	t.Helper()
	read := func(name string) *apidoc.Package {
		found, _, err := l.Select(t.Context(), lookup.Description{Package: lookup.Package{Language: "rust", Name: name, Project: dir}})
		if err != nil {
			t.Fatal(err)
		}
		return found[0].Package
	}
	modules := []*apidoc.Package{read(crate)}
	for _, below := range modules[0].Subpackages {
		modules = append(modules, read(below.Name))
	}
	types := map[string]bool{}
	for _, m := range modules {
		for i := range m.Symbols {
			if s := &m.Symbols[i]; slices.Contains(rustTypes, s.Kind) {
				types[s.Name()] = true
			}
		}
	}
	var calls [][]call // calls by module
	for _, m := range modules {
		var here []call
		for s := range m.All {
			if s.From != "" || s.Deprecated != "" || s.Kind != apidoc.Method && s.Kind != apidoc.Function {
				continue
			}
			owner := s.ParentPath()
			params := genericsRust(s.Signature)
			if i := slices.IndexFunc(m.Symbols, func(t apidoc.Symbol) bool { return t.Path == owner }); i >= 0 {
				params += genericsRust(m.Symbols[i].Signature)
			}
			owner = owner[strings.LastIndexByte(owner, ':')+1:]
			c := call{pkg: m.Name, path: s.Path}
			for _, name := range rustNames.FindAllString(paramsRust(s.Signature), -1) {
				if types[name] && name != owner && !slices.Contains(c.types, name) && !slices.Contains(inStd, name) && !strings.Contains(params, name) {
					c.types = append(c.types, name)
				}
			}
			if len(c.types) > 0 {
				here = append(here, c)
			}
		}
		calls = append(calls, here)
	}
	var mixed []call
	for i := 0; ; i++ {
		n := len(mixed)
		for _, here := range calls {
			if i < len(here) {
				mixed = append(mixed, here[i])
			}
		}
		if len(mixed) == n {
			return mixed
		}
	}
}

// genericsRust returns the type parameters at the beginning of a declaration.
func genericsRust(declaration string) string {
	head, _, _ := strings.Cut(declaration, "(")
	head, _, _ = strings.Cut(head, "{")
	_, params, _ := strings.Cut(head, "<")
	return params
}

// paramsRust returns the types of the parameters of a function.
func paramsRust(declaration string) string {
	_, rest, _ := strings.Cut(declaration, "fn ")
	if _, after, ok := strings.Cut(rest, "("); ok {
		depth := 1
		for i, c := range after {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				return regexp.MustCompile(`\w+: `).ReplaceAllString(after[:i], " ")
			}
		}
	}
	return ""
}
