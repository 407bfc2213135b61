package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// Exporter returns the package or entry point from which users import a name that another package
// mentions. declared is its declaration, or nil if only a comment contains the name. Exporter
// returns "" if there is none or it is unknown. If it has read the package, exporting is its renderer.
type Exporter func(mentionedBy *Renderer, name string, declared *apidoc.Symbol) (from string, exporting *Renderer)

const (
	// maxExported is the maximum number of names whose packages an answer lists, and
	// maxExportedBytes the maximum length of that line in bytes.
	maxExported      = 60
	maxExportedBytes = 1500
	// minCombined is the minimum number of names with the same last words that are written as a
	// pattern.
	minCombined = 2
	// maxExportedOfOne is the maximum length of the names from one package.
	maxExportedOfOne = 400
)

// quotedType matches a name in a comment that can be the name of a type. raises matches a line about
// errors, and listItem an item of a list in a comment.
var (
	quotedType = lazyregexp.New("`(\\p{Lu}[\\pL\\pN_]*)`")
	raises     = lazyregexp.New("(?i)\\b(raise|throw|fail)s?\\b")
	listItem   = lazyregexp.New("^\\W*[-*] `")
)

// raisedNames returns the names of types in the lines of a text about errors, and in lists below
// such lines.
func raisedNames(text string) (names []string) {
	about := false
	for line := range strings.Lines(text) {
		// The words are found faster without a regular expression, and most lines do not contain them.
		named := strings.Contains(line, "aise") || strings.Contains(line, "hrow") || strings.Contains(line, "ail")
		if about = named && raises().MatchString(line) || about && (listItem().MatchString(line) || strings.Trim(line, " #/*\n") == ""); !about {
			continue
		}
		for _, match := range quotedType().FindAllStringSubmatch(line, -1) {
			names = appendNew(names, match[1])
		}
	}
	return names
}

// WithExporters returns the answer with a last line that lists where the types in its text can be
// imported from, if the packages that mention the types do not export them.
func (a *Answer) WithExporters(mentioning []*Renderer, exporter Exporter, o Options) *Answer {
	words, raised := wordsIn(a.Text), raisedNames(a.Text)
	var packages []string
	names := map[string][]exportedName{}
	seen := map[string]bool{}
	add := func(name, from string, exporting *Renderer) {
		if from == "" || seen[name] || len(seen) == maxExported {
			return
		}
		seen[name] = true
		fields := exporting.fieldsBehind(name)
		if fields == "" && saysPackage(a.Text, oneLine(name), oneLine(from)) {
			return
		}
		if names[from] == nil {
			packages = append(packages, from)
		}
		names[from] = append(names[from], exportedName{oneLine(name), fields})
	}
	for i, r := range mentioning {
		if slices.Contains(mentioning[:i], r) {
			continue
		}
		for _, s := range r.internalTypes(words) {
			switch name := s.Name(); {
			case seen[name]:
			case s.ParentPath() != "":
				add(name, s.ParentPath(), nil)
			default:
				from, _ := exporter(r, name, s) // the answer shows the declaration
				add(name, from, nil)
			}
		}
		for _, name := range raised {
			if !seen[name] && r.pkg.At(name) == nil && !strings.Contains(a.Text, "\n"+raisedItem(name)+inPackage) {
				from, exporting := exporter(r, name, nil)
				add(name, from, exporting)
			}
		}
		for _, ref := range r.pkg.Imports {
			sameModule := ref.Package == r.pkg.Module || apidoc.IsBelow(ref.Package, r.pkg.Module)
			if ref.Path == "" && r.pkg.Module != "" && sameModule && words[ref.Name+"."] && !r.listsBelow(a.Text, ref.Package) {
				add(ref.Name+r.pkg.Separator()+"*", ref.Package, nil)
			}
		}
	}
	if len(packages) == 0 {
		return a
	}
	var all []string
	for _, p := range packages {
		all = append(all, nameSome(combined(names[p], words), maxExportedOfOne)+" in "+oneLine(p))
	}
	line := "Exported elsewhere: " + strings.Join(all, "; ") + "."
	if limit := o.limit(); len(line) > maxExportedBytes || limit > 0 && len(a.Text)+len(line)+2 > limit {
		return a
	}
	located := *a
	located.Text += "\n" + line + "\n"
	return &located
}

// exportedName is the name of a type, with the fields of an error.
type exportedName struct{ name, fields string }

// combined returns names, with those that share their last words and fields as one pattern, such as
// *BusyError. A pattern matches no other words of the answer.
func combined(names []exportedName, words map[string]bool) []string {
	isName := map[string]bool{}
	for _, n := range names {
		isName[n.name] = true
	}
	patterns := map[exportedName]string{}
	for _, n := range []int{1, 2} { // the number of last words
		members := map[string][]exportedName{}
		for _, name := range names {
			if suffix := lastWords(name.name, n); patterns[name] == "" && suffix != "" {
				members[suffix] = append(members[suffix], name)
			}
		}
		for suffix, all := range members {
			differs := slices.ContainsFunc(all, func(name exportedName) bool { return name.fields != all[0].fields })
			for word := range words {
				differs = differs || strings.HasSuffix(word, suffix) && !isName[word]
			}
			for _, name := range all {
				if len(all) >= minCombined && !differs {
					patterns[name] = "*" + suffix
				}
			}
		}
	}
	var texts []string
	for _, name := range names {
		texts = appendNew(texts, cmp.Or(patterns[name], name.name)+name.fields)
	}
	return texts
}

// lastWords returns the last n words of a name such as GateBusyError. It returns "" if the name has
// no more words.
func lastWords(name string, n int) string {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] >= 'A' && name[i] <= 'Z' && (name[i-1] < 'A' || name[i-1] > 'Z') {
			if n--; n == 0 {
				return name[i:]
			}
		}
	}
	return ""
}

// listsBelow reports whether a text has a heading for a package or lists it below the package of r.
func (r *Renderer) listsBelow(text, name string) bool {
	return strings.Contains(text, "\n## "+oneLine(name)+"\n") || strings.Contains(text, "\n- "+oneLine(strings.TrimPrefix(name, r.pkg.Name))+":")
}

// saysPackage reports whether a text says in which package a name, or one of its members, is.
func saysPackage(text, name, from string) bool {
	for rest := text; ; {
		before, after, ok := strings.Cut(rest, " in "+from)
		if !ok {
			return false
		}
		before = strings.TrimSuffix(strings.TrimSuffix(before, "**"), ")")
		if open := strings.LastIndexByte(before, '('); open > 0 && !strings.Contains(before[open:], "\n") && !inName(before[open-1]) {
			before = strings.TrimRight(before[:open], " ") // the kind of the symbol
		}
		path := before[strings.LastIndexAny(before, " \n*")+1:]
		if next, found := strings.CutPrefix(path, name); found && (next == "" || !inName(next[0])) && (after == "" || !inName(after[0])) {
			return true
		}
		rest = after
	}
}

// fieldsBehind returns the fields of an error in parentheses, or "" if it has none or r is nil.
func (r *Renderer) fieldsBehind(name string) string {
	if r == nil {
		return ""
	}
	if s := r.pkg.At(name); s != nil && s.IsType() {
		if fields := r.fieldsOf(s); fields != "" {
			return " (`" + fields + "`)"
		}
	}
	return ""
}

// internalTypes returns the types with names among words that the package does not export, but not
// those whose names refer to something else in some signatures.
func (r *Renderer) internalTypes(words map[string]bool) []*apidoc.Symbol {
	var found []*apidoc.Symbol
	paths := map[string]string{}
	for i := range r.pkg.Internal {
		if s := &r.pkg.Internal[i]; s.IsType() && words[s.Name()] && s.From == "" {
			found = append(found, s)
			paths[s.Name()] = s.Path
		}
	}
	if len(found) == 0 {
		return nil
	}
	exclude := func(refs []apidoc.Ref) {
		for _, ref := range refs {
			if path, ok := paths[ref.Name]; ok && (ref.Package != "" || ref.Path != path) {
				delete(paths, ref.Name)
			}
		}
	}
	exclude(r.pkg.Imports)
	for _, s := range r.symbols() {
		exclude(s.Refs)
	}
	return slices.DeleteFunc(found, func(s *apidoc.Symbol) bool { return paths[s.Name()] == "" })
}

// wordsIn returns the words of a text, and the words before a dot with the dot.
func wordsIn(text string) map[string]bool {
	words := map[string]bool{}
	start := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (inName(text[i]) || text[i] == '$') {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			words[text[start:i]] = true
			if i < len(text) && text[i] == '.' {
				words[text[start:i+1]] = true
			}
			start = -1
		}
	}
	return words
}
