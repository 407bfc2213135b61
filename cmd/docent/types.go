package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Types are checked in a process of its own: a hostile program can have types that no
// checker comes to an end with, or that no memory can hold.

const (
	// typesTime bounds the check of the types of one project.
	typesTime = time.Minute
	// typesMemory bounds the heap of the process, in bytes.
	typesMemory = 2 << 30
	// typesAnswer bounds what it writes, in bytes.
	typesAnswer = 256 << 20
)

// typesRequest asks the process for the types of files of one project.
type typesRequest struct {
	Language apidoc.Ecosystem
	Dir      string
	Files    [][]*ecosystem.SourceFile // those of each directory
}

// typesApart implements check.TypesFunc with a process of docent.
func typesApart(ctx context.Context, language apidoc.Ecosystem, _ ecosystem.TypeChecker, dir string, files [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	request, err := json.Marshal(typesRequest{language, dir, files})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, typesTime, fmt.Errorf("it took longer than %v", typesTime))
	defer cancel()
	cmd := exec.CommandContext(ctx, self, typesCommand)
	cmd.Dir = os.TempDir() // whatever the process leaves behind is not in the project
	cmd.Stdin = bytes.NewReader(request)
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var uses [][][]ecosystem.TypedUse
	failed := json.NewDecoder(io.LimitReader(out, typesAnswer)).Decode(&uses)
	if failed != nil {
		_ = cmd.Process.Kill() // it may still be writing
	}
	if err := cmd.Wait(); err != nil || failed != nil {
		return nil, cmp.Or(context.Cause(ctx), err, failed)
	}
	return uses, nil
}

// typesCommand is the name of the command that typesApart runs. Nobody else uses it.
const typesCommand = "types"

func newTypes(s streams, languages languageList) *cobra.Command {
	return &cobra.Command{
		Use:    typesCommand,
		Short:  "Check the types of the files that standard input names",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			go watchHeap()
			var request typesRequest
			if err := json.NewDecoder(s.in).Decode(&request); err != nil {
				return err
			}
			checker, ok := languages(true).Find(string(request.Language)).(ecosystem.TypeChecker)
			if !ok {
				return fmt.Errorf("%q has no types", request.Language)
			}
			uses, err := check.Types(cmd.Context(), request.Language, checker, request.Dir, request.Files)
			if err != nil {
				return ran(err)
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(uses)
		},
	}
}

// watchHeap ends the process when its heap exceeds typesMemory.
func watchHeap() {
	for range time.Tick(100 * time.Millisecond) {
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapAlloc > typesMemory {
			os.Exit(exitFailure)
		}
	}
}
