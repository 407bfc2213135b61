package compare

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
)

// Used returns the changes that affect code in the given files, each with its places. Members that
// are used through values are found only by their names, in files that use the package.
func Used(changes []Change, files []check.FileUses) (used []Change) {
	finder := newFinder(changes)
	renamed := map[string]string{} // the new names of types that have moved
	for i := range changes {
		if c := &changes[i]; c.Kind == Moved && c.old != nil && c.new != nil && c.old.Role() == apidoc.TypeRole {
			renamed[c.old.Name()] = c.new.Name()
		}
	}
	for i := range files {
		finder.add(&files[i], changes)
	}
	for _, change := range changes {
		change.Places = finder.places(&change)
		if change.Kind == Removed || change.Kind == Moved && change.Evidence != sameImport {
			change.Places = slices.DeleteFunc(change.Places, func(p Place) bool { return p.offered })
		}
		if len(change.Places) > 0 {
			change.limit(renamed)
			used = append(used, change)
		}
	}
	sortChanges(used)
	return used
}

// limit limits a change to the places that it affects, and to the differences that affect a place: an
// import needs only the name, and a call only what it passes. If no place is affected, the change is
// compatible. A type that loses a base is risky only in lines that contain the name of the base, because
// few other uses need it, and changes to its members are listed separately. renamed maps the names of
// types to their new names, which do not count as a difference.
func (c *Change) limit(renamed map[string]string) {
	r := cmp.Or(c.old, c.new)
	if r == nil || c.Severity == apidoc.Compatible {
		return
	}
	rules := &r.in.Style.Rules
	c.Details = slices.Clone(c.Details)
	for i := range c.Details {
		if d := &c.Details[i]; c.Kind != Removed && d.Aspect == Base && d.Severity == apidoc.Breaking {
			d.Severity = apidoc.Risky
		}
	}
	switch c.Kind {
	case Added, Deprecated:
		if places := slices.DeleteFunc(slices.Clone(c.Places), func(p Place) bool {
			return p.imports || c.Kind == Added && (p.selects || r.Role() == apidoc.EnumValueRole && !p.matches)
		}); len(places) > 0 {
			c.Places = places
		} else if c.Kind == Added {
			c.Severity = apidoc.Compatible
		}
		return
	case Removed, Moved:
		if calls := slices.DeleteFunc(slices.Clone(c.Places), func(p Place) bool { return p.call == nil }); r.Role() == apidoc.ConstructorRole {
			if c.Places = calls; len(calls) == 0 {
				c.Severity = apidoc.Compatible
			}
		}
		if c.Evidence != sameImport {
			return
		}
	case Changed:
	default:
		return
	}
	for i := range c.Details {
		d := &c.Details[i]
		counterpart := func(o Detail) bool {
			return o.Aspect == d.Aspect && (d.before == nil && o.after == nil && o.before.equalNames(d.after, renamed) || d.after == nil && o.before == nil && d.before.equalNames(o.after, renamed))
		}
		if d.before.equalNames(d.after, renamed) || slices.ContainsFunc(c.Details, counterpart) {
			d.Severity = apidoc.Compatible
		}
	}
	affects := make([]apidoc.Severity, len(c.Details)) // affects contains the severities of the differences that affect the places.
	affected := slices.DeleteFunc(slices.Clone(c.Places), func(p Place) bool {
		worst := apidoc.Compatible
		for i := range c.Details {
			s := p.severity(&c.Details[i], c, rules)
			affects[i], worst = max(affects[i], s), max(worst, s)
		}
		return worst == apidoc.Compatible
	})
	if len(affected) > 0 {
		c.Places = affected
	}
	for i, s := range affects {
		c.Details[i].Severity = s
	}
	c.Severity = severity(c.Details)
	if c.Kind == Moved {
		c.Severity = max(c.Severity, apidoc.Risky)
	}
}

// severity returns the severity of a difference at the given place.
func (p *Place) severity(d *Detail, c *Change, rules *apidoc.Rules) apidoc.Severity {
	if d.Severity == apidoc.Compatible || p.spares(d, c, rules) {
		return apidoc.Compatible
	}
	if (aboutCalls(d.Aspect) || d.Aspect == Receiver) && p.call != nil && c.new.isOverloaded() && p.call.fits(c.new) {
		return min(d.Severity, apidoc.Risky) // Another overload may accept the arguments.
	}
	switch d.Aspect {
	case Constraint, Overload:
		return min(d.Severity, apidoc.Risky) // Values in the program usually satisfy both types, and the program may use another overload.
	case ParamType, ResultType, TypeParam, TypeOf:
		if rules.Structural {
			return min(d.Severity, apidoc.Risky)
		}
	}
	return d.Severity
}

// spares reports whether a difference does not affect a place.
func (p *Place) spares(d *Detail, c *Change, rules *apidoc.Rules) bool {
	r := c.old
	switch {
	case d.Aspect == Platform:
		const on = "(on)"
		return strings.HasSuffix(d.Old, on) && strings.HasSuffix(d.New, on)
	case p.imports:
		return true
	case d.Aspect == Base:
		return !slices.Contains(identifiers(p.line, ""), d.base)
	case d.Aspect == SymbolKind:
		isType := func(kind string) bool { return (&apidoc.Symbol{Kind: apidoc.Kind(kind)}).Role() == apidoc.TypeRole }
		if p.call != nil && r.Role() == apidoc.ValueRole {
			// The parameters of values are not compared with those of functions. Where types are not
			// enforced, a list may have been passed instead of several arguments.
			return p.call.fits(c.new) && (p.call.count == 0 || rules.Type < apidoc.Breaking && !p.call.list)
		}
		return d.Severity < apidoc.Breaking && (p.call != nil || !isType(d.Old) && !isType(d.New)) // The kinds are interchangeable.
	case rules.Structural && p.call != nil && (d.Aspect == TypeParam || d.Aspect == Constraint && p.call.count == 0):
		return true // the type arguments are inferred
	case d.Aspect == Word:
		return rules.Words[d.New].Assigned && !p.assigned
	case !aboutCalls(d.Aspect):
		return false
	case p.call == nil:
		return p.ByName || r.Role() == apidoc.ConstructorRole // The function is not called here.
	}
	passed := p.call.passes(d, r, rules)
	switch d.Aspect {
	case ParamAdded:
		byName := p.call.count == len(p.call.keywords) && !p.call.spread
		return d.New == optionalParam || rules.NamedArguments && (d.New == requiredParam || byName) && p.call.fits(c.new)
	case ParamRemoved:
		if d.Severity < apidoc.Breaking && d.flags&anyKeyword == apidoc.Variadic && p.call.fits(c.new) {
			return true // declared parameters take the arguments now
		}
	case ParamType:
		return rules.Type < apidoc.Breaking && rules.NamedArguments || d.place > 0 && !passed && !p.call.spread
	case ParamRequired, Default:
		return passed && !p.call.spread
	case ParamsReordered:
		return p.call.count < 2 && !p.call.spread
	case ResultType:
		return p.call.discarded || c.new.hasMember(d.after, p.call.member) || (rules.Structural || rules.Type < apidoc.Breaking) && d.before != nil && d.before.name != "" && strings.EqualFold(d.before.name, d.after.name)
	}
	return d.place > 0 && !passed && !p.call.spread
}

// paramNames returns the names of the parameters of a function.
func (r *ref) paramNames() (all []string) {
	d := r.in.Decl(r.Symbol)
	for i := range d.Parts {
		if d.Parts[i].Role == apidoc.ParamPart {
			all = append(all, d.ChildText(i, apidoc.NamePart))
		}
	}
	return all
}

// aboutCalls reports whether only the callers of a function notice a difference.
func aboutCalls(a Aspect) bool {
	switch a {
	case ParamAdded, ParamRemoved, ParamRenamed, ParamsReordered, ParamRequired, ParamPassing, ParamType, Default, ResultType:
		return true
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

// maxPlaces is the maximum number of places of one change.
const maxPlaces = 200

// finder finds the places of symbols in files.
type finder struct {
	uses  map[string][]Place // uses by package and path
	below map[string][]Place // uses by package and path of an enclosing symbol
	names map[string][]Place // places of members, by name
	// packages contains the places where packages are imported.
	packages map[string][]Place
	// known are the symbols that the packages declare. owners maps the name of a member to the
	// number of types that declare such a member, and to the number of those in which it has
	// changed.
	known           map[string]bool
	owners, touched map[string]int
	// inherited maps inherited members to those from which they come.
	inherited map[string]string
	// old and new are the compared packages by their names.
	old, new map[string]*apidoc.Package
	// keyed is true if a name before a colon can be a field, as in a composite literal.
	keyed bool
}

func newFinder(changes []Change) *finder {
	f := &finder{
		uses: map[string][]Place{}, below: map[string][]Place{}, names: map[string][]Place{}, packages: map[string][]Place{},
		known: map[string]bool{}, owners: map[string]int{}, touched: map[string]int{}, inherited: map[string]string{},
		old: map[string]*apidoc.Package{}, new: map[string]*apidoc.Package{},
	}
	// A member that a package exports under several paths counts once.
	type declared struct {
		file, path string
		line       int
	}
	where := func(s *apidoc.Symbol) declared {
		if s.File == "" {
			return declared{path: s.Path}
		}
		return declared{file: s.File, line: s.Line}
	}
	counted, changed := map[declared]bool{}, map[declared]bool{}
	seen := map[*apidoc.Package]bool{}
	for i := range changes {
		c := &changes[i]
		r := cmp.Or(c.old, c.new)
		if r == nil {
			continue
		}
		f.keyed = r.in.Style.Rules.Type == apidoc.Breaking
		if c.new != nil {
			f.new[c.Package] = c.new.in
		}
		if c.old == nil {
			continue
		}
		if r.owner != nil && c.Severity > apidoc.Compatible && r.From == "" && c.Kind != Deprecated && !changed[where(r.Symbol)] {
			changed[where(r.Symbol)] = true
			name, _ := apidoc.CutLabels(r.Name())
			f.touched[name]++
		}
		if seen[r.in] {
			continue
		}
		seen[r.in] = true
		f.old[r.in.Name] = r.in
		for s := range r.in.All {
			if s.From == "" {
				f.known[r.in.Name+"\x00"+s.Path] = true
			} else {
				f.inherited[r.in.Name+"\x00"+s.Path] = r.in.Name + "\x00" + s.From + r.in.Separator() + s.Name()
			}
			if s.From == "" && strings.Contains(s.Path, r.in.Separator()) && !counted[where(s)] {
				counted[where(s)] = true
				name, _ := apidoc.CutLabels(s.Name())
				f.owners[name]++
			}
		}
	}
	return f
}

// isRare reports whether most members with the given name have not changed, in which case a use of
// the name is probably that of another one.
func (f *finder) isRare(name string) bool { return 2*f.touched[name] < f.owners[name] }

func (f *finder) add(file *check.FileUses, changes []Change) {
	starts := lineStarts(file.Text)
	var resolved []span                      // resolved contains the text of each use whose symbol is known.
	imported := map[string][]ecosystem.Use{} // imported contains the imports by their names in the file.
	unknown := map[ecosystem.Position]bool{} // unknown contains the members whose types the packages do not declare.
	for _, u := range file.Uses {
		if u.Whole {
			imported[u.Text] = append(imported[u.Text], u)
			continue
		}
		k := u.Package + "\x00" + u.Path
		if file.Members[u.Position] && u.Package != "" && !f.known[k] && f.inherited[k] == "" {
			unknown[u.Position] = true
			continue // The type of the value is not part of the API.
		}
		place := Place{File: file.File, Line: u.Line, Column: u.Column, call: callAt(file.Text, starts, u.Position), imports: u.Import}
		place.look(file.Text, starts, len(u.Text))
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
		f.uses[k] = append(f.uses[k], place)
		if base := f.inherited[k]; base != "" {
			f.uses[base] = append(f.uses[base], place)
		}
		f.addBelow(k, &place)
	}
	memberNames := map[string]bool{}
	for i := range changes {
		if r := cmp.Or(changes[i].old, changes[i].new); r != nil && r.owner != nil {
			name, _ := apidoc.CutLabels(r.Name())
			memberNames[name] = true
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
		if uses := imported[string(text[i:end])]; uses != nil && !f.isMember(text, i, end) {
			paths, last := segments(text, end)
			for _, u := range uses {
				if u.Line != line || !u.Import {
					f.imported(file, &u, ecosystem.Position{Line: line, Column: i - start + 1}, paths, last-i, starts)
				}
			}
			resolved = append(resolved, span{i, last})
		}
		if name := string(text[i:end]); memberNames[name] && f.isMember(text, i, end) && len(f.names[name]) < maxPlaces {
			position := ecosystem.Position{Line: line, Column: i - start + 1}
			if (!file.Members[position] || unknown[position]) && !slices.ContainsFunc(resolved, func(s span) bool { return s.start <= i && end <= s.end }) {
				f.names[name] = append(f.names[name], Place{File: file.File, Line: position.Line, Column: position.Column, ByName: true, call: callAt(text, starts, position), assigned: isAssigned(text, end)})
			}
		}
		i = end
	}
}

// look sets the fields of a place that follow from the text around it. size is the length of the
// use.
func (p *Place) look(text []byte, starts []int, size int) {
	if p.Line < 1 || p.Line > len(starts) || p.Column < 1 {
		return
	}
	start := min(starts[p.Line-1]+p.Column-1, len(text))
	p.assigned = isAssigned(text, min(start+size, len(text)))
	line := text[starts[p.Line-1]:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	p.line = string(line)
	p.matches = bytes.Contains(line, []byte("=>")) || slices.ContainsFunc(bytes.Fields(line), func(w []byte) bool { return string(w) == "case" })
}

// isAssigned reports whether a value is assigned to the expression that ends at the given offset.
func isAssigned(text []byte, end int) bool {
	after := bytes.TrimLeft(text[end:min(end+8, len(text))], " ")
	return len(after) > 1 && after[0] == '=' && after[1] != '=' && after[1] != '>'
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
		return "" // The text is not a name but, for example, a star.
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

// imported adds a place where the name of an imported symbol is used, and the members that follow. size
// is the length of the text.
func (f *finder) imported(file *check.FileUses, u *ecosystem.Use, at ecosystem.Position, members []string, size int, starts []int) {
	place := Place{File: file.File, Line: at.Line, Column: at.Column}
	place.look(file.Text, starts, size)
	call := callAt(file.Text, starts, at)
	for i, member := range append([]string{""}, members...) {
		if place.call = nil; i == len(members) {
			place.call = call
		}
		place.selects = i < len(members)
		place.offered = u.Whole && boundSymbol(f.new[u.Package], member) != nil
		k := f.key(u, member)
		if len(f.uses[k]) < maxPlaces {
			f.uses[k] = append(f.uses[k], place)
		}
		if name := member[strings.LastIndexAny(member, ".:")+1:]; i > 0 && !f.known[k] && len(f.names[name]) < maxPlaces { // The member is provided by an implementation or a base.
			named := place
			named.ByName = true
			f.names[name] = append(f.names[name], named)
		}
		switch {
		case i == 0:
		case u.Whole:
			f.addBelow(k, &place)
		default:
			k := f.key(u, "")
			f.below[k] = append(f.below[k], place)
		}
	}
}

// addBelow adds a place to the symbols that contain the symbol with the given key.
func (f *finder) addBelow(k string, place *Place) {
	for i := strings.IndexByte(k, 0) + 2; i < len(k); i++ {
		if k[i] == '.' || k[i] == ':' {
			f.below[k[:i]] = append(f.below[k[:i]], *place)
		}
	}
}

// key returns the package and the path of a member of an imported symbol. If the whole package was
// imported, it is a member of the default export, or a symbol of the package.
func (f *finder) key(u *ecosystem.Use, member string) string {
	k := u.Package + "\x00"
	if !u.Whole {
		return k + u.Path + member
	}
	if s := boundSymbol(f.old[u.Package], member); s != nil {
		return k + s.Path
	}
	return k + strings.TrimPrefix(member, ".")
}

// boundSymbol returns the default export of a package, or a member of it. If there is no such member,
// it returns the symbol of the package with that name. It returns nil if there is none or p is nil.
func boundSymbol(p *apidoc.Package, member string) *apidoc.Symbol {
	if p == nil {
		return nil
	}
	for _, s := range p.Defaults() {
		if member == "" {
			return s
		}
		if found := p.At(s.Path + member); found != nil {
			return found
		}
	}
	if member == "" {
		return nil
	}
	return naming.Exact(p, strings.TrimPrefix(member, "."))
}

// span is a range of offsets in a file.
type span struct{ start, end int }

// isMember reports whether a word of a program is in the position of a member: after a value, or
// before the value of a field.
func (f *finder) isMember(text []byte, start, end int) bool {
	before := bytes.TrimRight(text[:start], " \t\r\n")
	if n := len(before); n > 0 && (before[n-1] == '.' || before[n-1] == ':' && n > 1 && before[n-2] == ':') {
		return true
	}
	after := bytes.TrimLeft(text[end:min(end+8, len(text))], " ")
	return f.keyed && len(after) > 0 && after[0] == ':' && !bytes.HasPrefix(after, []byte(":=")) && !bytes.HasPrefix(after, []byte("::"))
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
		return distinct(slices.Clone(f.packages[change.Package]))
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
			(role == apidoc.ConstructorRole && change.Kind != Added || change.Kind == Added && change.Severity > apidoc.Compatible) {
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
		if name, _ := apidoc.CutLabels(r.Name()); !f.isRare(name) {
			all = append(all, f.names[name]...)
		}
	}
	return distinct(all)
}

// distinct returns places in order. Several places on one line count as one. A certain place comes
// before one that was found by name only.
func distinct(all []Place) []Place {
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), boolOrder(a.ByName, b.ByName), cmp.Compare(a.Column, b.Column))
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
