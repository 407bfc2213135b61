package answer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// shownSet contains the symbols that an answer has already shown. A type that several packages
// export has a symbol in each of them, so it is also identified by its declaration.
type shownSet struct {
	symbols    map[*apidoc.Symbol]bool
	types      map[typePlace]bool
	aliases    map[string]bool   // declarations of aliases, which several packages repeat
	paragraphs map[string]bool   // paragraphs of comments, and lists of inherited members
	methods    map[string]bool   // sets of methods that types list
	bodies     map[string]string // bodies of declarations, with the paths of their symbols
	fields     map[string]bool   // fields of declarations with their comments
	comments   map[string]commentOn
	parse      func(*apidoc.Symbol) *apidoc.Decl // parses declarations
}

// commentOn is the comment on a member together with the path of the member.
type commentOn struct{ path, doc string }

// typePlace is the name of a type and the location of its declaration.
type typePlace struct {
	position
	name string
}

func placeOf(s *apidoc.Symbol) typePlace { return typePlace{positionOf(s), s.Name()} }

// newShown returns an empty set for an answer about packages in one language.
func newShown(in []*Renderer) shownSet {
	var parse func(*apidoc.Symbol) *apidoc.Decl
	if len(in) > 0 {
		parse = in[0].parse
	}
	return shownSet{map[*apidoc.Symbol]bool{}, map[typePlace]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}, map[string]commentOn{}, parse}
}

// isAlias reports whether a declaration on one line defines a name for another type or for an
// object type that it lists.
func (s shownSet) isAlias(symbol *apidoc.Symbol) bool {
	if !symbol.IsType() || s.parse == nil || strings.Contains(symbol.Signature, "\n") {
		return false
	}
	d := s.parse(symbol)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	typ := d.Child(declaration, apidoc.TypePart)
	if declaration < 0 || typ < 0 {
		return false
	}
	return d.Child(typ, apidoc.BodyPart) >= 0 || symbol.NumMembers() == 0 && callPart(d, declaration) < 0
}

func (s shownSet) add(symbol *apidoc.Symbol) {
	s.symbols[symbol] = true
	if symbol.File != "" && symbol.IsType() {
		s.types[placeOf(symbol)] = true
	}
	if s.isAlias(symbol) {
		s.aliases[symbol.Signature] = true
	}
}

func (s shownSet) has(symbol *apidoc.Symbol) bool {
	return symbol != nil && (s.symbols[symbol] || symbol.File != "" && symbol.IsType() && s.types[placeOf(symbol)] ||
		s.isAlias(symbol) && s.aliases[symbol.Signature])
}

func (s shownSet) clone() shownSet {
	return shownSet{maps.Clone(s.symbols), maps.Clone(s.types), maps.Clone(s.aliases), maps.Clone(s.paragraphs), maps.Clone(s.methods), maps.Clone(s.bodies), maps.Clone(s.fields), maps.Clone(s.comments), s.parse}
}

// restore resets s to an earlier state.
func (s shownSet) restore(before shownSet) {
	clear(s.symbols)
	clear(s.types)
	clear(s.aliases)
	clear(s.paragraphs)
	clear(s.methods)
	clear(s.bodies)
	clear(s.fields)
	clear(s.comments)
	maps.Copy(s.symbols, before.symbols)
	maps.Copy(s.types, before.types)
	maps.Copy(s.aliases, before.aliases)
	maps.Copy(s.paragraphs, before.paragraphs)
	maps.Copy(s.methods, before.methods)
	maps.Copy(s.bodies, before.bodies)
	maps.Copy(s.fields, before.fields)
	maps.Copy(s.comments, before.comments)
}

// minBody is the minimum length in bytes of a body that is shown only once.
const minBody = 80

// sameBody returns a declaration without its body if the answer has already shown the same body
// with another symbol. For example, all errors of a generated client can have the same body. If the
// body is different, sameBody returns the result of fieldsOnce.
func (s shownSet) sameBody(symbol *apidoc.Symbol, d *apidoc.Decl, mark string) string {
	start, end := bodyOf(d)
	if start == 0 {
		return d.Text
	}
	if body := d.Text[start:]; len(body) >= minBody {
		path := oneLine(symbol.Path)
		if before := s.bodies[body]; before != "" && before != path {
			return strings.TrimRight(d.Text[:start], " \t\n") + " … " + strings.TrimLeft(d.Text[end:], " \t\n") + " " + mark + "the same as in " + before
		}
		s.bodies[body] = path
	}
	return s.fieldsOnce(d.Text, mark)
}

// bodyOf returns where the lines with the members and comments of a type begin and end, or 0 if
// there are none.
func bodyOf(d *apidoc.Decl) (start, end int) {
	for i := range d.Within(d.Child(-1, apidoc.DeclarationPart), 0) {
		switch d.Parts[i].Role {
		case apidoc.MemberPart, apidoc.CommentPart, apidoc.BasePart:
			if line := strings.LastIndexByte(d.Text[:d.Parts[i].Start], '\n') + 1; start == 0 {
				start = line
			}
			end = d.Parts[i].End
		}
	}
	return start, end
}

// sameMembers returns the text on a type. If the answer has already listed the same members for
// another type, it replaces their names by a reference to that type.
func (s shownSet) sameMembers(t *apidoc.Symbol, text, mark string) string {
	start := strings.LastIndex(text, "\n"+mark+"has ") + 1
	if start == 0 {
		return text
	}
	line, rest, _ := strings.Cut(text[start:], "\n")
	if len(line) < minBody {
		return text
	}
	path := oneLine(t.Path)
	before := s.bodies[line]
	if before == "" || before == path {
		s.bodies[line] = path
		return text
	}
	return text[:start] + mark + "has the same members as " + before + "\n" + rest
}

// sameList returns the list of the members of a type, or a reference to another type if the answer has
// already listed the same members for it. For example, all errors of a generated client can have the
// same methods.
func (s shownSet) sameList(t *apidoc.Symbol, text, mark string) string {
	path, list := oneLine(t.Path), strings.ReplaceAll(text, t.Name(), "_")
	before := s.bodies[list]
	if len(text) < minBody || before == "" || before == path {
		s.bodies[list] = path
		return text
	}
	return mark + "has the same members as " + before + "\n"
}

// fieldsOnce returns a text without the comments on fields that the answer has already shown with
// the same type and comment in another declaration. mark is the beginning of a comment.
func (s shownSet) fieldsOnce(text, mark string) string {
	mark = strings.TrimSpace(mark)
	var b strings.Builder
	comment := "" // lines of the comment before the next field
	for line := range strings.SplitAfterSeq(text, "\n") {
		code := strings.TrimLeft(line, " \t")
		if len(code) < len(line) && strings.HasPrefix(code, mark) {
			comment += line
			continue
		}
		if field := comment + strings.TrimRight(line, "\n"); comment != "" && !s.fields[field] {
			b.WriteString(comment)
			s.fields[field] = true
		}
		comment = ""
		b.WriteString(line)
	}
	b.WriteString(comment)
	return b.String()
}

// unsaid returns a comment without the paragraphs that the answer has already shown. It always
// keeps the first paragraph, and a list that the previous paragraph introduces.
func (s shownSet) unsaid(doc string) string {
	if len(doc) > maxRepetitive {
		return doc
	}
	first, announced := true, false
	parts := slices.DeleteFunc(paragraphs(doc), func(p string) bool {
		repeated := !first && !announced && len(p) >= minBoilerplate && s.paragraphs[p]
		first = false
		announced = !repeated && strings.HasSuffix(p, ":")
		return repeated
	})
	return strings.Join(parts, "\n\n")
}

// similar searches for a member with the same name whose comment the answer has already shown. If
// the comments differ in only a few words, such as those on Decoder.StackDepth and
// Encoder.StackDepth, it returns the first sentence of the comment and the path of that member.
// Otherwise, it returns the comment.
func (s shownSet) similar(member *apidoc.Symbol, doc string) string {
	_, name, ok := cutLast(member.Path)
	if !ok || len(doc) < minSimilar {
		return doc
	}
	path := oneLine(member.Path)
	before, ok := s.comments[name]
	if !ok {
		s.comments[name] = commentOn{path, doc}
	}
	if !ok || before.path == path || !alikeInWords(before.doc, doc) {
		return doc
	}
	return excerpt(firstParagraph(doc), len(markup.Synopsis(doc))+len("…")+1) + "\n\nLike " + before.path + "."
}

// minSimilar is the minimum length, in bytes, of a comment that is compared with the comment on a
// member of the same name.
const minSimilar = 300

// alikeInWords reports whether two texts share nine out of ten words.
func alikeInWords(a, b string) bool {
	words := map[string]int{}
	n := 0
	for word := range strings.FieldsSeq(a) {
		words[word]++
		n++
	}
	m, common := 0, 0
	for word := range strings.FieldsSeq(b) {
		m++
		if words[word] > 0 {
			words[word]--
			common++
		}
	}
	return common*10 >= max(n, m)*9
}

// methodsOf identifies the methods of a type that has no other members. It uses their names, the
// number of their parameters, and their results. It returns "" for any other type.
func (r *Renderer) methodsOf(t *apidoc.Symbol) string {
	all := t.AllMembers()
	if len(all) < 2 {
		return ""
	}
	var keys []string
	for i := range all {
		if !all[i].IsCallable() {
			return ""
		}
		keys = append(keys, r.methodKey(&all[i]))
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n")
}

// methodKey describes a method by its name, the number of its parameters, and its result.
func (r *Renderer) methodKey(m *apidoc.Symbol) string {
	d := r.parse(m)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	params := 0
	results := []string{m.Name()}
	for i := range d.Within(declaration, 0) {
		switch d.Parts[i].Role {
		case apidoc.ParamPart:
			params++
		case apidoc.ResultPart, apidoc.EffectPart:
			results = append(results, d.PartText(i))
		}
	}
	return fmt.Sprint(strings.Join(results, " "), params)
}

// lists records that a set of methods has been shown; see methodsOf.
func (s shownSet) lists(methods string) {
	if methods != "" {
		s.methods[methods] = true
	}
}

// say records that the paragraphs of a comment have been shown.
func (s shownSet) say(doc string) {
	for _, p := range paragraphs(doc) {
		s.paragraphs[p] = true
	}
}
