// Package apart checks types in a separate process. Checking the types of a hostile program might
// never end or might exhaust the machine's memory.
package apart

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

const (
	// maxTime is the maximum duration of the type check of one project.
	maxTime = time.Minute
	// maxHeap is the maximum size of the heap of the process, in bytes.
	maxHeap = 2 << 30
	// maxAnswer is the maximum size of the output of the process, in bytes.
	maxAnswer = 256 << 20
)

// request asks the process to determine the uses in the files of one project by type checking.
type request struct {
	Language apidoc.Ecosystem
	Dir      string
	Files    [][]*ecosystem.SourceFile // files by directory
}

// Types implements check.TypesFunc. It runs this program with the command Command.
func Types(ctx context.Context, language apidoc.Ecosystem, _ ecosystem.TypeChecker, dir string, files [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var question bytes.Buffer
	if err := gob.NewEncoder(&question).Encode(request{language, dir, files}); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, fmt.Errorf("the check took longer than %v", maxTime))
	defer cancel()
	cmd := exec.CommandContext(ctx, self, Command)
	cmd.Dir = os.TempDir() // so that the process creates no files in the project
	cmd.Stdin = &question
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var uses [][][]ecosystem.TypedUse
	failed := gob.NewDecoder(io.LimitReader(out, maxAnswer)).Decode(&uses)
	if failed != nil {
		_ = cmd.Process.Kill() // the process may still be writing
	}
	if err := cmd.Wait(); err != nil || failed != nil {
		return nil, cmp.Or(context.Cause(ctx), err, failed)
	}
	return uses, nil
}

// Command is the name of the command that Types runs. It calls Serve.
const Command = "types"

// Serve reads a request from in, checks the types of its files and writes their uses to out. It
// ends the process if its heap exceeds maxHeap.
func Serve(ctx context.Context, in io.Reader, out io.Writer, languages ecosystem.Languages) error {
	go watchHeap()
	var r request
	if err := gob.NewDecoder(in).Decode(&r); err != nil {
		return err
	}
	checker, ok := languages.Find(string(r.Language)).(ecosystem.TypeChecker)
	if !ok {
		return fmt.Errorf("%q has no types", r.Language)
	}
	uses, err := check.Types(ctx, r.Language, checker, r.Dir, r.Files)
	if err != nil {
		return err
	}
	return gob.NewEncoder(out).Encode(uses)
}

// watchHeap ends the process when its heap exceeds maxHeap.
func watchHeap() {
	for range time.Tick(100 * time.Millisecond) {
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapAlloc > maxHeap {
			os.Exit(1)
		}
	}
}
