package terminal

import (
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/highlight"
)

// style is a set of attributes of text.
type style uint16

const (
	bold style = 1 << iota
	dim
	italic
	underline
	code // a name or expression within text
	accent
	str
	number
	keyword
	reverse
)

// classStyles maps the classes of pieces of code to styles.
var classStyles = [...]style{highlight.Comment: dim, highlight.String: str, highlight.Number: number, highlight.Keyword: keyword}

func headingStyle(level int) style {
	switch level {
	case 1:
		return bold | underline
	case 2:
		return bold | accent
	}
	return bold
}

// codes are the parameters of the control sequences that enable each attribute. The colours come
// from the terminal's own palette, which suits its background.
var codes = [...]struct {
	style style
	code  string
}{
	{bold, "1"}, {dim, "2"}, {italic, "3"}, {underline, "4"}, {code, "36"}, {accent, "34"}, {str, "32"}, {number, "36"}, {keyword, "35"}, {reverse, "7"},
}

// apply returns text with control sequences for its style around it.
func (s style) apply(text string) string {
	if s == 0 || text == "" {
		return text
	}
	var on []string
	for _, c := range codes {
		if s&c.style != 0 {
			on = append(on, c.code)
		}
	}
	return "\x1b[" + strings.Join(on, ";") + "m" + text + "\x1b[0m"
}

// span is text of one style.
type span struct {
	text  string
	style style
	// address is the address that a click on the text opens, or "" if there is none.
	address string
}

// String returns the span as it is written to a terminal.
func (s span) String() string {
	text := s.style.apply(s.text)
	if s.address == "" {
		return text
	}
	return "\x1b]8;;" + s.address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// maxAddress is the maximum length of the address of a link, in bytes.
const maxAddress = 2000

// link returns spans that link to an address. If it is not a web address, the spans are returned
// without a link.
func link(spans []span, address string) []span {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return spans
	}
	safe := u.String()
	if len(safe) > maxAddress || strings.ContainsFunc(safe, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return spans
	}
	for i := range spans {
		spans[i].address = safe
	}
	return spans
}
