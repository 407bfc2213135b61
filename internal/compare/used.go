package compare

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Used returns the changes that affect code in the given files, each with its places. Members that
// are used through values are found only by their names, in files that use the package.
func Used(changes []Change, files []check.FileUses) (used []Change) {
	finder := &finder{uses: map[string][]Place{}, below: map[string][]Place{}, names: map[string][]Place{}, packages: map[string][]Place{}}
	for i := range files {
		finder.add(&files[i], changes)
	}
	for _, change := range changes {
		if change.Places = finder.places(&change); len(change.Places) > 0 {
			change.limit()
			used = append(used, change)
		}
	}
	sortChanges(used)
	return used
}

// limit limits a change to the places that it affects. Calls are not affected by additional optional
// parameters, and by parameters that they do not pass. If no place is affected, the change is
// compatible. A type that loses a base is risky, because few uses of the type need the base, and
// changes to its members are listed separately.
func (c *Change) limit() {
	isBase := func(d Detail) bool { return d.Aspect == Base && d.Severity == apidoc.Breaking }
	if c.Kind != Removed && slices.ContainsFunc(c.Details, isBase) {
		c.Details = slices.Clone(c.Details)
		for i := range c.Details {
			if isBase(c.Details[i]) {
				c.Details[i].Severity = apidoc.Risky
			}
		}
		if c.Kind == Changed {
			c.Severity = severity(c.Details)
		}
	}
	if c.Kind != Changed || c.Severity == apidoc.Compatible {
		return
	}
	affected := slices.DeleteFunc(slices.Clone(c.Places), func(p Place) bool {
		return !slices.ContainsFunc(c.Details, func(d Detail) bool { return d.Severity > apidoc.Compatible && !p.spares(&d) })
	})
	if len(affected) > 0 {
		c.Places = affected
		return
	}
	c.Severity, c.Details = apidoc.Compatible, slices.Clone(c.Details)
	for i := range c.Details {
		c.Details[i].Severity = apidoc.Compatible
	}
}

// spares reports whether a difference does not affect a place because it is a call.
func (p *Place) spares(d *Detail) bool {
	if p.call == nil {
		return false
	}
	switch d.Aspect {
	case ParamAdded:
		return d.New == optionalParam
	case ParamType, ParamRemoved, ParamRenamed, ParamPassing, ParamRequired:
		names := identifiers(p.call.text, "")
		passed := p.call.count >= d.place || p.call.spread || slices.Contains(names, d.Name) || slices.Contains(names, d.Old)
		return d.Aspect != ParamRequired && d.place > 0 && !passed
	}
	return false
}

// lineStarts returns the offset of each line of text.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// arguments are the arguments of a call.
type arguments struct {
	text   string
	count  int
	spread bool // whether one of them can represent several
}

// maxArguments is the maximum size in bytes of the arguments of a call.
const maxArguments = 4096

// callAt returns the arguments that follow the path of a symbol, or nil if there are none.
func callAt(text []byte, starts []int, at ecosystem.Position) *arguments {
	if at.Line < 1 || at.Line > len(starts) || at.Column < 1 {
		return nil
	}
	i := min(starts[at.Line-1]+at.Column-1, len(text))
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if !isWord(r) && r != '.' && r != ':' {
			break
		}
		i += size
	}
	if i == len(text) || text[i] != '(' {
		return nil
	}
	rest := text[i+1 : min(len(text), i+1+maxArguments)]
	call := &arguments{}
	depth, quote, empty := 0, byte(0), true
	for k, b := range rest {
		switch {
		case quote != 0:
			if b == quote && rest[k-1] != '\\' {
				quote = 0
			}
		case b == '"' || b == '`':
			quote, empty = b, false
		case b == ')' && depth == 0:
			call.text = string(rest[:k])
			if !empty {
				call.count++
			}
			call.spread = strings.Contains(call.text, "...") || strings.Contains(call.text, "*")
			return call
		case strings.IndexByte("([{", b) >= 0:
			depth, empty = depth+1, false
		case strings.IndexByte(")]}", b) >= 0:
			depth--
		case b == ',' && depth == 0:
			if !empty {
				call.count++
			}
			empty = true
		case !unicode.IsSpace(rune(b)):
			empty = false
		}
	}
	return nil
}

// maxPlaces is the maximum number of places of one change.
const maxPlaces = 200

// finder finds the places of symbols in files.
type finder struct {
	uses  map[string][]Place // uses by package and path
	below map[string][]Place // uses by package and path of an enclosing symbol
	names map[string][]Place // places of members, by name
	// packages contains the places where packages are imported.
	packages map[string][]Place
}

func (f *finder) add(file *check.FileUses, changes []Change) {
	starts := lineStarts(file.Text)
	var resolved []span                      // the texts of uses whose symbols are known
	imported := map[string][]ecosystem.Use{} // imports by their name in the file
	for _, u := range file.Uses {
		place := Place{File: file.File, Line: u.Line, Column: u.Column, call: callAt(file.Text, starts, u.Position)}
		if u.Line >= 1 && u.Line <= len(starts) && u.Column >= 1 {
			start := starts[u.Line-1] + u.Column - 1
			resolved = append(resolved, span{start, start + len(u.Text)})
		}
		if name := localName(file.Text, starts, &u); name != "" {
			imported[name] = append(imported[name], u)
		}
		if u.Import && len(f.packages[u.Package]) < maxPlaces {
			f.packages[u.Package] = append(f.packages[u.Package], place)
		}
		f.uses[u.Package+"\x00"+u.Path] = append(f.uses[u.Package+"\x00"+u.Path], place)
		for i, r := range u.Path {
			if i > 0 && strings.ContainsRune(".:", r) {
				k := u.Package + "\x00" + u.Path[:i]
				f.below[k] = append(f.below[k], place)
			}
		}
	}
	wanted := map[string]bool{}
	for i := range changes {
		if r := cmp.Or(changes[i].old, changes[i].new); r != nil && r.owner != nil {
			name, _ := apidoc.CutLabels(r.Name())
			wanted[name] = true
		}
	}
	line, start := 1, 0
	text := file.Text
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == '\n' {
			line, start = line+1, i+1
		}
		if !isWord(r) {
			i += size
			continue
		}
		end := i
		for end < len(text) {
			r, size := utf8.DecodeRune(text[end:])
			if !isWord(r) {
				break
			}
			end += size
		}
		if uses := imported[string(text[i:end])]; uses != nil && !isMember(text, i, end) {
			paths, last := segments(text, end)
			for _, u := range uses {
				if u.Line != line || !u.Import {
					f.imported(file, &u, ecosystem.Position{Line: line, Column: i - start + 1}, paths, starts)
				}
			}
			resolved = append(resolved, span{i, last})
		}
		if name := string(text[i:end]); wanted[name] && isMember(text, i, end) && len(f.names[name]) < maxPlaces {
			at := ecosystem.Position{Line: line, Column: i - start + 1}
			if !file.Members[at] && !slices.ContainsFunc(resolved, func(s span) bool { return s.start <= i && end <= s.end }) {
				f.names[name] = append(f.names[name], Place{File: file.File, Line: at.Line, Column: at.Column, ByName: true, call: callAt(text, starts, at)})
			}
		}
		i = end
	}
}

// localName returns the name that an import of a symbol has in the file, or "" if the use is not such
// an import.
func localName(text []byte, starts []int, u *ecosystem.Use) string {
	if !u.Import || u.Path == "" || u.Line < 1 || u.Line > len(starts) || u.Column < 1 {
		return ""
	}
	name := u.Text[strings.LastIndexAny(u.Text, ".:")+1:]
	offset := min(starts[u.Line-1]+u.Column-1+len(u.Text), len(text))
	if words := bytes.Fields(text[offset:min(offset+200, len(text))]); len(words) > 1 && string(words[0]) == "as" {
		end := bytes.IndexFunc(words[1], func(r rune) bool { return !isWord(r) })
		if end < 0 {
			end = len(words[1])
		}
		name = string(words[1][:end])
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) }) {
		return "" // such as *
	}
	return name
}

// segments returns the paths of members that follow a name, such as ".a" and ".a.b" for "name.a.b(c)",
// and the offset of their end.
func segments(text []byte, offset int) (paths []string, last int) {
	last = offset
	for i := offset; i < len(text); {
		for i < len(text) && (text[i] == '.' || text[i] == ':') {
			i++
		}
		start := i
		for i < len(text) {
			r, size := utf8.DecodeRune(text[i:])
			if !isWord(r) {
				break
			}
			i += size
		}
		if separator := string(text[last:start]); i == start || separator != "." && separator != "::" {
			break
		}
		last = i
		paths = append(paths, string(text[offset:last]))
	}
	return paths, last
}

// imported adds a place where the name of an imported symbol is used, and the members that follow.
func (f *finder) imported(file *check.FileUses, u *ecosystem.Use, at ecosystem.Position, members []string, starts []int) {
	place := Place{File: file.File, Line: at.Line, Column: at.Column}
	call := callAt(file.Text, starts, at)
	for i, member := range append([]string{""}, members...) {
		if place.call = nil; i == len(members) {
			place.call = call
		}
		k := u.Package + "\x00" + u.Path + member
		if len(f.uses[k]) < maxPlaces {
			f.uses[k] = append(f.uses[k], place)
		}
		if i > 0 {
			k := u.Package + "\x00" + u.Path
			f.below[k] = append(f.below[k], place)
		}
	}
}

// span is a range of offsets in a file.
type span struct{ start, end int }

// isMember reports whether a word of a program is in the position of a member: after a value, or
// before the value of a field.
func isMember(text []byte, start, end int) bool {
	before := bytes.TrimRight(text[:start], " \t\r\n")
	if n := len(before); n > 0 && (before[n-1] == '.' || before[n-1] == ':' && n > 1 && before[n-2] == ':') {
		return true
	}
	after := bytes.TrimLeft(text[end:min(end+8, len(text))], " ")
	return len(after) > 0 && after[0] == ':' && !bytes.HasPrefix(after, []byte(":=")) && !bytes.HasPrefix(after, []byte("::"))
}

// keys returns the keys of a symbol in finder.uses: a program can also reach it through a package
// above its own.
func keys(pkg, path string) (all []string) {
	all = append(all, pkg+"\x00"+path)
	for i := len(pkg) - 1; i > 0; i-- {
		if pkg[i] == '.' || pkg[i] == ':' && pkg[i-1] == ':' {
			separator := pkg[i : i+1]
			if separator == ":" {
				i--
				separator = "::"
			}
			all = append(all, pkg[:i]+"\x00"+pkg[i+len(separator):]+separator+path)
		}
	}
	return all
}

// heirs returns the paths of the types of the package that inherit a constructor.
func (r *ref) heirs() (paths []string) {
	for s := range r.in.All {
		if s.Role() != apidoc.TypeRole {
			continue
		}
		for _, m := range s.AllMembers() {
			if m.Role() == apidoc.ConstructorRole && m.From == r.owner.Path && m.Name() == r.Name() {
				paths = append(paths, s.Path)
			}
		}
	}
	return paths
}

// places returns the places that a change affects, in order and without duplicates.
func (f *finder) places(change *Change) (all []Place) {
	if change.Path == "" {
		return f.packages[change.Package]
	}
	names := append([]string{change.Package + ": " + change.Path}, change.Also...)
	r := cmp.Or(change.old, change.new)
	for _, name := range names {
		pkg, path, _ := strings.Cut(name, ": ")
		for _, k := range keys(pkg, path) {
			all = append(all, f.uses[k]...)
			if change.Kind == Removed || change.Kind == Moved {
				all = append(all, f.below[k]...)
			}
		}
		role := r.Role()
		if owner := strings.TrimSuffix(path, r.in.Separator()+r.Name()); r.owner != nil && owner != path &&
			(role == apidoc.ConstructorRole || change.Kind == Added) {
			for _, k := range keys(pkg, owner) {
				all = append(all, f.uses[k]...)
			}
		}
	}
	if r.owner != nil && r.Role() == apidoc.ConstructorRole && change.Kind != Added {
		for _, path := range r.heirs() {
			for _, k := range keys(r.in.Name, path) {
				all = append(all, f.uses[k]...)
			}
		}
	}
	if r.owner != nil && change.Kind != Added {
		name, _ := apidoc.CutLabels(r.Name())
		all = append(all, f.names[name]...)
	}
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	// Several places on one line count as one. A certain place comes before one that was found by
	// name only.
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), boolOrder(a.ByName, b.ByName))
	})
	all = slices.CompactFunc(all, func(a, b Place) bool { return a.File == b.File && a.Line == b.Line })
	return all[:min(len(all), maxPlaces)]
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
