package interop

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// hosts contains clients that declare the project's directory as their root. INTEROP_ROOT contains
// the URI of the directory.
var hosts = []guest{
	{name: "fastmcp", command: python("fastclient.py")},
	{name: "Python SDK", command: python("client.py")},
	{name: "TypeScript SDK 1", command: typescript("1"), until: "2025-11-25"},
	{name: "TypeScript SDK 2", command: typescript("2")},
}

// typescript returns a function that returns the command line of a client for the given major
// version of the TypeScript SDK.
func typescript(line string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		return []string{installed(t), filepath.Join("typescript", "driven.mjs"), line}
	}
}

// TestDocent_Hosts sends questions without a project to docent serve, from hosts that declare the
// project as a root.
func TestDocent_Hosts(t *testing.T) {
	for _, host := range hosts {
		for _, transport := range []string{"stdio", "Streamable HTTP"} {
			for _, revision := range revisions {
				if host.until != "" && revision > host.until {
					continue
				}
				t.Run(host.name+" "+transport+" "+revision, func(t *testing.T) {
					command := host.command(t)
					root := tillProject(t)
					t.Setenv("INTEROP_ROOT", "file://"+root)
					// This test must not depend on packages that docent has read elsewhere.
					t.Setenv("DOCENT_OFFLINE", "1")
					t.Setenv("XDG_CACHE_HOME", t.TempDir())
					target := []string{docent(t), "serve"}
					if transport != "stdio" {
						target = []string{serveDocent(t) + "/mcp"}
					}
					d := drive(t, command, revision, target...)
					if d.revision() != revision {
						t.Fatalf("%s was negotiated, not %s", d.revision(), revision)
					}
					askDocent(t, d)
				})
			}
		}
	}
}

func askDocent(t *testing.T, d *driven) {
	tools, err := d.tools(t.Context())
	if err != nil || !slices.Contains(tools, "describe_npm_package") || !slices.Contains(tools, "check_code") {
		t.Errorf("the tools are %q, %v", tools, err)
	}
	for what, list := range map[string]func() ([]string, error){
		"prompts":   func() ([]string, error) { return d.prompts(t.Context()) },
		"resources": func() ([]string, error) { return d.resources(t.Context()) },
	} {
		if names, err := list(); err == nil && len(names) > 0 {
			t.Errorf("docent has the %s %q", what, names)
		}
	}
	for _, question := range []struct {
		tool string
		args map[string]any
		want []string
	}{
		{"describe_npm_package", map[string]any{"package": "till"}, []string{"till@1.2.3", "function ring(sum: number): string"}},
		{"search_package_docs", map[string]any{"query": "ring"}, []string{"ring", "till"}},
		{"check_code", map[string]any{"language": "npm", "code": "import { rung } from \"till\";\nrung(1);\n"}, []string{"rung", "till"}},
	} {
		got, err := d.call(t.Context(), question.tool, question.args)
		if err != nil || got.failed {
			t.Errorf("%s: %v, %s", question.tool, err, got.text)
			continue
		}
		for _, want := range question.want {
			if !strings.Contains(got.text, want) {
				t.Errorf("%s does not say %q:\n%s", question.tool, want, got.text)
			}
		}
	}
}

// tillProject creates a project in which the package till 1.2.3 is installed.
func tillProject(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"package.json":                   `{"name": "shop", "dependencies": {"till": "^1.0.0"}}`,
		"node_modules/till/package.json": `{"name": "till", "version": "1.2.3", "types": "./index.d.ts"}`,
		"node_modules/till/index.d.ts":   "/** Rings up a sum. */\nexport declare function ring(sum: number): string;\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// docentBuild builds docent with the dependencies of its own module.
var docentBuild = sync.OnceValues(func() (string, error) {
	build := exec.Command("go", "build", "-o", server+"-docent", "./cmd/docent")
	build.Dir = ".."
	build.Env = append(os.Environ(), "GOFLAGS=")
	build.Stderr = os.Stderr
	return server + "-docent", build.Run()
})

// docent returns the path of docent's executable.
func docent(t *testing.T) string {
	t.Helper()
	path, err := docentBuild()
	if err != nil {
		t.Fatalf("building docent: %v", err)
	}
	return path
}

// serveDocent starts docent on loopback and returns its URL without a path.
func serveDocent(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(docent(t), "serve", "--port", "0")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(line, "listening on ")
	if err != nil || !found {
		t.Fatalf("docent did not say where it listens: %q, %v", line, err)
	}
	address, _, _ = strings.Cut(strings.TrimSpace(address), "/mcp")
	return address
}
