package search

import (
	"iter"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	maxDescribed   = 4   // maximum number of symbols with the same name that share a description
	maxDescription = 600 // maximum size in bytes of a list item or a table row
)

// describe returns sentences from prose for symbols without documentation, by the numbers of their
// entries. The description of a symbol is the section whose title is the symbol's name, or the list
// item or table row that begins with that name.
func (x *Index) describe() map[int32]string {
	if !x.hasProse() {
		return nil
	}
	byName := map[string][]int32{}
	for i := range x.entries {
		e := &x.entries[i]
		if e.symbol == nil || e.symbol.Doc != "" {
			continue
		}
		byName[x.name(i)] = append(byName[x.name(i)], int32(i))
		if x.spans[i].isMember() {
			byName[x.path(i)] = append(byName[x.path(i)], int32(i))
		}
	}
	found := map[int32]string{}
	if len(byName) == 0 {
		return found
	}
	for i := range x.entries {
		s := x.entries[i].section
		if s == nil || s.ID == "changelog" {
			continue
		}
		for name, text := range descriptions(s) {
			name = fold(name)
			named := byName[name]
			if dot := strings.LastIndexByte(name, '.'); len(named) == 0 && dot >= 0 {
				named = byName[name[dot+1:]] // in prose, "limit.map" means the member map of a value called limit
			}
			if len(named) > maxDescribed {
				continue
			}
			for _, j := range named {
				if found[j] == "" {
					found[j] = text
				}
			}
		}
	}
	return found
}

// descriptions returns an iterator over the names that a section is about, or that its lists and
// tables explain, with their explanations.
func descriptions(s *apidoc.Section) iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		title := strings.Trim(s.Title, "`* ")
		if end := strings.IndexFunc(title, func(r rune) bool { return !isLetter(r) && r != '.' }); end < 0 || title[end] == '(' || strings.HasPrefix(s.Title, "`") {
			if end >= 0 {
				title = title[:end]
			}
			if title != "" && !yield(title, s.Body) {
				return
			}
		}
		var name string
		var text strings.Builder
		fenced := false
		for line := range strings.Lines(s.Body) {
			trimmed := strings.TrimSpace(line)
			if strings.HasPrefix(trimmed, "```") {
				fenced = !fenced
			}
			next, rest, begins := itemName(trimmed)
			if name != "" && (begins || fenced || trimmed == "" || trimmed[0] == '#' || text.Len() > maxDescription) {
				if !yield(name, text.String()) {
					return
				}
				name = ""
				text.Reset()
			}
			switch {
			case begins && !fenced:
				name = next
				text.WriteString(rest)
			case name != "":
				text.WriteByte(' ')
				text.WriteString(trimmed)
			}
		}
		if name != "" {
			yield(name, text.String())
		}
	}
}

// itemName splits a list item, or a row of a table, after the name in a code span at its
// beginning. ok is false if the line does not begin with a name in a code span.
func itemName(line string) (name, rest string, ok bool) {
	if line == "" || !strings.ContainsRune("-*+|", rune(line[0])) {
		return "", "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(line[1:], " *[|"), "`")
	if !ok {
		return "", "", false
	}
	code, rest, ok := strings.Cut(rest, "`")
	end := strings.IndexFunc(code, func(r rune) bool { return !isLetter(r) && r != '.' })
	if end >= 0 {
		code = code[:end]
	}
	return code, strings.Trim(rest, " *:|-])"), ok && code != ""
}
