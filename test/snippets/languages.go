package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// language tells how the errors in a project are found.
type language struct {
	command string // that has to be installed
	install func(ctx context.Context, dir string) error
	judge   func(ctx context.Context, dir string) ([]fault, error)
	hiding  []string // the kinds of errors after which the compiler may not report others in the same file
}

var languages = map[string]language{
	"go":     {"go", installer("go", "mod", "tidy", "-e"), build, []string{"package"}},
	"npm":    {"npm", installer("npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent"), tsc, nil},
	"python": {"python3", installPython, pyright, nil},
	"rust":   {"cargo", installer("cargo", "fetch", "--quiet"), cargo, []string{"package", "name"}},
}

func installer(command string, args ...string) func(ctx context.Context, dir string) error {
	return func(ctx context.Context, dir string) error {
		_, err := output(ctx, dir, command, args...)
		return err
	}
}

// classes tell the kinds of errors by their messages. The first match counts.
type classes []struct {
	kind    string
	matches *regexp.Regexp
}

func (all classes) kind(message string) string {
	for _, class := range all {
		if class.matches.MatchString(message) {
			return class.kind
		}
	}
	return "other"
}

var goKinds = classes{
	{"package", regexp.MustCompile(`no required module provides|is not in std|cannot find module|does not contain package|could not import`)},
	{"field", regexp.MustCompile(`unknown field|too (?:few|many) values in struct`)},
	{"member", regexp.MustCompile(`undefined \(|missing method|unexported field|not exported by`)},
	{"name", regexp.MustCompile(`undefined: `)},
	{"call", regexp.MustCompile(`(?:not enough|too many) (?:arguments|return values)|assignment mismatch`)},
}

var goError = regexp.MustCompile(`(?m)^(?:\./)?([^\s:]+\.go):(\d+):\d+: (.*)$`)

// build returns the errors of the Go compiler. An import that does not exist hides the other errors in its package only.
func build(ctx context.Context, dir string) (faults []fault, err error) {
	c := exec.CommandContext(ctx, "go", "list", "-e", "-export", "-test", "-gcflags=-e", "-f", "{{with .Error}}{{.Pos}}: {{.Err}}\n{{end}}{{range .DepsErrors}}{{.Pos}}: {{.Err}}\n{{end}}", "./...")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, err
	}
	for _, m := range goError.FindAllSubmatch(out, -1) {
		line, _ := strconv.Atoi(string(m[2])) // a number, by the expression
		faults = append(faults, fault{string(m[1]), line, line, goKinds.kind(string(m[3])), string(m[3])})
	}
	return faults, nil
}

var typescriptKinds = classes{
	{"package", regexp.MustCompile(`^TS(?:2307|7016|2792):`)},
	{"name", regexp.MustCompile(`^TS(?:2305|2614|2724|2694|2304|2552|2459|1192|2613|2503):`)},
	{"member", regexp.MustCompile(`^TS(?:2339|2551|2576|2445|2341|2349|2351):`)},
	{"field", regexp.MustCompile(`^TS(?:2353|2561|2741|2739|2740):|^TS23(?:22|45|5|69):.*(?:does not exist in type|is missing in type|missing the following properties)|^TS2769:.*does not exist in type`)},
	{"call", regexp.MustCompile(`^TS(?:2554|2555|2556|2575|2558|2769):`)},
}

var typescriptError = regexp.MustCompile(`(?m)^([^\s(]+)\((\d+),\d+\): error (TS\d+: .*)$`)

// tsc returns the errors of the TypeScript compiler.
func tsc(ctx context.Context, dir string) (faults []fault, err error) {
	out, err := output(ctx, dir, "node", "node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", ".")
	for _, m := range typescriptError.FindAllSubmatch(out, -1) {
		line, _ := strconv.Atoi(string(m[2])) // a number, by the expression
		faults = append(faults, fault{string(m[1]), line, line, typescriptKinds.kind(string(m[3])), string(m[3])})
	}
	return faults, err
}

// installPython installs the requirements in a virtual environment, and pyright.
func installPython(ctx context.Context, dir string) error {
	if err := installer("python3", "-m", "venv", ".venv")(ctx, dir); err != nil {
		return err
	}
	if err := installer(filepath.Join(".venv", "bin", "pip"), "install", "-q", "-r", "requirements.txt")(ctx, dir); err != nil {
		return err
	}
	return installer("npm", "install", "--prefix", "..", "--no-audit", "--no-fund", "--silent", "pyright")(ctx, dir)
}

var pyrightKinds = classes{
	{"package", regexp.MustCompile(`^reportMissing(?:Imports|ModuleSource): `)},
	{"name", regexp.MustCompile(`^reportAttributeAccessIssue: .*(?:is not a known attribute of module|is unknown import symbol)`)},
	{"field", regexp.MustCompile(`^report\w+: .*(?:is not a defined key|is required in|is an undefined item)`)},
	{"member", regexp.MustCompile(`^reportAttributeAccessIssue: `)},
	{"call", regexp.MustCompile(`^reportCallIssue: `)},
}

// pyright returns the errors of pyright.
func pyright(ctx context.Context, dir string) (faults []fault, err error) {
	config := `{"include": ["."], "exclude": ["**/.venv"], "pythonVersion": "3.11", "typeCheckingMode": "basic", "reportOptionalMemberAccess": "none"}`
	if err := os.WriteFile(filepath.Join(dir, "pyrightconfig.json"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	out, err := output(ctx, dir, "../node_modules/.bin/pyright", "--outputjson", "--pythonpath", filepath.Join(".venv", "bin", "python"), "-p", ".")
	if err != nil {
		return nil, err
	}
	var report struct {
		Diagnostics []struct {
			File, Severity, Message, Rule string
			Range                         struct{ Start, End struct{ Line int } }
		} `json:"generalDiagnostics"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, err
	}
	for _, d := range report.Diagnostics {
		name, err := filepath.Rel(dir, d.File)
		if err != nil {
			return nil, err
		}
		if message := d.Rule + ": " + strings.ReplaceAll(d.Message, "\n", " "); d.Severity == "error" {
			faults = append(faults, fault{filepath.ToSlash(name), d.Range.Start.Line + 1, d.Range.End.Line + 1, pyrightKinds.kind(message), message})
		}
	}
	return faults, nil
}

var rustKinds = classes{
	{"package", regexp.MustCompile(`unresolved (?:module or unlinked crate|import)|use of unresolved module or unlinked crate|can't find crate`)},
	{"name", regexp.MustCompile(`^E0(?:432|433|425|412|405|404|422|531|574|603): `)},
	{"member", regexp.MustCompile(`^E0(?:599|609|610|616|624|576): `)},
	{"call", regexp.MustCompile(`^E0(?:061|060|057|107|618): `)},
	{"field", regexp.MustCompile(`^E0(?:560|063|559|026|027|451): `)},
}

// cargo returns the errors of cargo check. The build scripts and procedural macros of the dependencies run.
func cargo(ctx context.Context, dir string) (faults []fault, err error) {
	out, err := output(ctx, dir, "cargo", "check", "--quiet", "--offline", "--examples", "--keep-going", "--message-format=json")
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(out) {
		var message struct {
			Reason  string
			Message struct {
				Level, Message string
				Code           *struct{ Code string }
				Spans          []struct {
					File    string `json:"file_name"`
					First   int    `json:"line_start"`
					Last    int    `json:"line_end"`
					Primary bool   `json:"is_primary"`
				}
			}
		}
		if json.Unmarshal(line, &message) != nil || message.Reason != "compiler-message" || message.Message.Level != "error" {
			continue
		}
		code := ""
		if message.Message.Code != nil {
			code = message.Message.Code.Code
		}
		for _, span := range message.Message.Spans {
			if span.Primary {
				text := cmp.Or(code, "E") + ": " + message.Message.Message
				faults = append(faults, fault{filepath.ToSlash(span.File), span.First, span.Last, rustKinds.kind(text), text})
				break
			}
		}
	}
	return faults, nil
}
