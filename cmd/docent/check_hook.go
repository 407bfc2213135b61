package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// hookHosts maps the agents whose hooks docent check supports to the decision with which the agent
// lets the model correct an edit. Cursor has no such decision, but shows the model a text that the
// hook adds to the result.
var hookHosts = map[string]string{"claude": "block", "codex": "block", "cursor": "", "gemini": "deny"}

// maxEvent is the maximum size in bytes of a host's event. The event can contain the edited file.
const maxEvent = 16 << 20

// hookNetwork is the time for which a hook uses the network, because the agent waits for it.
const hookNetwork = 5 * time.Second

// projectVariables are the variables in which Claude Code, Cursor and Gemini CLI pass the directory of their project to
// hooks.
var projectVariables = []string{"CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR"}

// hookEvent is the common part of the hosts' events. It contains the working directory, and the
// file that a tool has edited or the patch that it has applied. Cursor's events also contain the
// roots of its workspace.
type hookEvent struct {
	Dir   string   `json:"cwd"`
	Roots []string `json:"workspace_roots"`
	Input struct {
		File     string          `json:"file_path"`
		Path     string          `json:"path"`
		Notebook string          `json:"notebook_path"`
		Command  json.RawMessage `json:"command"`
	} `json:"tool_input"`
}

// hookAnswer is the response to an event. An empty response lets the agent continue.
type hookAnswer struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Context  string `json:"additional_context,omitempty"` // only for Cursor
}

// files returns the files that the event concerns.
func (e *hookEvent) files() (names []string) {
	for _, name := range []string{e.Input.File, e.Input.Path, e.Input.Notebook} {
		if name != "" {
			names = append(names, name)
		}
	}
	var patch string
	if json.Unmarshal(e.Input.Command, &patch) != nil {
		var words []string // apply_patch PATCH
		_ = json.Unmarshal(e.Input.Command, &words)
		patch = strings.Join(words, "\n")
	}
	for line := range strings.Lines(patch) {
		for _, header := range []string{"*** Add File: ", "*** Update File: ", "*** Move to: "} {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), header); ok {
				names = append(names, name)
			}
		}
	}
	for i, name := range names {
		if !filepath.IsAbs(name) && e.Dir != "" {
			names[i] = filepath.Join(e.Dir, name)
		}
	}
	return names
}

// directories returns the directories in which edited files are checked, as absolute paths: the working directory, the
// host's project, and the git repository around the working directory.
func (e *hookEvent) directories() ([]string, error) {
	dir, err := projectDir(cmp.Or(e.Dir, append(e.Roots, "")[0]))
	if err != nil {
		return nil, err
	}
	dirs := []string{dir}
	for _, name := range projectVariables {
		dirs = append(dirs, os.Getenv(name))
	}
	dirs = append(dirs, e.Roots...)
	dirs = append(dirs, rootfs.RepositoryOf(dir))
	return slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) }), nil
}

// runHook reads the event of a host and responds with the findings in the event's files. dir is the
// project. If it is empty, each file is checked in the first of the event's directories that contains it. runHook
// ignores files that do not exist, are in none of them, or are not source code.
func runHook(ctx context.Context, c *check.Checker, host, dir string, in io.Reader, out io.Writer) error {
	ctx = fetch.WithNetworkUntil(ctx, time.Now().Add(hookNetwork))
	event, err := readEvent(in)
	if err != nil {
		return err
	}
	dirs := []string{dir}
	if dir == "" {
		dirs, err = event.directories()
	} else {
		dirs[0], err = projectDir(dir)
	}
	if err != nil {
		return err
	}
	if event.Dir == "" {
		event.Dir = dirs[0]
	}
	files := map[string][]string{} // by directory
	for _, name := range event.files() {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || !c.IsSource(filepath.ToSlash(name)) {
			continue
		}
		for _, dir := range dirs {
			if file := below(dir, name); file != "" {
				files[dir] = append(files[dir], file)
				break
			}
		}
	}
	var all check.Report
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		report, err := c.Paths(ctx, dir, files[dir])
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(dirs[0], dir); err == nil {
			report.Below(rel)
		}
		all.Add(report)
	}
	var answer hookAnswer
	all.Findings = slices.DeleteFunc(all.Findings, func(f check.Finding) bool { return !f.Kind.IsError() })
	if len(all.Findings) > 0 {
		var text strings.Builder
		if err := all.Text(&text); err != nil {
			return err
		}
		message := "The code uses names or arguments that the packages do not have at the versions that this project uses:\n" + text.String()
		if answer = (hookAnswer{Decision: hookHosts[host], Reason: message}); answer.Decision == "" {
			answer = hookAnswer{Context: message}
		}
	}
	return json.NewEncoder(out).Encode(answer)
}

// readEvent reads the event of a host.
func readEvent(in io.Reader) (*hookEvent, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxEvent))
	if err != nil {
		return nil, err
	}
	var event hookEvent
	err = json.Unmarshal(data, &event)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && strings.HasPrefix(e.Field, "tool_input") {
		err = nil // the input of another tool
	}
	if err != nil {
		return nil, fmt.Errorf("standard input is not a hook event: %w", quote.Error(err))
	}
	return &event, nil
}

// below returns the path of a file as one that begins with a directory, or "" if the file is not below the directory. Either
// path may contain symbolic links, such as /tmp on macOS.
func below(dir, name string) string {
	target, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	file, err := filepath.EvalSymlinks(name)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(target, file)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.Join(dir, rel)
}
