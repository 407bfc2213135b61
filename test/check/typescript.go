package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
)

//go:embed typescript.mjs
var typescriptScript string

// typescriptMistakes returns mistakes in a project's TypeScript files that the compiler in m.typescript reports: all in members
// of values, and some of each other kind.
func (m *measurement) typescriptMistakes(ctx context.Context, dir string) (all []mutant, err error) {
	c := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", typescriptScript, m.typescript, dir, strconv.Itoa(m.each), strconv.FormatUint(m.seed, 10), m.kinds)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("mistakes in %s: %w", dir, err)
	}
	for line := range bytes.Lines(out) {
		var site struct {
			File, From, To, Kind string
			Line, First, Offset  int
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
				file: filepath.ToSlash(site.File), kind: site.Kind, line: site.Line, first: site.First, from: site.From, to: site.To,
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

// isJavaScript reports whether a file contains JavaScript.
func isJavaScript(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".js" || ext == ".jsx" || ext == ".mjs" || ext == ".cjs"
}

// isInstalled reports whether a project can import a module from a package in node_modules.
func isInstalled(dir, module string) bool {
	parts := strings.SplitN(module, "/", 3)
	if strings.HasPrefix(module, "@") {
		parts[0] = path.Join(parts[:min(2, len(parts))]...)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "node_modules", parts[0])); err == nil {
			return true
		}
	}
	return modules.Builtin(module)
}
