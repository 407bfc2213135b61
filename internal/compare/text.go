package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// text is a part of a declaration without the differences that have no meaning: white space,
// comments, punctuation, the names of parameters that callers cannot use, the order of unions, and
// the names of type parameters. Names of symbols are reduced to their last parts.
type text struct {
	string
	source string   // the text as it is written
	words  []string // the pieces of the text in the order in which they are written
	// name is the last name of a base without its arguments, or of a type that has only the members
	// of the named type.
	name string
	// packages maps the names of symbols in the text to their packages, if they are known and are
	// not among the compared packages.
	packages map[string]string
	// alternatives are the alternatives of a union, in order. Text that is not a union has one.
	alternatives []string
}

// equal reports whether two texts have the same meaning. Two symbols with the same name are the
// same unless they are known to be in different packages.
func (t *text) equal(o text) bool {
	if t.string != o.string {
		return false
	}
	for name, p := range t.packages {
		if other := o.packages[name]; other != "" && p != other {
			return false
		}
	}
	return true
}

// otherPackages returns the first name that refers to different symbols in two equal texts, with their
// packages, or empty strings if the texts differ.
func (t *text) otherPackages(o text) (found [2]string) {
	if t.source != o.source {
		return found
	}
	for _, name := range slices.Sorted(maps.Keys(t.packages)) {
		if p, other := t.packages[name], o.packages[name]; other != "" && p != other {
			return [2]string{name + " of " + p, name + " of " + other}
		}
	}
	return found
}

// equalNames reports whether two texts are equal after the names in t have been replaced.
func (t *text) equalNames(o *text, names map[string]string) bool {
	return t != nil && o != nil && len(names) > 0 &&
		slices.EqualFunc(t.words, o.words, func(a, b string) bool { return a == b || names[a] != "" && names[a] == b })
}

// refer adds the packages of names to t.
func (t *text) refer(packages map[string]string) {
	for name, p := range packages {
		if t.packages == nil {
			t.packages = map[string]string{}
		}
		t.packages[name] = p
	}
}

// declaration is one declaration of a symbol.
type declaration struct {
	apidoc.Decl
	*ref
	part   int // the DeclarationPart
	side   *side
	rules  *apidoc.Rules
	params map[string]string // the type parameters and the texts that replace them
	// reduced contains the parts that have been reduced. They depend on params.
	reduced map[int]text
}

// declarations returns the declarations of a symbol.
func (s *side) declarations(r *ref, rules *apidoc.Rules) (all []*declaration) {
	d := r.resolver.Decl(r.Symbol)
	outer := map[string]string{}
	depth := "a"
	for o := r.owner; o != nil; o = o.owner {
		around := o.in.Decl(o.Symbol)
		typeParams(around, around.Child(-1, apidoc.DeclarationPart), depth, outer)
		depth += "a"
	}
	if r.owner != nil && rules.Self != "" && r.owner.Role() == apidoc.TypeRole {
		outer[rules.Self] = r.owner.selfText(outer)
	}
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		one := &declaration{Decl: d, ref: r, part: i, side: s, rules: rules, params: map[string]string{}}
		maps.Copy(one.params, outer)
		typeParams(d, i, "", one.params)
		all = append(all, one)
	}
	return all
}

// selfText returns a type with its type parameters, as its members write it.
func (r *ref) selfText(params map[string]string) string {
	d := r.in.Decl(r.Symbol)
	var names []string
	for i := range d.Within(d.Child(-1, apidoc.DeclarationPart), apidoc.TypeParamPart) {
		if name := params[d.ChildText(i, apidoc.NamePart)]; name != elided {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return r.Name()
	}
	return r.Name() + "<" + strings.Join(names, ",") + ">"
}

// elided replaces type parameters that declarations may omit.
const elided = "$"

// typeParams adds the type parameters of a declaration to names, each with its index.
func typeParams(d apidoc.Decl, declaration int, depth string, names map[string]string) {
	n := 0
	for i := range d.Within(declaration, apidoc.TypeParamPart) {
		if d.Parts[i].Flags&apidoc.Elidable != 0 {
			names[d.ChildText(i, apidoc.NamePart)] = elided
			continue
		}
		if name := d.ChildText(i, apidoc.NamePart); name != "" && (depth == "" || names[name] == "") {
			names[name] = "$" + depth + string(rune('0'+n%64))
		}
		n++
	}
}

// reduce returns part i in reduced form, as described for text.
func (d *declaration) reduce(i int) text {
	t := d.reduceNested(i, 0)
	t.source = d.PartText(i)
	return t
}

func (d *declaration) reduceNested(i, depth int) text {
	t, ok := d.reduced[i]
	if ok {
		return t
	}
	switch {
	case depth > maxDepth:
		t = text{string: d.PartText(i), words: []string{d.PartText(i)}}
	case d.Parts[i].Role == apidoc.UnionPart:
		t = d.union(i, depth)
	default:
		t = d.sequence(i, depth)
	}
	if t.alternatives == nil {
		t.alternatives = []string{t.string}
	}
	if d.reduced == nil {
		d.reduced = map[int]text{}
	}
	d.reduced[i] = t
	return t
}

// maxDepth is the maximum nesting of parts that are reduced.
const maxDepth = 100

// union reduces the alternatives of a union.
func (d *declaration) union(i, depth int) (t text) {
	for k := range d.Within(i, apidoc.TypePart) {
		one := d.reduceNested(k, depth+1)
		t.refer(one.packages)
		t.words = append(t.words, one.words...)
		t.alternatives = append(t.alternatives, one.alternatives...)
	}
	if d.Parts[i].Flags&apidoc.Optional != 0 {
		t.alternatives = append(t.alternatives, d.rules.Empty)
	}
	slices.Sort(t.alternatives)
	t.alternatives = slices.Compact(t.alternatives)
	t.string = strings.Join(t.alternatives, "\x00")
	return t
}

// sequence reduces the parts within part i and the text between them.
func (d *declaration) sequence(i, depth int) (t text) {
	p := &d.Parts[i]
	var joined words
	from, pieces := p.Start, 0 // pieces counts the parts and texts that have a meaning
	add := func(s string) {
		joined.add(s)
		t.words = append(t.words, s)
		pieces++
	}
	gap := func(end int) {
		for word := range strings.FieldsSeq(d.Text[min(from, end):end]) {
			add(cmp.Or(d.rules.Same[word], word))
		}
	}
	for k := range d.Within(i, 0) {
		part := &d.Parts[k]
		gap(part.Start)
		from = part.End
		switch {
		case part.Role == apidoc.CommentPart || part.Role == apidoc.TriviaPart:
		case part.Role == apidoc.ReferencePart:
			name, pkg := d.symbol(k)
			if pkg != "" {
				t.refer(map[string]string{name: pkg})
			}
			add(name)
		case part.Role == apidoc.NamePart && p.Role == apidoc.TypeParamPart && d.params[d.PartText(k)] != "":
			add(d.params[d.PartText(k)])
		case part.Role == apidoc.NamePart && d.isUnused(p, part):
		default:
			if typ := d.shared(k); typ >= 0 {
				k = typ
			}
			one := d.reduceNested(k, depth+1)
			if t.refer(one.packages); one.string != "" {
				joined.add(one.string)
				t.words = append(t.words, one.words...)
				t.alternatives = one.alternatives
				pieces++
			}
		}
	}
	gap(p.End)
	if t.string = joined.String(); pieces != 1 {
		t.alternatives = nil
	}
	return t
}

// isUnused reports whether callers cannot use the name of a part.
func (d *declaration) isUnused(p, name *apidoc.Part) bool {
	switch p.Role {
	case apidoc.ResultPart, apidoc.ReceiverPart:
		return true
	case apidoc.ParamPart:
		return !d.rules.NamedArguments || name.Flags&apidoc.Self != 0
	}
	return false
}

// shared returns the type of a parameter or result whose type is written after a later one, or -1.
func (d *declaration) shared(i int) int {
	if p := &d.Parts[i]; p.Flags&apidoc.Shared != 0 && (p.Role == apidoc.ParamPart || p.Role == apidoc.ResultPart) {
		return d.TypeOf(i)
	}
	return -1
}

// symbol returns the reduced name of a reference, and the package of the symbol as in text.packages.
func (d *declaration) symbol(i int) (name, pkg string) {
	p := &d.Parts[i]
	name = d.PartText(i)
	if p.Flags&apidoc.Local != 0 && d.params[name] != "" {
		return d.params[name], ""
	}
	if p.Target != nil {
		if p.Target.Path != "" && p.Flags&apidoc.Local == 0 {
			name = p.Target.Path
		}
		if declaring := p.Target.Package; declaring != "" && d.side.relative(declaring) == declaring && !apidoc.IsBelow(d.side.root, declaring) {
			pkg = declaring
		}
	}
	name = name[strings.LastIndexAny(name, ".:")+1:]
	return cmp.Or(d.rules.Same[name], name), pkg
}

// hasMembers reports whether members are written within part i.
func (d *declaration) hasMembers(i int) bool {
	for k := i + 1; k < len(d.Parts) && d.Parts[k].Start < d.Parts[i].End; k++ {
		if d.Parts[k].Role == apidoc.BodyPart || d.Parts[k].Role == apidoc.MemberPart {
			return true
		}
	}
	return false
}

// typeName returns the name of the type whose members a type has, or "" if there is none or several.
// It is the name of the type around a method if the type refers to that.
func (d *declaration) typeName(i int, t *text) (name string) {
	if d.Parts[i].Flags&apidoc.Named == 0 {
		if len(t.words) == 1 {
			name = t.words[0]
		}
		return name
	}
	for k := range d.References(i) {
		switch p := &d.Parts[k]; {
		case p.Flags&apidoc.Outer == 0:
		case name != "":
			return ""
		case p.Flags&apidoc.Self != 0 && d.owner != nil:
			name = d.owner.Name()
		default:
			name, _ = d.symbol(k)
		}
	}
	return name
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '$'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// words joins words to text, with a space between them where two would become one.
type words struct {
	strings.Builder
	last rune // the last character
}

func (w *words) add(s string) {
	if s == "" {
		return
	}
	if first, _ := utf8.DecodeRuneInString(s); isWord(w.last) && isWord(first) {
		w.WriteByte(' ')
	}
	w.WriteString(s)
	w.last, _ = utf8.DecodeLastRuneInString(s)
}
