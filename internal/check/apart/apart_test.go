package apart

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], []string{Command}) {
		if err := Serve(context.Background(), os.Stdin, os.Stdout, ecosystem.Languages{&kiln{}}); err != nil { //nolint:forbidigo // the process answers on it
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// kiln is a language whose types are the number of checks in the process. The check of a project
// named exit ends the process, and that of a project named endless does not end.
type kiln struct {
	ecosystem.Language
	ecosystem.SourceReader
	n int
}

// checksVariable names a file to which each check of the project named exit adds a line.
const checksVariable = "DOCENT_TEST_CHECKS"

func (k *kiln) Info() *ecosystem.Info { return &ecosystem.Info{ID: "kiln"} }

func (k *kiln) Types(_ context.Context, dir string) (ecosystem.Types, error) {
	switch dir {
	case "exit":
		if f, err := os.OpenFile(os.Getenv(checksVariable), os.O_APPEND|os.O_WRONLY, 0); err == nil {
			_, _ = f.WriteString("exit\n")
		}
		os.Exit(1)
	case "endless":
		select {}
	case "busy":
		for n := 0; ; n++ {
			k.n = n
		}
	case "partial":
		return kilnTypes{-1}, &ecosystem.PartialError{Reason: "the project is partial"}
	case "broken":
		return nil, fmt.Errorf("the project is %s", dir)
	}
	k.n++
	return kilnTypes{k.n}, nil
}

type kilnTypes struct{ n int }

func (k kilnTypes) Uses(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	return map[*ecosystem.SourceFile][]ecosystem.TypedUse{files[0]: {{Fault: ecosystem.AbsentFault, Message: fmt.Sprint("check ", k.n)}}}
}

func TestServer(t *testing.T) {
	checks := filepath.Join(t.TempDir(), "checks")
	if err := os.WriteFile(checks, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(checksVariable, checks)
	var s Server
	defer s.Close()
	ask := func(ctx context.Context, dir string) string {
		uses, err := s.Types(ctx, "kiln", nil, dir, [][]*ecosystem.SourceFile{{{Name: "a.kiln"}}})
		switch {
		case err != nil && uses != nil:
			return uses[0][0][0].Message + ", " + err.Error()
		case err != nil:
			return err.Error()
		}
		return uses[0][0][0].Message
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		dir  string
		want string
	}{
		{"the first check starts a process", t.Context(), "a", "check 1"},
		{"the next one uses it", t.Context(), "a", "check 2"},
		{"an error does not end it", t.Context(), "broken", "the project is broken"},
		{"a project whose types are partial", t.Context(), "partial", "check -1, the project is partial"},
		{"it checks other projects", t.Context(), "b", "check 3"},
		{"a process that exits causes an error", t.Context(), "exit", errEnded.Error()},
		{"then another process starts", t.Context(), "a", "check 1"},
		{"a check that is cancelled ends its process", stopped, "endless", "context canceled"},
		{"then a third process starts", t.Context(), "a", "check 1"},
	} {
		if got := ask(tt.ctx, tt.dir); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if got, err := os.ReadFile(checks); err != nil || string(got) != "exit\n" {
		t.Errorf("the check that exits ran %d times (%v), want once", bytes.Count(got, []byte("\n")), err)
	}
	s.limit = time.Millisecond
	if got, want := ask(t.Context(), "busy"), "the check took longer than 1ms"; got != want {
		t.Errorf("a check above the time limit: got %q, want %q", got, want)
	}
	s.limit = 0
	if got := ask(t.Context(), "a"); got != "check 1" {
		t.Errorf("after a check above the time limit: %s", got)
	}
	s.idle.max = 10
	if got, want := ask(t.Context(), "a"), "the uses that the process found exceed 10 bytes"; got != want {
		t.Errorf("an answer above the limit: got %q, want %q", got, want)
	}
	if got := ask(t.Context(), "a"); got != "check 1" {
		t.Errorf("after an answer above the limit: %s", got)
	}
	s.idle.end() // as if it had crashed
	if got := ask(t.Context(), "a"); got != "check 1" {
		t.Errorf("after the idle process has ended: %s", got)
	}
	s.Close()
	if s.idle != nil {
		t.Error("Close leaves a process")
	}
}

// TestServe_EndOfInput checks that Serve ends with its input even if a check does not.
func TestServe_EndOfInput(t *testing.T) {
	var in bytes.Buffer
	if err := gob.NewEncoder(&in).Encode(request{Language: "kiln", Dir: "endless"}); err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), &in, io.Discard, ecosystem.Languages{&kiln{}}); err != nil {
		t.Error(err)
	}
}
