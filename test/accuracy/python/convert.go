package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem/python/docstring"
)

// conversion counts the parts of docstrings that are preserved in their Markdown: the documented
// parameters that griffe finds, the lines of code, all words.
type conversion struct{ params, code, words tally }

// keptGoals are the minimum shares, in the order of the fields.
var keptGoals = []float64{99.9, 99.9, 99.5}

func (k *conversion) tallies() []*tally { return []*tally{&k.params, &k.code, &k.words} }

func (k *conversion) add(o *conversion) {
	for i, t := range k.tallies() {
		t.add(*o.tallies()[i])
	}
}

func (k *conversion) String() string {
	return fmt.Sprintf("as Markdown, docstrings keep %.3f of %d parameters, %.3f of %d lines of code, %.3f of %d words",
		k.params.share(), k.params.all, k.code.share(), k.code.all, k.words.share(), k.words.all)
}

func (k *conversion) missed() int {
	missed := 0
	for i, t := range k.tallies() {
		if t.share() < keptGoals[i] {
			missed++
		}
	}
	return missed
}

// converted compares a docstring with its Markdown.
func (c *comparer) converted(where, text string, params []string) {
	if text == "" {
		return
	}
	d := docstring.Parse(text)
	var all strings.Builder
	all.WriteString(d.Text + "\n" + d.Signature + "\n" + d.Deprecated)
	for _, e := range d.Examples {
		all.WriteString("\n" + e.Doc + "\n" + e.Code + "\n" + e.Output)
	}
	got := all.String()
	words := map[string]bool{}
	for w := range wordsOf(got) {
		words[w] = true
	}
	for _, p := range params {
		p, _, _ = strings.Cut(strings.Trim(p, "*`\\ "), " ") // In "x (`int`)", griffe returns "x (" as the name.
		if p == "Examples" {                                 // It also returns a title above "====" as a parameter.
			continue
		}
		ok := strings.Contains(got, p)
		if c.kept.params.count(ok); !ok {
			c.differ(where, "the Markdown lacks the parameter %s", p)
		}
	}
	squeezed := strings.Join(strings.Fields(got), " ")
	for _, l := range codeOf(text) {
		ok := strings.Contains(squeezed, strings.Join(strings.Fields(l), " "))
		if c.kept.code.count(ok); !ok {
			c.differ(where, "the Markdown lacks the code %q", l)
		}
	}
	var lost []string
	for w := range wordsOf(withoutMarkup(text)) {
		if c.kept.words.count(words[w]); !words[w] {
			lost = append(lost, w)
		}
	}
	if len(lost) > 0 {
		c.differ(where, "the Markdown lacks the words %.200q", lost)
	}
}

// wordsOf returns the words of text with three or more letters.
func wordsOf(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if w = strings.Trim(w, "_"); len(w) > 2 && !yield(w) {
				return
			}
		}
	}
}

// codeOf returns the lines of doctests and literal blocks.
func codeOf(text string) []string {
	var code []string
	literal := -1 // literal is the indentation that the lines of a literal block exceed.
	doctest := false
	for l := range strings.SplitSeq(text, "\n") {
		t := strings.TrimSpace(l)
		indent := len(l) - len(strings.TrimLeft(l, " "))
		if t == "" {
			doctest = false
			continue
		}
		if indent <= literal {
			literal = -1
		}
		switch {
		case strings.HasPrefix(t, ">>> "), doctest && strings.HasPrefix(t, "... "):
			doctest = true
			line, _, _ := strings.Cut(t[4:], "# doctest:")
			code = append(code, line)
		case literal >= 0:
			code = append(code, t)
		case strings.HasSuffix(t, "::") && !strings.HasPrefix(t, ".. "):
			literal = indent
		}
	}
	return code
}

// withoutMarkup returns a docstring without its markup: names of roles and directives with their
// options, comments, targets, section titles, fields.
func withoutMarkup(text string) string {
	var b strings.Builder
	ls := strings.Split(text, "\n")
	hidden := -1 // hidden is the indentation that the lines of a hidden block exceed.
	for i, l := range ls {
		t := strings.TrimSpace(l)
		indent := len(l) - len(strings.TrimLeft(l, " "))
		if t != "" && indent <= hidden {
			hidden = -1
		}
		title := i+1 < len(ls) && t != "" && strings.Trim(strings.TrimSpace(ls[i+1]), "-=~") == "" && strings.TrimSpace(ls[i+1]) != "" || strings.HasSuffix(t, ":") && !strings.Contains(t, " ")
		l, _, _ = strings.Cut(l, "# doctest:")
		switch {
		case hidden >= 0 || title || strings.HasPrefix(t, "```"):
		case strings.HasPrefix(t, ".. "):
			if name, _, ok := strings.Cut(t[3:], "::"); !ok || !shownDirectives[name] {
				hidden = indent
			} else {
				b.WriteString(t[3+len(name):] + "\n")
			}
		case strings.HasPrefix(t, ":") && strings.Count(t, ":") > 1: // The line is a field or an option.
			_, rest, _ := strings.Cut(t[1:], ":")
			b.WriteString(rest + "\n")
		default:
			b.WriteString(l + "\n")
		}
	}
	// :role:`title <target>`, :role:`~shown.by.its.last.name`, [text][target]
	var out strings.Builder
	ofRole := false
	for part := range strings.SplitAfterSeq(b.String(), "`") {
		if module, rest, ok := strings.Cut(part, "."); ok && ofRole && strings.HasPrefix(module, "_") {
			part = rest // :meth:`_private.Shown.method`
		}
		ofRole = strings.HasSuffix(part, ":`")
		if colon, ok := strings.CutSuffix(part, ":`"); ok {
			part = colon[:strings.LastIndexByte(colon, ':')+1]
		}
		if open := strings.LastIndexByte(part, '<'); open >= 0 && strings.HasSuffix(part, ">`") {
			part = part[:open]
		}
		if rest, ok := strings.CutPrefix(part, "~"); ok {
			part = rest[strings.LastIndexByte(rest, '.')+1:]
		}
		if rest, ok := strings.CutPrefix(part, "]["); ok {
			_, part, _ = strings.Cut(rest, "]")
		}
		out.WriteString(part)
	}
	return out.String()
}

// shownDirectives are the directives whose text is preserved.
var shownDirectives = map[string]bool{
	"note": true, "warning": true, "deprecated": true, "versionadded": true, "versionchanged": true, "code": true, "code-block": true, "seealso": true,
	"tip": true, "important": true, "caution": true, "attention": true, "danger": true, "hint": true, "admonition": true, "rubric": true, "math": true,
}
