package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/mcp"
)

// isTerminal reports whether f is a terminal: a character device other than the
// null device.
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

// text returns text from a server without control sequences, if output is a
// terminal.
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

// progressBar draws progress reports on a line of a terminal.
type progressBar struct {
	w     io.Writer
	drawn bool
}

const barWidth = 30

func (b *progressBar) report(p mcp.Progress) {
	message := strings.Join(strings.Fields(markup.Clean(p.Message)), " ")
	if runes := []rune(message); len(runes) > 40 {
		message = string(runes[:39]) + "…"
	}
	b.drawn = true
	if p.Total <= 0 || math.IsNaN(p.Progress) || math.IsInf(p.Progress, 0) {
		fmt.Fprintf(b.w, "\r\x1b[K%v %s", p.Progress, message)
		return
	}
	part := max(0, min(1, p.Progress/p.Total))
	full := int(part * barWidth)
	fmt.Fprintf(b.w, "\r\x1b[K[%s%s] %3.0f%% %s", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), part*100, message)
}

// clear removes the bar.
func (b *progressBar) clear() {
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn = false
	}
}
