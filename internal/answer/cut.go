package answer

import (
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/markup"
)

// cut answers about a package whose bare list of symbols does not fit: it
// shows as many as fit and counts the rest.
func (b *Book) cut(o Options, limit int) *Answer {
	full := b.compose(b.details[len(b.details)-1], o.Guide, 0)
	full.Doc = beginning(full.Doc, limit/8)
	said := full.Omitted
	if len(full.Doc) < len(b.doc) {
		said = append([]string{"The package's own documentation is cut; " + o.Guide.Larger + "."}, said...)
	}
	// Search for the largest number of symbols that fits; sub-packages and
	// sections give way before the last symbols do.
	try := func(symbols, others int) *Answer {
		a := *full
		a.Symbols = full.Symbols[:symbols]
		a.Subpackages = full.Subpackages[:min(others, len(full.Subpackages))]
		a.Sections = full.Sections[:min(others, len(full.Sections))]
		a.Omitted = append([]string{}, said...)
		if s := notListed(full, &a, o.Guide); s != "" {
			a.Omitted = append([]string{s}, a.Omitted...)
		}
		return &a
	}
	others := 10
	best := try(0, 0)
	most, used := 0, 0
	for most < len(full.Symbols) && used <= limit {
		used += max(len(full.Symbols[most].Signature), 2)
		most++
	}
	for low, high := 0, most; low <= high; {
		middle := (low + high) / 2
		if a := try(middle, others); a.fits(limit) {
			best, low = a, middle+1
		} else {
			high = middle - 1
		}
	}
	return best
}

// notListed says which symbols, packages and sections of full are not in a.
func notListed(full, a *Answer, g Guide) string {
	var what []string
	if n := names(full.Symbols) - names(a.Symbols); n > 0 {
		s := plural(n, "symbol", "symbols")
		if rest := full.Symbols[len(a.Symbols):]; len(rest) > 0 {
			s += " from " + rest[0].Path + " on"
		}
		what = append(what, s)
	}
	if n := len(full.Subpackages) - len(a.Subpackages); n > 0 {
		what = append(what, plural(n, "sub-package", "sub-packages"))
	}
	if n := len(full.Sections) - len(a.Sections); n > 0 {
		what = append(what, plural(n, "section", "sections"))
	}
	if len(what) == 0 {
		return ""
	}
	return "Not listed: " + list(what) + ". To find them, " + g.Search + ", or " + g.Larger + "."
}

// names counts the symbols of declarations.
func names(ds []Declaration) int {
	n := 0
	for i := range ds {
		n += max(1, len(ds[i].Names))
	}
	return n
}

// beginning returns at most limit bytes of Markdown: as many whole paragraphs
// as fit, else as many lines, else as many bytes.
func beginning(md string, limit int) string {
	if len(md) <= limit {
		return md
	}
	paragraph, line, at := 0, 0, 0
	blank := false
	for l := range markup.Lines(md) {
		if blank && !l.Code && at <= limit {
			paragraph = at
		}
		if at > limit {
			break
		}
		line = at
		blank = strings.TrimSpace(l.Text) == ""
		at += len(l.Text) + 1
	}
	end := paragraph
	if end < limit/3 {
		end = line
	}
	if end < limit/3 {
		end = limit
		for end > 0 && !utf8.RuneStart(md[end]) {
			end--
		}
	}
	// A block of code that was cut is closed again.
	return strings.TrimRight(markup.Demote(strings.TrimRight(md[:end], "\n"), 1), "\n")
}
