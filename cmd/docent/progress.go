package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/terminal"
)

// withProgress makes a command show its progress. It returns streams that remove the display when
// the command writes something or shows its answer. The command must call stop before it returns.
func (s streams) withProgress(cmd *cobra.Command) (out streams, stop func()) {
	s.line = s.newLine()
	if s.line == nil {
		return s, func() {}
	}
	cmd.SetContext(progress.With(cmd.Context(), s.line))
	cmd.SetOut(s.line.Before(s.out))
	cmd.SetErr(s.line.Before(s.err))
	return s, s.line.Stop
}

// newLine returns the line that shows progress. It returns nil if progress cannot be shown, because
// standard error is not a terminal or cannot overwrite text.
func (s streams) newLine() *progress.Line {
	if !s.errTerminal || os.Getenv("CI") != "" || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return progress.Start(s.err, func(text string) string {
		return terminal.OneLine(text, s.columns()-1) // some terminals wrap lines after the last column
	})
}

// columns returns the width of the terminal of standard error.
func (s streams) columns() int {
	if f, ok := s.err.(*os.File); ok {
		if size, ok := console.SizeOf(f); ok {
			return size.Columns
		}
	}
	return 80
}
