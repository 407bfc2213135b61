package inspector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/markup"
)

// show returns text with the characters that a page would not show, such as those that reorder a
// line, spelled out as ⟦U+202E⟧, because someone who inspects a server wants to see them.
func show(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	hidden := func(r rune) bool { return r != '\n' && r != '\t' && r != '\r' && markup.Hidden(r) }
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			fmt.Fprintf(&b, "⟦U+%04X⟧", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// pretty returns JSON with line breaks. It returns the text unchanged if it is not JSON, or if line
// breaks would make it many times larger.
func pretty(value json.RawMessage) string {
	var b bytes.Buffer
	if indented(value) > 8*len(value)+64<<10 || json.Indent(&b, value, "", "  ") != nil {
		return show(string(value))
	}
	return show(b.String())
}

// indented returns the approximate number of bytes that line breaks and indentation add to JSON. It
// grows with the square of the nesting depth.
func indented(value []byte) int {
	sum, depth, quoted := 0, 0, false
	for n := 0; n < len(value); n++ {
		switch c := value[n]; {
		case quoted && c == '\\':
			n++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			sum += 2*depth + 1
		case c == ']' || c == '}':
			depth = max(0, depth-1)
			sum += 2*depth + 1
		case c == ',':
			sum += 2*depth + 1
		}
	}
	return sum
}

// size returns a number of bytes as text for the user.
func size(n int) string {
	switch {
	case n < 1<<10:
		return count(n, "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// count returns a number with a noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// clock returns the time of day.
func clock(t time.Time) string { return t.Format("15:04:05.000") }

// took returns a duration as text for the user, or "" if it is 0.
func took(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// firstLine returns the first line of text, cut at 160 characters.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > 160 {
		line = string(runes[:159]) + "…"
	}
	return line
}

// cut returns the beginning of text with at most max bytes, and reports whether the end is missing.
func cut(text string, max int) (string, bool) {
	if len(text) <= max {
		return text, false
	}
	return strings.ToValidUTF8(text[:max], ""), true
}
