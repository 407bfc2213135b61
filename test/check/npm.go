package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed members.mjs
var membersScript string

// typescriptMembers returns all mistakes in members of values that the compiler in m.typescript reports in a project's
// TypeScript files.
func (m *measurement) typescriptMembers(ctx context.Context, dir string) (all []mutant, err error) {
	c := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", membersScript, m.typescript, dir)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("members of %s: %w", dir, err)
	}
	for line := range bytes.Lines(out) {
		var site struct {
			File, From, To, Kind string
			Line, Offset         int
		}
		if err := json.Unmarshal(line, &site); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(filepath.Join(dir, site.File))
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(text[min(site.Offset, len(text)):], []byte(site.From)) { // not after a byte order mark, which the compiler removes
			all = append(all, mutant{
				file: filepath.ToSlash(site.File), kind: site.Kind, line: site.Line, from: site.From, to: site.To,
				offset: site.Offset, original: text,
			})
		}
	}
	return all, nil
}

// isTypeScript reports whether a file contains TypeScript code.
func isTypeScript(name string) bool {
	ext := filepath.Ext(name)
	return (ext == ".ts" || ext == ".tsx" || ext == ".mts" || ext == ".cts") && !strings.HasSuffix(strings.TrimSuffix(name, ext), ".d")
}
