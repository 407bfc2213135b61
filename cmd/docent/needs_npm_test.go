package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/lookup"
)

// neededNPM contains the packages whose functions the test requests. npm installs their newest
// versions.
var neededNPM = []string{
	"@babel/types", "@tanstack/query-core", "@tiptap/core", "@trpc/server", "axios", "chart.js", "commander", "date-fns", "effect", "execa", "fastify", "fp-ts",
	"got", "graphql", "hono", "i18next", "ioredis", "jotai", "kysely", "rxjs", "ts-morph", "undici", "vite", "winston", "zod",
}

// TestTheTypesOfParametersComeWithACallOfNPM requests functions and methods of npm packages and
// checks that the answers contain the types of their parameters, as resolved by TypeScript's
// compiler.
func TestTheTypesOfParametersComeWithACallOfNPM(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test installs npm packages from a registry; to run it, set DOCENT_LIVE=1")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, stderr.Bytes())
		}
		return out
	}
	script, err := os.ReadFile(filepath.Join("testdata", "params.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"package.json": []byte(`{"name": "needs", "private": true}`), "params.mjs": script} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("npm", append([]string{"install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error", "typescript@5", "@types/node"}, neededNPM...)...)
	out := run("node", append([]string{"params.mjs", "."}, neededNPM...)...)

	v := &coverage{
		Lookup: lookup.New(openStore(languages, true)), language: "npm", project: dir,
		declaration: `\b(interface|type|class|enum|namespace) %[1]s\b|\(exported as %[1]s\)`,
	}
	counted := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			Package, Path string
			Types         []string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if counted[c.Package]++; counted[c.Package] <= 40 { // limit the calls of each package, so that no package dominates the result
			v.ask(t, call{pkg: c.Package, path: c.Path, types: c.Types})
		}
	}
	v.check(t, 400)
}
