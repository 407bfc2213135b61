package answer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Prose is what a package's README and guides say.
type Prose struct {
	Package About  `json:"package" jsonschema:"the package, and what chose its version"`
	Notice  string `json:"notice" jsonschema:"how to read what follows"`
	// Sections are those asked for, in the order in which they are best read.
	Sections []Section `json:"sections" jsonschema:"sections, the text of the last may be cut"`
	Omitted  []string  `json:"omitted,omitempty" jsonschema:"what was left out, and how to get it"`
}

// Sections answers with prose: the sections given, which belong to p, as far as
// limit bytes of text allow. What is left out of them and of the rest of the
// package's sections is listed by its ID, as way tells to ask for it.
func Sections(p *apidoc.Package, asked []apidoc.Section, limit int, way string) *Prose {
	a := &Prose{Package: about(p), Notice: Notice, Sections: []Section{}}
	shown := map[string]bool{}
	for i := range asked {
		s := Section{ID: asked[i].ID, Title: oneLine(asked[i].Title), Body: markup.Clean(asked[i].Body)}
		if limit > 0 && len(s.Body) > limit {
			if len(a.Sections) > 0 && limit < 500 {
				break
			}
			whole := len(s.Body)
			s.Body = beginning(s.Body, limit)
			a.Omitted = append(a.Omitted, fmt.Sprintf("The text of %s is cut after %d of its %d bytes; set a larger maxLength.", s.ID, len(s.Body), whole))
			limit = 1
		} else if limit > 0 {
			limit = max(limit-len(s.Body), 1)
		}
		a.Sections = append(a.Sections, s)
		shown[s.ID] = true
	}
	var rest []string
	for i := range p.Sections {
		if s := &p.Sections[i]; !shown[s.ID] && s.Body != "" {
			rest = append(rest, s.ID)
		}
	}
	if len(rest) > 0 {
		const most = 60
		more := ""
		if len(rest) > most {
			more = fmt.Sprintf(" and %d more", len(rest)-most)
			rest = rest[:most]
		}
		a.Omitted = append(a.Omitted, "Other sections, to be had "+way+": "+strings.Join(rest, ", ")+more+".")
	}
	return a
}

// Markdown writes the prose for reading. It ends with a newline.
func (a *Prose) Markdown() string {
	w := writer{language: a.Package.Language}
	w.title("Documentation of " + a.Package.at())
	w.about(&a.Package)
	w.block("> " + a.Notice)
	if a.Package.Deprecated != "" {
		w.block("**Deprecated:** " + a.Package.Deprecated)
	}
	for i := range a.Sections {
		w.heading(a.Sections[i].Title)
		w.prose(a.Sections[i].Body, 3)
	}
	if len(a.Sections) == 0 {
		w.block("The package comes with no README that tells how to use it.")
	}
	for _, omitted := range a.Omitted {
		w.block(omitted)
	}
	return w.b.String()
}

// FindSections returns the section of that ID or title, with those below it;
// its error lists what there is.
func FindSections(p *apidoc.Package, name string) ([]apidoc.Section, error) {
	want := strings.ToLower(strings.TrimSpace(name))
	at := -1
	for _, same := range []func(id, title string) bool{
		func(id, _ string) bool { return id == want },
		func(_, title string) bool { return title == want },
		func(id, _ string) bool { return strings.HasSuffix(id, "/"+want) },
		func(id, title string) bool {
			return utf8.RuneCountInString(want) > 2 && (strings.Contains(title, want) || strings.Contains(id, want))
		},
	} {
		for i := range p.Sections {
			if same(strings.ToLower(p.Sections[i].ID), strings.ToLower(p.Sections[i].Title)) {
				at = i
				break
			}
		}
		if at >= 0 {
			break
		}
	}
	if at < 0 {
		var ids []string
		for i := range p.Sections {
			ids = append(ids, p.Sections[i].ID)
		}
		if len(ids) == 0 {
			return nil, fmt.Errorf("%s has no sections", p.Name)
		}
		return nil, fmt.Errorf("%s has no section %q; it has: %s", p.Name, oneLine(name), strings.Join(ids[:min(len(ids), 60)], ", "))
	}
	end := at + 1
	for end < len(p.Sections) && p.Sections[end].Level > p.Sections[at].Level && p.Sections[end].File == p.Sections[at].File {
		end++
	}
	return p.Sections[at:end], nil
}
