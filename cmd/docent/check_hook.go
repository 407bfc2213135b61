package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/quote"
)

// hookHosts maps the agents whose hooks docent check supports to the decision with which the agent
// lets the model correct an edit. Cursor has no such decision, but shows the model a text that the
// hook adds to the result.
var hookHosts = map[string]string{"claude": "block", "codex": "block", "cursor": "", "gemini": "deny"}

// maxEvent is the maximum size in bytes of a host's event. The event can contain the edited file.
const maxEvent = 16 << 20

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

// runHook reads the event of a host and responds with the findings in the event's files. dir is the
// project, by default the event's working directory. runHook ignores files that do not exist, are
// not in the project, or are not source code.
func runHook(ctx context.Context, c *check.Checker, host, dir string, in io.Reader, out io.Writer) error {
	data, err := io.ReadAll(io.LimitReader(in, maxEvent))
	if err != nil {
		return err
	}
	var event hookEvent
	err = json.Unmarshal(data, &event)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && strings.HasPrefix(e.Field, "tool_input") {
		err = nil // the input of another tool
	}
	if err != nil {
		return fmt.Errorf("standard input is not a hook event: %w", quote.Error(err))
	}
	if event.Dir == "" && len(event.Roots) > 0 {
		event.Dir = event.Roots[0]
	}
	dir = cmp.Or(dir, event.Dir)
	if dir, err = projectDir(dir); err != nil {
		return err
	}
	files := slices.DeleteFunc(event.files(), func(name string) bool {
		info, err := os.Stat(name)
		rel, outside := filepath.Rel(dir, name)
		return err != nil || !info.Mode().IsRegular() || !c.IsSource(filepath.ToSlash(name)) || outside != nil || !filepath.IsLocal(rel)
	})
	var answer hookAnswer
	if len(files) > 0 {
		report, err := c.Paths(ctx, dir, files)
		if err != nil {
			return err
		}
		report.Findings = slices.DeleteFunc(report.Findings, func(f check.Finding) bool { return !f.Kind.IsError() })
		if len(report.Findings) > 0 {
			var text strings.Builder
			if err := report.Text(&text); err != nil {
				return err
			}
			message := "The code uses names or arguments that the packages do not have at the versions that this project uses:\n" + text.String()
			if answer = (hookAnswer{Decision: hookHosts[host], Reason: message}); answer.Decision == "" {
				answer = hookAnswer{Context: message}
			}
		}
	}
	return json.NewEncoder(out).Encode(answer)
}
