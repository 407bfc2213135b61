package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	checkedFiles        = 1000
	checkedDependencies = 100
	changedFile         = 7 // its number
)

// checkedLanguage is a language in which a project is generated, whose files use random members of its dependencies.
type checkedLanguage struct {
	name string
	// manifests returns the files of the project other than its code and its dependencies.
	manifests func() map[string]string
	// dependency returns the files of a dependency.
	dependency func(name string) map[string]string
	// file is the name of a source file, in the form of fmt.Sprintf, and code returns its text.
	file string
	code func(r *rand.Rand, i int) string
	// compiler is the command that checks the same project, and tool the npm package that contains it, if any.
	compiler []string
	tool     string
}

// benchChecks measures docent check in a project with 1,000 files and 100 dependencies in each language, and the
// compiler of the language or a type checker beside it.
func benchChecks(ctx context.Context, dir, docent string, _ cache, runs int) error {
	fmt.Println()
	t := newTable()
	for _, l := range []checkedLanguage{goCode, tsCode, pythonCode, rustCode, swiftCode} {
		if err := errors.Join(l.bench(ctx, t, filepath.Join(dir, "check-"+l.name), docent, min(runs, 5)), t.Flush()); err != nil {
			return err
		}
	}
	return nil
}

func (l *checkedLanguage) bench(ctx context.Context, t table, app, docent string, runs int) error {
	if err := l.write(app); err != nil {
		return err
	}
	what := fmt.Sprintf("docent check, %d %s files, %d dependencies", checkedFiles, l.name, checkedDependencies)
	cmd := exec.CommandContext(ctx, docent, "check", "--offline")
	cmd.Dir = app
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("docent check in the %s project: %w: %.500s", l.name, err, out)
	}
	t.times(what+", empty cache, whole process", []time.Duration{time.Since(start)}, "")
	if err := l.settle(ctx, app, docent); err != nil {
		return err
	}
	changed := fmt.Sprintf(l.file, changedFile)
	for _, c := range []struct {
		what string
		args []string
		goal string
	}{{what, nil, "1 s"}, {"docent check of one of these files", []string{changed}, "300 ms"}} {
		var times []time.Duration
		var mib float64
		var processor time.Duration
		for range runs {
			cmd := exec.CommandContext(ctx, docent, append([]string{"check", "--offline"}, c.args...)...)
			cmd.Dir = app
			start := time.Now()
			if err := cmd.Run(); err != nil {
				return err
			}
			times = append(times, time.Since(start))
			used, _ := peak(cmd.ProcessState)
			mib, processor = max(mib, used), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
		}
		t.times(c.what+", whole process", times, c.goal)
		fmt.Fprintf(t, "its processor time\t%s\t\t\t\n", short(processor))
		fmt.Fprintf(t, "its larger process, peak memory\t%.1f MiB\t\t\t300 MB\n", mib)
	}
	s, _, err := open(ctx, app, docent)
	if err != nil {
		return err
	}
	times, err := l.callsAfterChanges(s, app, runs*4)
	if err := errors.Join(err, s.close()); err != nil {
		return err
	}
	t.times("check_code after each change of this file, over stdio", times, "20 ms")
	return l.compare(ctx, t, app)
}

// callsAfterChanges changes a file of the project n times, and has a server check it each time.
func (l *checkedLanguage) callsAfterChanges(s *session, app string, n int) ([]time.Duration, error) {
	name := fmt.Sprintf(l.file, changedFile)
	arguments := fmt.Sprintf(`{"files":%q,"projectPath":%q}`, name, app)
	var times []time.Duration
	for i := range n + 1 { // the first call reads the project
		r := rand.New(rand.NewPCG(uint64(i), 1)) //nolint:gosec // the changes are the same in each run
		if err := os.WriteFile(filepath.Join(app, filepath.FromSlash(name)), []byte(l.code(r, changedFile)), 0o600); err != nil {
			return nil, err
		}
		took, err := s.call("check_code", arguments)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			times = append(times, took)
		}
	}
	return times, nil
}

// settle repeats the check until its answers can be cached, because those from files that have just changed are not.
func (l *checkedLanguage) settle(ctx context.Context, app, docent string) error {
	for start := time.Now(); time.Since(start) < 5*time.Second; {
		if _, err := run(ctx, app, docent, "check", "--offline"); err != nil {
			return err
		}
	}
	return nil
}

// program returns the path of the compiler, or "" if it cannot be had.
func (l *checkedLanguage) program(ctx context.Context, app string) string {
	if l.tool == "" {
		path, _ := exec.LookPath(l.compiler[0]) // "" if it is not installed
		return path
	}
	tools := filepath.Join(filepath.Dir(app), "tools")
	_, failed := run(ctx, filepath.Dir(app), "npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", tools, l.tool)
	if failed != nil {
		return ""
	}
	return filepath.Join(tools, "node_modules", ".bin", l.compiler[0])
}

// compare measures the compiler.
func (l *checkedLanguage) compare(ctx context.Context, t table, app string) error {
	command := strings.Join(l.compiler, " ")
	name := l.program(ctx, app)
	if name == "" {
		fmt.Fprintf(t, "%s: skipped, because it is not installed and npm cannot install it\t\t\t\t\n", command)
		return nil
	}
	var times []time.Duration
	var processor time.Duration
	for range 2 { // the first run fills its cache
		cmd := exec.CommandContext(ctx, name, l.compiler[1:]...)
		cmd.Dir = app
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %.500s", command, err, out)
		}
		times = append(times, time.Since(start))
		processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	t.times(command+", the same project, first run", times[:1], "")
	t.times(command+", second run", times[1:], "")
	fmt.Fprintf(t, "its processor time\t%s\t\t\t\n", short(processor))
	return nil
}

// write generates the project.
func (l *checkedLanguage) write(app string) error {
	files := l.manifests()
	for i := range checkedDependencies {
		maps.Copy(files, l.dependency(fmt.Sprintf("dep%d", i)))
	}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the projects are the same in each run
	for i := range checkedFiles {
		files[fmt.Sprintf(l.file, i)] = l.code(r, i)
	}
	for name, text := range files {
		full := filepath.Join(app, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o750), os.WriteFile(full, []byte(text), 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// repeat returns n strings in which $ is replaced by their number.
func repeat(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "$", fmt.Sprint(i)))
	}
	return b.String()
}

// uses returns the code of a file: header for each of several dependencies, and body for each of several uses of
// them. @ stands for the dependency, $ for the number of a type or function, and % for the number of the use.
func uses(r *rand.Rand, header, between, body string) string {
	var b strings.Builder
	var names []string
	for _, i := range r.Perm(checkedDependencies)[:5] {
		names = append(names, fmt.Sprintf("dep%d", i))
		b.WriteString(strings.ReplaceAll(header, "@", names[len(names)-1]))
	}
	b.WriteString(between)
	for i := range 20 {
		b.WriteString(strings.NewReplacer("@", names[i%len(names)], "$", fmt.Sprint(r.IntN(50)), "%", fmt.Sprint(i)).Replace(body))
	}
	return b.String()
}

// each returns text for each dependency, in which @ is replaced by its name.
func each(text string) string {
	return strings.ReplaceAll(repeat(checkedDependencies, text), "@", "dep")
}

var goCode = checkedLanguage{
	name: "Go",
	manifests: func() map[string]string {
		return map[string]string{
			"go.mod":             "module example.com/app\n\ngo 1.24\n\nrequire (\n" + each("\texample.com/@$ v1.0.0\n") + ")\n",
			"vendor/modules.txt": each("# example.com/@$ v1.0.0\n## explicit; go 1.24\nexample.com/@$\n"),
		}
	},
	dependency: func(name string) map[string]string {
		return map[string]string{"vendor/example.com/" + name + "/a.go": "// Package " + name + " makes boxes.\npackage " + name + "\n\nimport \"fmt\"\n" + repeat(50, `
// Box$ is a box.
type Box$ struct {
	Size int
	Name string
}

// New$ makes a box.
func New$(size int, name string) *Box$ { return &Box${size, fmt.Sprint(name)} }

// Grow makes it larger.
func (b *Box$) Grow(by int) *Box$ { b.Size += by; return b }
`)}
	},
	file: "part%d/a.go",
	code: func(r *rand.Rand, i int) string {
		return fmt.Sprintf("package part%d\n\nimport (\n\t\"fmt\"\n", i) + uses(r, "\t\"example.com/@\"\n", ")\n", `
func use%(n int) int {
	box := @.New$(n, fmt.Sprint(n))
	return box.Grow(2).Size + len(box.Name)
}
`)
	},
	compiler: []string{"go", "vet", "./..."},
}

var tsCode = checkedLanguage{
	name: "TypeScript",
	manifests: func() map[string]string {
		return map[string]string{
			"package.json":      `{"name":"app","version":"1.0.0","type":"module","dependencies":{` + strings.TrimSuffix(each(`"@$":"1.0.0",`), ",") + `}}`,
			"package-lock.json": `{"name":"app","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"app","version":"1.0.0","dependencies":{` + strings.TrimSuffix(each(`"@$":"1.0.0",`), ",") + `}},` + strings.TrimSuffix(each(`"node_modules/@$":{"version":"1.0.0"},`), ",") + `}}`,
			"tsconfig.json":     `{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","target":"es2022"},"include":["src"]}`,
		}
	},
	dependency: func(name string) map[string]string {
		dir := "node_modules/" + name + "/"
		return map[string]string{
			dir + "package.json": `{"name":"` + name + `","version":"1.0.0","types":"index.d.ts","main":"index.js"}`,
			dir + "index.js":     repeat(50, "exports.make$ = (size, name) => ({ size, name });\n"),
			dir + "index.d.ts":   repeat(50, "/** A box. */\nexport interface Box$ {\n\tsize: number;\n\tname: string;\n\t/** Makes it larger. */\n\tgrow(by: number): Box$;\n}\n/** Makes a box. */\nexport function make$(size: number, name: string): Box$;\n"),
		}
	},
	file: "src/part%d.ts",
	code: func(r *rand.Rand, _ int) string {
		return uses(r, "import * as @ from \"@\";\n", "", `
export function use%(n: number): number {
	const box = @.make$(n, String(n));
	return box.grow(2).size + box.name.length;
}
`)
	},
	compiler: []string{"tsc", "-p", "."},
	tool:     "typescript",
}

var pythonCode = checkedLanguage{
	name: "Python",
	manifests: func() map[string]string {
		return map[string]string{
			"pyproject.toml":       "[project]\nname = \"app\"\nversion = \"1.0.0\"\ndependencies = [" + each(`"@$==1.0.0", `) + "]\n",
			"pyrightconfig.json":   `{"venvPath":".","venv":".venv"}`,
			".venv/pyvenv.cfg":     "version = 3.12.0\n",
			".venv/bin/python3.12": "",
		}
	},
	dependency: func(name string) map[string]string {
		dir := ".venv/lib/python3.12/site-packages/" + name
		return map[string]string{
			dir + "-1.0.0.dist-info/METADATA":      "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0.0\n",
			dir + "-1.0.0.dist-info/RECORD":        name + "/__init__.py,,\n" + name + "/py.typed,,\n" + name + "-1.0.0.dist-info/METADATA,,\n" + name + "-1.0.0.dist-info/RECORD,,\n",
			dir + "-1.0.0.dist-info/top_level.txt": name + "\n",
			dir + "/py.typed":                      "",
			dir + "/__init__.py":                   repeat(50, "\nclass Box$:\n    \"\"\"A box.\"\"\"\n    size: int\n    name: str\n\n    def grow(self, by: int) -> \"Box$\":\n        \"\"\"Makes it larger.\"\"\"\n        return self\n\n\ndef make$(size: int, name: str) -> Box$:\n    \"\"\"Makes a box.\"\"\"\n    return Box$()\n"),
		}
	},
	file: "app/part%d.py",
	code: func(r *rand.Rand, _ int) string {
		return uses(r, "import @\n", "", `

def use%(n: int) -> int:
    box = @.make$(n, name=str(n))
    return box.grow(2).size + len(box.name)
`)
	},
	compiler: []string{"pyright"},
	tool:     "pyright",
}

var rustCode = checkedLanguage{
	name: "Rust",
	manifests: func() map[string]string {
		const index = "https://registry.example/index"
		return map[string]string{
			"Cargo.toml":         "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[dependencies]\n" + each("@$ = { version = \"1.0.0\", registry = \"bench\" }\n"),
			"Cargo.lock":         "version = 3\n\n[[package]]\nname = \"app\"\nversion = \"1.0.0\"\ndependencies = [\n" + each(" \"@$\",\n") + "]\n" + each("\n[[package]]\nname = \"@$\"\nversion = \"1.0.0\"\nsource = \"registry+"+index+"\"\nchecksum = \""+strings.Repeat("0", 64)+"\"\n"),
			".cargo/config.toml": "[registries.bench]\nindex = \"" + index + "\"\n[source.bench]\nregistry = \"" + index + "\"\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
			"src/lib.rs":         repeat(checkedFiles, "pub mod part$;\n"),
		}
	},
	dependency: func(name string) map[string]string {
		dir := "vendor/" + name + "/"
		return map[string]string{
			dir + "Cargo.toml":           "[package]\nname = \"" + name + "\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
			dir + ".cargo-checksum.json": `{"files":{},"package":"` + strings.Repeat("0", 64) + `"}`,
			dir + "src/lib.rs": repeat(50, `
/// A box.
#[derive(Clone, Debug)]
pub struct Box$ { pub size: usize, pub name: String }

impl Box$ {
    /// Makes it larger.
    pub fn grow(self, by: usize) -> Self { Self { size: self.size + by, ..self } }
}

/// Makes a box.
pub fn make$(size: usize, name: &str) -> Box$ { Box$ { size, name: name.to_string() } }
`),
		}
	},
	file: "src/part%d.rs",
	code: func(r *rand.Rand, _ int) string {
		return "use std::collections::HashMap;\n" + uses(r, "use @;\n", "", `
pub fn use%(n: usize, names: &HashMap<usize, String>) -> usize {
    let made = @::make$(n, &names[&n]);
    made.clone().grow(2).size + made.name.len()
}
`)
	},
	compiler: []string{"cargo", "check", "--quiet", "--offline"},
}

var swiftCode = checkedLanguage{
	name: "Swift",
	manifests: func() map[string]string {
		const pin = `{"identity":"@$","kind":"remoteSourceControl","location":"https://git.example/@$.git","state":{"revision":"0123456789012345678901234567890123456789","version":"1.0.0"}},`
		const state = `{"basedOn":null,"packageRef":{"identity":"@$","kind":"remoteSourceControl","location":"https://git.example/@$.git","name":"@$"},"state":{"checkoutState":{"revision":"0123456789012345678901234567890123456789","version":"1.0.0"},"name":"sourceControlCheckout"},"subpath":"@$"},`
		return map[string]string{
			"Package.swift": "// swift-tools-version:5.9\nimport PackageDescription\n\nlet package = Package(name: \"app\", dependencies: [\n" + each("    .package(url: \"https://git.example/@$.git\", from: \"1.0.0\"),\n") +
				"], targets: [.target(name: \"App\", dependencies: [\n" + each("    .product(name: \"@$\", package: \"@$\"),\n") + "])])\n",
			"Package.resolved":            `{"version":2,"pins":[` + strings.TrimSuffix(each(pin), ",") + "]}",
			".build/workspace-state.json": `{"version":6,"object":{"artifacts":[],"dependencies":[` + strings.TrimSuffix(each(state), ",") + "]}}",
		}
	},
	dependency: func(name string) map[string]string {
		dir := ".build/checkouts/" + name + "/"
		return map[string]string{
			dir + "Package.swift": "// swift-tools-version:5.9\nimport PackageDescription\n\nlet package = Package(name: \"" + name + "\", products: [.library(name: \"" + name + "\", targets: [\"" + name + "\"])], targets: [.target(name: \"" + name + "\")])\n",
			dir + "Sources/" + name + "/a.swift": repeat(50, `
/// A box.
public struct Box$ {
    public var size: Int
    public let name: String

    /// Makes it larger.
    public func grow(by: Int) -> Box$ { Box$(size: size + by, name: name) }
}

/// Makes a box.
public func make$(size: Int, name: String) -> Box$ { Box$(size: size, name: name) }
`),
		}
	},
	file: "Sources/App/part%d.swift",
	code: func(r *rand.Rand, i int) string {
		return uses(r, "import @\n", fmt.Sprintf("\nenum Part%d {", i), `
    static func use%(n: Int) -> Int {
        let made = @.make$(size: n, name: String(n))
        return made.grow(by: 2).size + made.name.count
    }
`) + "}\n"
	},
	compiler: []string{"swift", "build"},
}
