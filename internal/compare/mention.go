package compare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// maxSections is the maximum number of sections that are listed with one change.
const maxSections = 2

// history contains words of file names and titles that indicate a list of changes.
var history = []string{"change", "migrat", "upgrad", "history", "release", "news", "breaking", "deprecat"}

// isHistory reports whether a section describes changes between versions.
func isHistory(s *apidoc.Section) bool {
	where := strings.ToLower(s.ID + " " + s.File + " " + s.Title)
	return slices.ContainsFunc(history, func(word string) bool { return strings.Contains(where, word) })
}

// passage is a part of a changelog or guide under one heading.
type passage struct {
	Section
	body string
}

// passages returns the passages in the changelogs and guides of the new version that are about
// versions between the two compared ones, or about no particular version.
func (c *comparison) passages() []passage {
	if c.history == nil {
		c.history = append([]passage{}, c.readHistory()...)
	}
	return c.history
}

func (c *comparison) readHistory() (all []passage) {
	for _, p := range c.new.packages {
		for i := range p.Sections {
			s := &p.Sections[i]
			if !isHistory(s) || !c.between(s.Title) {
				continue
			}
			version, level := "", 0 // version is taken from the last heading that contains one.
			for _, part := range markup.Parts(s.Body) {
				if part.Level > 0 && part.Level <= level {
					version, level = "", 0
				}
				if len(numbers(part.Title)) > 1 {
					version, level = part.Title, part.Level
				}
				title := cmp.Or(part.Title, s.Title)
				if version != "" && version != title {
					title = version + ": " + title
				}
				if c.between(cmp.Or(version, part.Title)) {
					all = append(all, passage{Section{s.ID, title}, part.Body})
				}
			}
		}
	}
	return all
}

// between reports whether a title contains a version between the two compared ones, or no version.
func (c *comparison) between(title string) bool {
	version := numbers(title)
	if len(version) < 2 {
		return true
	}
	old, new := numbers(c.old.packages[0].Version), numbers(c.new.packages[0].Version)
	if slices.Compare(old, new) > 0 {
		old, new = new, old
	}
	common := func(a, b []int) int {
		n := min(len(a), len(b))
		return slices.Compare(a[:n], b[:n])
	}
	return common(version, new) <= 0 && common(version, old) > 0
}

// numbers returns the numbers of the first version in text.
func numbers(s string) (all []int) {
	i := strings.IndexAny(s, "0123456789")
	for i >= 0 && i < len(s) {
		end := i
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(s[i:end])
		if err != nil {
			break
		}
		if all = append(all, n); end+1 >= len(s) || s[end] != '.' || s[end+1] < '0' || s[end+1] > '9' {
			break
		}
		i = end + 1
	}
	return all
}

// codeWords returns the words of prose that are code: words in code spans, and words that do not
// occur in natural language.
func codeWords(prose string) (all []string) {
	for i, span := range strings.Split(prose, "`") {
		for _, word := range identifiers(span, "") {
			if i%2 == 1 || strings.IndexFunc(word, isCode) >= 0 || strings.IndexFunc(word[1:], unicode.IsUpper) >= 0 {
				all = append(all, word)
			}
		}
	}
	return all
}

func isCode(r rune) bool { return r == '_' || r == '$' || '0' <= r && r <= '9' }

// mention finds the sections of changelogs and migration guides that are about a change.
func (c *comparison) mention() {
	passages := c.passages()
	index := map[string][]int{} // the passages that contain each name of a changed symbol or its owner
	for i := range c.changes {
		r := cmp.Or(c.changes[i].old, c.changes[i].new)
		if r == nil {
			continue // a package without symbols
		}
		base, _ := apidoc.CutLabels(r.Name())
		index[base] = nil
		if r.owner != nil {
			index[r.owner.Name()] = nil
		}
	}
	for i, p := range passages {
		for _, word := range codeWords(p.Title + "\n" + p.body) {
			if in, ok := index[word]; ok && (len(in) == 0 || in[len(in)-1] != i) {
				index[word] = append(in, i)
			}
		}
	}
	for i := range c.changes {
		change := &c.changes[i]
		if change.Path == "" || change.Kind == Added && change.Severity == apidoc.Compatible {
			continue
		}
		r := cmp.Or(change.old, change.new)
		base, _ := apidoc.CutLabels(r.Name())
		for _, k := range index[base] {
			if len(change.Sections) == maxSections {
				break
			}
			if r.owner != nil && !slices.Contains(index[r.owner.Name()], k) {
				continue // the name may belong to a member of another type
			}
			if section := passages[k].Section; !slices.Contains(change.Sections, section) {
				change.Sections = append(change.Sections, section)
			}
		}
	}
}
