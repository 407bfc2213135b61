// Package quote shortens foreign text for errors and warnings, because the message of a parser may
// repeat a file of megabytes. It also writes lists and counts.
package quote

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Max is the maximum length of the text of a quoted error, in bytes.
const Max = 300

// Error returns an error with the text of err on one line of at most Max bytes.
// It unwraps to err. For nil, Error returns nil.
func Error(err error) error {
	if err == nil {
		return nil
	}
	return &short{err, Line(err.Error(), Max)}
}

type short struct {
	err  error
	text string
}

func (s *short) Error() string { return s.text }

func (s *short) Unwrap() error { return s.err }

const ellipsis = "…"

// Line returns text on one line of at most limit bytes, without characters that cannot be printed.
func Line(text string, limit int) string {
	text, cut := bounded(text, 4*limit) // The limit is multiplied by four, because most of the text may be white space.
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if len(text) > limit || cut {
		text, _ = bounded(text, limit-len(ellipsis))
		text += ellipsis
	}
	return text
}

// bounded returns the first limit bytes of text, without cutting a character in half, and whether
// text is longer.
func bounded(text string, limit int) (string, bool) {
	cut := len(text) > limit
	if cut {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, ""), cut
}

// List joins the first maximum names with commas, and adds the number of the others. It returns "none"
// if there are no names.
func List(names []string, maximum int) string {
	switch {
	case len(names) == 0:
		return "none"
	case len(names) <= maximum:
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:maximum], ", ") + " and " + strconv.Itoa(len(names)-maximum) + " more"
}

// Count returns a number with the noun that it counts, in the singular or the plural, such as
// "1 file" or "2 files". It does not know irregular plurals.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
