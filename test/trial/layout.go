package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// trial is the content of trial.json, which describes a folder for judge.
type trial struct {
	Source    string   `json:"source"`
	Std       string   `json:"std,omitempty"`
	Languages []string `json:"languages,omitempty"`
	Testdata  string   `json:"testdata"`
}

// layout fills dir with a project, the tasks, and the script that the agent uses to query its
// source.
func (t *trial) layout(ctx context.Context, w io.Writer, dir, docent string) error {
	if t.Source != "docent" && t.Source != "shell" {
		return fmt.Errorf("--source is %q; give docent or shell", t.Source)
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty; give a new folder", dir)
	}
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		return err
	}
	var tasks string
	var env []string
	var err error
	if t.Std != "" {
		tasks, env, err = t.layoutStd(ctx, project)
	} else {
		tasks, env, err = t.layoutMadeUp(ctx, w, project)
	}
	if err != nil {
		return err
	}
	if t.Source == "docent" {
		binary := filepath.Join(dir, "bin", "docent")
		if docent == "" {
			if err := command(ctx, ".", []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-o", binary, "./cmd/docent"); err != nil {
				return err
			}
		} else if err := copyFile(binary, docent, 0o755); err != nil {
			return err
		}
	}
	record, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"tasks.md":   tasks,
		"README.md":  t.readme(),
		"trial.json": string(record) + "\n",
		"ask":        t.script(env),
	} {
		mode := os.FileMode(0o644)
		if name == "ask" {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "laid out in %s: give the agent README.md, then run: go run ./test/trial judge %s\n", dir, dir)
	return nil
}

// layoutMadeUp installs the made-up packages and returns the tasks about them
// and the environment of the project.
func (t *trial) layoutMadeUp(ctx context.Context, w io.Writer, project string) (tasks string, env []string, err error) {
	packages, err := loadPackages(t.Testdata, t.Languages)
	if err != nil {
		return "", nil, err
	}
	var text strings.Builder
	text.WriteString("# Tasks\n\n")
	t.Languages = nil
	for _, name := range languagesOf(packages) {
		l, mine := languages[name], ofLanguage(packages, name)
		if _, err := exec.LookPath(l.tool); err != nil {
			fmt.Fprintf(w, "%s: skipped, %s is not installed\n", name, l.tool)
			continue
		}
		t.Languages = append(t.Languages, name)
		if err := l.install(ctx, project, mine); err != nil {
			return "", nil, err
		}
		env = append(env, l.env(project)...)
		text.WriteString(l.howTo + "\n\n")
		for _, p := range mine {
			for _, task := range p.tasks {
				fmt.Fprintf(&text, "## %s\n\nWith `%s`: %s\n\n", task.id, p.Import, task.text)
				if err := os.MkdirAll(filepath.Join(project, task.id), 0o755); err != nil {
					return "", nil, err
				}
			}
		}
	}
	if len(t.Languages) == 0 {
		return "", nil, errors.New("there is no language whose tools are installed")
	}
	return text.String(), env, nil
}

// layoutStd creates the project with the ten tasks on Go's standard library.
func (t *trial) layoutStd(ctx context.Context, project string) (tasks string, env []string, err error) {
	data, err := os.ReadFile(filepath.Join(t.Std, "tasks.md"))
	if err != nil {
		return "", nil, err
	}
	if err := writeFile(filepath.Join(project, "go.mod"), "module trial\n\ngo 1.27\n"); err != nil {
		return "", nil, err
	}
	if env, err = stdEnv(ctx, project); err != nil {
		return "", nil, err
	}
	sources := filepath.Join(strings.TrimPrefix(env[0], "GOROOT="), "src")
	return fmt.Sprintf("Each folder `tN` lies in `project`. The sources of the standard library are in `%s`.\n\n%s", sources, data), env, nil
}

// stdEnv selects the release of Go that the project's go.mod requires, which the go command may
// have to download.
func stdEnv(ctx context.Context, project string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=auto", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("choose the release of Go that %s asks for: %w", filepath.Join(project, "go.mod"), err)
	}
	root := strings.TrimSpace(string(out))
	path := filepath.Join(root, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	return []string{"GOROOT=" + root, "PATH=" + path, "GOTOOLCHAIN=local", "GOWORK=off"}, nil
}

func languagesOf(packages []madeUp) []string {
	var names []string
	for _, p := range packages {
		names = append(names, p.language)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func ofLanguage(packages []madeUp, name string) []madeUp {
	return slices.DeleteFunc(slices.Clone(packages), func(p madeUp) bool { return p.language != name })
}

func copyFile(to, from string, mode os.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, mode)
}

// logName is the file to which ask adds a line for each call: the bytes of
// the answer, a tab, the command in one line.
const logName = "calls.tsv"

// script is the text of the script ask, which runs one command in the project, prints its output
// and logs it.
func (t *trial) script(env []string) string {
	var b strings.Builder
	b.WriteString("#!/usr/bin/env bash\n" +
		"# Asks the source once and adds the size of the answer to " + logName + ".\n" +
		"here=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\n" +
		"cd \"$here/project\" || exit 1\n")
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, quote(value))
	}
	run := `bash -c "$*"`
	if t.Source == "docent" {
		b.WriteString("export DOCENT_OFFLINE=1 DOCENT_CACHE=\"$here/cache\"\n")
		run = `"$here/bin/docent" "$@"`
	}
	b.WriteString("answer=$(mktemp)\ntrap 'rm -f \"$answer\"' EXIT\n" +
		run + " > \"$answer\" 2>&1\nstatus=$?\n" +
		`command=$(printf '%s' "$*" | tr '\n\t' '  ')` + "\n" +
		`printf '%s\t%s\n' "$(wc -c < "$answer" | tr -d ' ')" "$command" >> "$here/` + logName + "\"\n" +
		"cat \"$answer\"\nexit $status\n")
	return b.String()
}

// quote returns s quoted as one word for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (t *trial) readme() string {
	how := "- `./ask COMMAND` runs one shell command in `project` (`./ask 'ls; grep -rn word somewhere | head'`).\n"
	if t.Source == "docent" {
		// The descriptions of docent's tools for an agent.
		how = "- `./ask ARGUMENTS` runs docent with these arguments in `project`. `./ask describe LANGUAGE PACKAGE [SYMBOL...]`: without\n" +
			"  symbols an overview, of a small package all there is, with symbols everything a call to them needs; many symbols, or\n" +
			"  patterns (`With*`), and several packages separated by commas, in one call. With a type name the methods you will call\n" +
			"  (`Client.Do`): it shows them in brief. Names that you know or guess need no overview first: for a wrong one the nearest are named.\n" +
			"  `./ask search LANGUAGE PACKAGE 'WISH; WISH'` finds what does a thing in a package and those below it; several searches\n" +
			"  in one call. LANGUAGE is go, npm, python, rust or swift.\n"
	}
	return `# A trial of one source of documentation

For the agent:

- Solve the tasks of ` + "`tasks.md`" + ` one after the other. Write each solution to the file that it names, once, and look it
  over once. Do not compile or run anything.
- Read nothing but ` + "`tasks.md`" + ` and what ` + "`./ask`" + ` answers. Nothing else may be opened, searched or listed, in this folder or
  elsewhere.
` + how + `
Every call and the bytes of its answer are added to ` + "`" + logName + "`" + `.

For the person who runs it: start the agent in this folder with "Do what README.md says for the agent" and
nothing else in its context. When it is done, run ` + "`go run ./test/trial judge DIR`" + ` in docent's repository.
Delete ` + "`" + logName + "`" + ` and the solutions to run it again.
`
}
