package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/check/apart"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

const kilnProject = "module example.com/kiln\n\ngo 1.26\n"

func TestCheck_Types(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"go.mod":  kilnProject,
		"kiln.go": "package kiln\n\nimport \"sync\"\n\ntype Kiln struct{ mu sync.Mutex }\n\nfunc (k *Kiln) Fire() {\n\tk.mu.Locked()\n\tk.mu.Lock()\n}\n",
	})
	got := docent("check", "--project", dir, dir)
	if got.code != exitFailure || !strings.Contains(got.out, "kiln.go:8:7: name: sync@") || !strings.Contains(got.out, " has no Mutex.Locked\n\tdid you mean Mutex.Lock,") || !strings.Contains(got.out, "1 finding in 1 file") {
		t.Errorf("exit code %d:\n%s%s", got.code, got.out, got.err)
	}
}

// TestTypesApart_Endless checks that a type check that would never end is stopped.
func TestTypesApart_Endless(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"go.mod": kilnProject})
	endless := &ecosystem.SourceFile{Name: "a.go", Dir: dir, Text: []byte("package kiln\n\ntype T[P any] struct{ *T[T[P]] }\n\nvar _ = T[int]{}.x\n")}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	uses, err := apart.Types(ctx, "go", nil, dir, [][]*ecosystem.SourceFile{{endless}})
	if err == nil || ctx.Err() == nil {
		t.Errorf("the uses are %v, the error %v", uses, err)
	}
}

// TestCheck_TypesWithoutAProject checks that nothing is reported about types that cannot be
// checked.
func TestCheck_TypesWithoutAProject(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"kiln.go": "package kiln\n\nimport \"strings\"\n\nvar _ = strings.Cut\n"})
	if got := docent("check", "--project", dir, dir); got.code != exitOK || got.err != "" {
		t.Errorf("exit code %d:\n%s%s", got.code, got.out, got.err)
	}
}
