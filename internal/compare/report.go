package compare

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// SchemaVersion is the version of a report's JSON. It is incremented when a field changes its
// meaning or is removed.
const SchemaVersion = 1

// Report describes the changes to a package.
type Report struct {
	SchemaVersion int              `json:"schemaVersion"`
	Ecosystem     apidoc.Ecosystem `json:"ecosystem"`
	Old           Version          `json:"old"`
	New           Version          `json:"new"`
	// Packages are the names of the packages of the old version that were compared, beginning with
	// the requested one.
	Packages []string `json:"packages"`
	// Unread contains the packages below them that could not be read, or that are beyond the
	// maximum number.
	Unread []string `json:"unread,omitempty"`
	// Used is true if the report lists only changes that affect code of the project. Unused is the
	// number of other changes.
	Used   bool `json:"used,omitempty"`
	Unused int  `json:"unused,omitempty"`
	// Bump is the version change that semantic versioning requires, if the package is the user's
	// own.
	Bump *Bump `json:"bump,omitempty"`
	// Changes are ordered by severity, kind, and the order of the documentation.
	Changes []Change `json:"changes"`
}

// Version is one version of a package.
type Version struct {
	Package    string            `json:"package"`
	Version    string            `json:"version,omitempty"`
	Provenance apidoc.Provenance `json:"provenance"`
}

func (v Version) String() string {
	if v.Version == "" {
		return v.Package
	}
	return v.Package + "@" + v.Version
}

// Breaks reports whether a listed change breaks programs.
func (r *Report) Breaks() bool { return r.count(apidoc.Breaking) > 0 }

func (r *Report) count(s apidoc.Severity) (n int) {
	for i := range r.Changes {
		if r.Changes[i].Severity == s {
			n++
		}
	}
	return n
}

// Hints contains advice on how to get the omitted parts of text.
type Hints struct {
	All     string // how to see the changes that the project does not use
	Narrow  string // how to ask about one symbol
	Larger  string // how to get a longer text
	Section string // how to read a section, with %s for its ID; empty if sections cannot be read
}

// Text returns the report as Markdown of at most limit bytes, or of any length if limit is 0.
// Breaking changes come first, each on one line with its declarations below.
func (r *Report) Text(notice string, limit int, h Hints) string {
	var b strings.Builder
	title := fmt.Sprintf("# %s → %s", r.Old, r.New)
	if r.Old.Package == r.New.Package {
		title = fmt.Sprintf("# %s %s → %s", r.Old.Package, r.Old.Version, r.New.Version)
	}
	fmt.Fprintf(&b, "%s\n\n", line(title))
	fmt.Fprintf(&b, "Old %s → new %s. %s\n\n%s\n", line(apidoc.VersionFrom(r.Old.Provenance.ChosenBy)), line(apidoc.VersionFrom(r.New.Provenance.ChosenBy)), notice, r.summary(h))
	if r.Bump != nil {
		fmt.Fprintf(&b, "%s\n", line(r.Bump.sentence()))
	}
	w := &writer{b: &b, limit: limit}
	for _, s := range []apidoc.Severity{apidoc.Breaking, apidoc.Risky, apidoc.Compatible} {
		w.section(r, s)
	}
	if len(r.Unread) > 0 {
		fmt.Fprintf(&b, "\nNot compared: %s.\n", line(strings.Join(first(r.Unread, 12), ", ")))
	}
	if w.cut > 0 {
		fmt.Fprintf(&b, "\n%s not shown. To see them, %s, or %s.\n", plural(w.cut, "change is", "changes are"), h.Narrow, h.Larger)
	}
	return b.String()
}

// summary returns a sentence about the whole report.
func (r *Report) summary(h Hints) string {
	n := len(r.Changes)
	if n == 0 {
		if r.New.Version != "" && r.New.String() == r.Old.String() {
			return "Both versions are the same."
		}
		s := "Nothing has changed."
		if r.Used {
			s = "Nothing that the project's code uses has changed."
			if r.Unused > 0 {
				s += fmt.Sprintf(" %s other symbols: %s.", plural(r.Unused, "change concerns", "changes concern"), h.All)
			}
		}
		return s
	}
	s := fmt.Sprintf("%s: %d breaking, %d risky, %d compatible", plural(n, "change", "changes"), r.count(apidoc.Breaking), r.count(apidoc.Risky), r.count(apidoc.Compatible))
	if r.Used {
		s += " in what the project's code uses"
		if r.Unused > 0 {
			s += fmt.Sprintf("; %d elsewhere: %s", r.Unused, h.All)
		}
	}
	return s + "."
}

// writer writes changes within a size limit: first with their declarations, then on one line each.
type writer struct {
	b     *strings.Builder
	limit int
	cut   int // the number of omitted changes
}

// reserve is the number of bytes that are kept free for the end of text.
const reserve = 300

// fits reports whether text can be written so that the result takes at most the given share of the
// limit.
func (w *writer) fits(text string, share float64) bool {
	return w.limit <= 0 || float64(w.b.Len()+len(text)+reserve) <= float64(w.limit)*share
}

var titles = map[apidoc.Severity]string{apidoc.Breaking: "Breaking", apidoc.Risky: "Risky", apidoc.Compatible: "Compatible"}

func (w *writer) section(r *Report, s apidoc.Severity) {
	title := "\n## " + titles[s] + "\n\n"
	share := 1.0
	if s == apidoc.Breaking {
		share = 0.8 // the others are named, too
	}
	var added []string
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Severity != s {
			continue
		}
		if c.Kind == Added && s == apidoc.Compatible && len(c.Places) == 0 {
			added = append(added, "`"+line(c.name(r))+"`")
			continue
		}
		short := c.line(r)
		full := short + c.declarations()
		switch {
		case w.fits(title+full, share*0.85):
			w.b.WriteString(title + full)
		case w.fits(title+short, share):
			w.b.WriteString(title + short)
		default:
			w.cut++
			continue
		}
		title = ""
	}
	if len(added) == 0 {
		return
	}
	n := 0
	text := title + "- added: "
	for n < len(added) && w.fits(text+added[n]+", ", 1) {
		if n > 0 {
			text += ", "
		}
		text += added[n]
		n++
	}
	if n > 0 {
		w.b.WriteString(text + "\n")
	}
	w.cut += len(added) - n
}

// name returns the path of a symbol, with its package if that is not the requested one.
func (c *Change) name(r *Report) string {
	root := r.Old.Package
	if c.Kind == Added {
		root = r.New.Package
	}
	if c.Path == "" {
		return c.Package
	}
	if c.Package == root {
		return c.Path
	}
	return c.Package + ": " + c.Path
}

const (
	// maxLine is the maximum size of the details of one change, in bytes.
	maxLine = 700
	// maxShown is the maximum size, in bytes, of a declaration that is shown in full.
	maxShown = 240
	// shownPlaces and shownNames are the maximum numbers of places and of additional names of one
	// change.
	shownPlaces, shownNames = 12, 3
)

// line returns a change on one line, and its places on another line.
func (c *Change) line(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s: %s `%s`", c.Kind, line(string(c.Symbol)), line(c.name(r)))
	if len(c.Also) > 0 {
		fmt.Fprintf(&b, " (also %s", line(strings.Join(first(c.Also, shownNames), ", ")))
		b.WriteString(")")
	}
	if c.Kind == Moved {
		to := c.NewPath
		if c.NewPackage != c.Package || c.NewPath == c.Path {
			to = c.NewPackage + ": " + to
		}
		fmt.Fprintf(&b, " is now `%s`, according to %s", line(to), line(c.Evidence))
	}
	if len(c.Details) > 0 {
		b.WriteString(" – " + bounded(line(describe(c.Details)), maxLine))
	}
	if c.Notice != "" {
		b.WriteString(" – " + bounded(line(c.Notice), maxLine))
	}
	for i, s := range c.Sections {
		lead := ", "
		if i == 0 {
			lead = "; see "
		}
		b.WriteString(lead + line(s.Title))
		if s.ID != "" {
			b.WriteString(" (" + line(s.ID) + ")")
		}
	}
	b.WriteByte('\n')
	if len(c.Places) > 0 {
		var places []string
		for _, p := range c.Places {
			place := fmt.Sprintf("%s:%d", p.File, p.Line)
			if p.ByName {
				place += "?"
			}
			places = append(places, place)
		}
		fmt.Fprintf(&b, "  used in %s\n", line(strings.Join(first(places, shownPlaces), ", ")))
	}
	return b.String()
}

// first returns the first n strings of a list, followed by the number of the others.
func first(all []string, n int) []string {
	if len(all) <= n {
		return all
	}
	return append(all[:n:n], fmt.Sprintf("%d more", len(all)-n))
}

// declarations returns the declarations of a change, or the difference between them.
func (c *Change) declarations() string {
	old, new := markup.Clean(c.Old), markup.Clean(c.New)
	if c.Kind != Changed && c.Kind != Moved {
		return ""
	}
	if old == "" || new == "" || old == new {
		return ""
	}
	if c.old != nil && c.old.Role() == apidoc.TypeRole && len(old)+len(new) > 2*maxShown {
		return "" // The type includes all members, and the details describe the difference.
	}
	old, new = difference(differentLines(old, new), differentLines(new, old), maxShown)
	if old == new {
		return ""
	}
	fence := markup.Fence(old + new)
	return fmt.Sprintf("  %sdiff\n  - %s\n  + %s\n  %s\n", fence, old, new, fence)
}

// differentLines returns the lines of text that are not in another text.
func differentLines(text, other string) string {
	lines := map[string]bool{}
	for l := range strings.Lines(other) {
		lines[strings.TrimSpace(l)] = true
	}
	var all []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); !lines[l] {
			all = append(all, l)
		}
	}
	if len(all) == 0 {
		return text
	}
	return strings.Join(all, "\n")
}

// line returns foreign text on one line, without control characters.
func line(s string) string { return strings.Join(strings.Fields(markup.Clean(s)), " ") }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
