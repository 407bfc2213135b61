package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// isTerminal reports whether f is a terminal, which is a character device other than the null
// device.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// printer prints text from a server. On a terminal, it removes control
// sequences from the text.
type printer struct {
	w     io.Writer
	clean bool
	err   error
}

func (m *mcpCommand) printer() *printer {
	return &printer{w: m.streams.out, clean: m.streams.outTerminal}
}

// text returns text from a server. If output is a terminal, it removes control sequences.
func (p *printer) text(text string) string {
	if p.clean {
		return markup.Clean(text)
	}
	return text
}

// line returns text from a server on one line.
func (p *printer) line(text string) string {
	return strings.Join(strings.Fields(markup.Clean(text)), " ")
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// paragraph prints text with an indentation.
func (p *printer) paragraph(indent, text string) {
	for line := range strings.Lines(strings.TrimSpace(p.text(text))) {
		p.printf("%s%s\n", indent, strings.TrimRight(line, "\r\n"))
	}
}
