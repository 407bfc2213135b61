package browse

import (
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/terminal"
)

// names finds the symbols that the words in text about a package refer to.
type names struct {
	in       *apidoc.Package
	about    *apidoc.Symbol // that the text is about; its path is empty if the text is about the package
	resolver *naming.Resolver
	byPath   map[string]*apidoc.Symbol
}

func newNames(p *apidoc.Package, about *apidoc.Symbol) *names {
	if about == nil {
		about = &apidoc.Symbol{}
	}
	n := &names{in: p, about: about, resolver: naming.NewResolver(p), byPath: map[string]*apidoc.Symbol{}}
	for s := range p.Everywhere {
		if n.byPath[s.Path] == nil {
			n.byPath[s.Path] = s
		}
	}
	return n
}

// refer returns the target of a word. Members of the symbol and of its enclosing types come first,
// because the text mentions them without the names of their types.
func (n *names) refer(word string) (apidoc.Ref, bool) {
	separator := n.in.Separator()
	for owner := n.about.Path; owner != ""; {
		if s := n.byPath[owner+separator+word]; s != nil {
			return apidoc.Ref{Path: s.Path}, true
		}
		owner = owner[:max(strings.LastIndex(owner, separator), 0)]
	}
	return n.resolver.Mention(n.about, word)
}

// target returns the target of a word, or nil if it is unknown. If a path is unknown, its beginning
// is used, such as the type of an unknown method. from is the subject of the text.
func (n *names) target(m *Model, from target, word string) *target {
	for word != "" {
		if ref, ok := n.refer(word); ok {
			to := target{question: from.question, version: from.version}
			if ref.Package != "" && ref.Package != n.in.Name {
				to = target{question: m.question(from.question.Language, ref.Package)}
			}
			to.symbol = ref.Path
			return &to
		}
		word = word[:max(strings.LastIndex(word, n.in.Separator()), 0)]
	}
	return nil
}

// isName reports whether a character can be part of a name.
func isName(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$' }

// tokens calls yield for the names in a line, with the columns where they begin and end. Names
// joined by separators count as one name. The parts of paths with slashes do not count as names.
func tokens(line string, yield func(token string, from, to int) bool) {
	runes := []rune(line)
	column := 0
	for i := 0; i < len(runes); {
		if !isName(runes[i]) {
			column += terminal.Columns(string(runes[i]))
			i++
			continue
		}
		start := i
		for i < len(runes) {
			if isName(runes[i]) {
				i++
				continue
			}
			separator := 0
			switch {
			case runes[i] == '.':
				separator = 1
			case runes[i] == ':' && i+1 < len(runes) && runes[i+1] == ':':
				separator = 2
			}
			if separator == 0 || i+separator >= len(runes) || !isName(runes[i+separator]) {
				break
			}
			i += separator
		}
		token := string(runes[start:i])
		width := terminal.Columns(token)
		inPath := start > 0 && runes[start-1] == '/' || i < len(runes) && runes[i] == '/'
		if !inPath && !yield(token, column, column+width) {
			return
		}
		column += width
	}
}

// tokenAt returns the name at a column of a line. If several names are joined by separators, it
// returns those up to the column.
func tokenAt(line string, column int) (found string) {
	tokens(line, func(token string, from, to int) bool {
		if column < from || column >= to {
			return column >= to
		}
		found = token
		for i, r := range token {
			if !isName(r) && terminal.Columns(token[:i]) > column-from {
				found = token[:i]
				break
			}
		}
		return false
	})
	return found
}

const (
	// maxLinks is the maximum number of links in text that are listed.
	maxLinks = 1000
	// maxLinkTokens is the maximum number of names in text that are looked up.
	maxLinkTokens = 50_000
)

// links is the page that lists the symbols and pages that a document refers to.
type links struct {
	list
	document *document
}

func (l *links) start(m *Model) []console.Command {
	if !l.first() {
		return nil
	}
	d := l.document
	seen, words := map[target]bool{}, map[string]bool{}
	for _, listed := range []bool{true, false} {
		self := d.target
		self.source, self.section, self.overview = !listed, "", false
		seen[self] = true
	}
	var items []item
	looked := 0
	for _, line := range d.lines {
		tokens(terminal.Bare(line), func(token string, _, _ int) bool {
			if looked++; looked > maxLinkTokens || len(items) == maxLinks {
				return false
			}
			if words[token] {
				return true
			}
			words[token] = true
			t := d.names.target(m, d.target, token)
			if t == nil || seen[*t] {
				return true
			}
			seen[*t] = true
			items = append(items, d.link(t))
			return true
		})
	}
	l.setItems(items)
	return nil
}

// link returns the item of a target that the text refers to.
func (d *document) link(t *target) item {
	it := item{name: oneLine(t.symbol), target: *t}
	if s := d.names.byPath[t.symbol]; s != nil && t.question == d.target.question {
		it.first, it.text, it.in, it.symbol = string(s.Kind), synopsis(s.Doc), d.names.in, s
		it.faint = s.Deprecated != ""
		return it
	}
	it.second = oneLine(t.question.Name)
	if it.name == "" {
		it.name, it.first, it.second = it.second, "package", ""
	}
	return it
}

func (l *links) update(*Model, any) []console.Command            { return nil }
func (l *links) key(m *Model, key console.Key) []console.Command { return l.listKey(m, l, key) }

func (l *links) crumbs() []crumb {
	all := l.document.crumbs()
	if last := &all[len(all)-1]; last.open == nil {
		t := l.document.target
		last.open = &t
	}
	return append(all, crumb{name: "links"})
}
