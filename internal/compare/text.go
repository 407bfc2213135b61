package compare

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// text is a part of a declaration without the differences that have no meaning: white space,
// comments, quotation marks, the names of parameters that callers cannot use, the order of unions,
// and the names of type parameters. Names of symbols are reduced to their last parts.
type text struct {
	string
	source string // the text as it is written
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

// refer adds the packages of names to t.
func (t *text) refer(packages map[string]string) {
	for name, p := range packages {
		if t.packages == nil {
			t.packages = map[string]string{}
		}
		t.packages[name] = p
	}
}

// token is a word, an operator, the name of a symbol, or a bracketed text.
type token struct {
	text  string
	pkg   string // the package of a symbol, as in text.packages
	group []token
	close string // the bracket that closes the group opened by text
	atom  *text  // a part that is already reduced
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
		typeParams(around, around.Child(-1, apidoc.DeclarationPart), depth, rules.Elided, outer)
		depth += "a"
	}
	if r.owner != nil && rules.Self != "" && r.owner.Role() == apidoc.TypeRole {
		outer[rules.Self] = r.owner.selfText(outer)
	}
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		one := &declaration{Decl: d, ref: r, part: i, side: s, rules: rules, params: map[string]string{}}
		maps.Copy(one.params, outer)
		typeParams(d, i, "", rules.Elided, one.params)
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
func typeParams(d apidoc.Decl, declaration int, depth, prefix string, names map[string]string) {
	n := 0
	for i := range d.Within(declaration, apidoc.TypeParamPart) {
		if name := d.ChildText(i, apidoc.NamePart); prefix != "" && strings.HasPrefix(name, prefix) {
			names[name] = elided
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
	if !ok {
		t = d.finish(d.tokens(i, depth))
		if d.reduced == nil {
			d.reduced = map[int]text{}
		}
		d.reduced[i] = t
	}
	return t
}

// maxDepth is the maximum nesting of parts and brackets.
const maxDepth = 100

// tokens returns the tokens of part i.
func (d *declaration) tokens(i, depth int) (all []token) {
	p := &d.Parts[i]
	if depth > maxDepth {
		return []token{{text: d.PartText(i)}}
	}
	from := p.Start
	add := func(end int) {
		if from < end {
			all = append(all, d.withoutElided(lex(d.Text[from:end], d.rules.Quotes))...)
		}
	}
	for k := range d.Within(i, 0) {
		part := &d.Parts[k]
		add(part.Start)
		from = part.End
		switch part.Role {
		case apidoc.CommentPart:
		case apidoc.ReferencePart:
			if n := len(all); n > 0 && all[n-1].is("::") && (n == 1 || slices.ContainsFunc(beforeNames, all[n-2].is)) {
				all = all[:n-1] // the path is absolute
			}
			all = append(all, d.symbol(k))
		case apidoc.NamePart:
			switch {
			case p.Role == apidoc.TypeParamPart && d.params[d.PartText(k)] != "":
				all = append(all, token{text: d.params[d.PartText(k)]})
			case p.Role == apidoc.ResultPart || p.Role == apidoc.ReceiverPart || p.Role == apidoc.ParamPart && (!d.rules.NamedArguments || part.Flags&apidoc.Self != 0):
			default:
				from = part.Start // the part is a meaningful name
			}
		case apidoc.ParamPart, apidoc.ResultPart:
			if part.Flags&apidoc.Shared != 0 {
				if t := d.TypeOf(k); t >= 0 {
					all = append(all, d.atom(t, depth))
				}
				continue
			}
			all = append(all, d.atom(k, depth))
		default:
			all = append(all, d.atom(k, depth))
		}
	}
	add(p.End)
	return all
}

// beforeNames are operators that a name can follow, but not the rest of a path.
var beforeNames = []string{"(", "[", "{", "<", ",", ":", "=", "->", "&", "*", "+", "|"}

// withoutElided removes the names of type parameters that declarations may omit.
func (d *declaration) withoutElided(tokens []token) (all []token) {
	if d.rules.Elided == "" {
		return tokens
	}
	for i := 0; i < len(tokens); i++ {
		if tokens[i].text == d.rules.Elided && i+1 < len(tokens) && (tokens[i+1].text == "_" || d.params[d.rules.Elided+tokens[i+1].text] != "") {
			i++
			continue
		}
		all = append(all, tokens[i])
	}
	return all
}

// atom returns a nested part as one token.
func (d *declaration) atom(i, depth int) token {
	t := d.reduceNested(i, depth+1)
	return token{atom: &t}
}

// symbol returns the token for a reference.
func (d *declaration) symbol(i int) token {
	p := &d.Parts[i]
	name := d.PartText(i)
	if p.Flags&apidoc.Local != 0 && d.params[name] != "" {
		return token{text: d.params[name]}
	}
	t := token{text: name[strings.LastIndexAny(name, ".:")+1:]}
	if p.Target != nil {
		if p.Target.Path != "" && p.Flags&apidoc.Local == 0 {
			t.text = p.Target.Path[strings.LastIndexAny(p.Target.Path, ".:")+1:]
		}
		if own := p.Target.Package; own != "" && d.side.relative(own) == own && !apidoc.IsBelow(d.side.root, own) {
			t.pkg = own
		}
	}
	return t
}

// lex splits text into words and operators.
func lex(s, quotes string) (all []token) {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune(quotes, r):
		case isWord(r):
			size = len(s)
			if i := strings.IndexFunc(s, func(r rune) bool { return !isWord(r) }); i > 0 {
				size = i
			}
			all = append(all, token{text: s[:size]})
		default:
			for _, operator := range [...]string{"=>", "->", "<-", "::", "..."} {
				if strings.HasPrefix(s, operator) {
					size = len(operator)
				}
			}
			operator := s[:size]
			if operator == ";" {
				operator = "," // both separate members
			}
			all = append(all, token{text: operator})
		}
		s = s[size:]
	}
	return all
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '$'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// finish joins tokens to text, with unions in order.
func (d *declaration) finish(tokens []token) text {
	for _, same := range d.side.same {
		tokens = replace(tokens, same[0], same[1])
	}
	grouped := group(tokens, pairs(tokens), 0, len(tokens), 0)
	grouped = d.unions(grouped)
	var t text
	last := rune(0)
	t.write(grouped, &last)
	t.alternatives = d.alternatives(grouped, t.string)
	return t
}

// replace replaces each occurrence of a sequence of tokens with another sequence.
func replace(tokens, from, to []token) []token {
	for i := 0; i+len(from) <= len(tokens); i++ {
		if slices.EqualFunc(tokens[i:i+len(from)], from, func(a, b token) bool { return a.atom == nil && a.text == b.text }) {
			tokens = slices.Concat(tokens[:i], to, tokens[i+len(from):])
			i += len(to) - 1
		}
	}
	return tokens
}

var closing = map[string]string{"(": ")", "[": "]", "{": "}", "<": ">"}

// pairs returns, for each opening bracket, the index of its closing bracket, or 0 if there is none.
func pairs(tokens []token) []int {
	ends := make([]int, len(tokens))
	var open []int
	for i, t := range tokens {
		switch {
		case t.atom != nil:
		case closing[t.text] != "":
			open = append(open, i)
		case t.text == ")" || t.text == "]" || t.text == "}" || t.text == ">":
			last := len(open) - 1
			for last >= 0 && t.text != ">" && tokens[open[last]].text == "<" {
				last-- // The last token is an operator.
			}
			if last >= 0 && closing[tokens[open[last]].text] == t.text {
				ends[open[last]] = i
				open = open[:last]
			}
		}
	}
	return ends
}

// group puts bracketed tokens into groups. It drops separators at the end of a group.
func group(tokens []token, ends []int, from, to, depth int) (all []token) {
	if from < to {
		all = make([]token, 0, to-from)
	}
	for i := from; i < to; i++ {
		t := tokens[i]
		if end := ends[i]; end > i && end < to && depth < maxDepth {
			t.group, t.close = group(tokens, ends, i+1, end, depth+1), tokens[end].text
			for n := len(t.group); n > 0 && t.group[n-1].is(","); n-- {
				t.group = t.group[:n-1]
			}
			i = end
			if len(t.group) == 0 && t.text == "<" {
				continue // omitted arguments
			}
		}
		all = append(all, t)
	}
	return all
}

// is reports whether a token is an operator or a word.
func (t token) is(text string) bool { return t.atom == nil && t.close == "" && t.text == text }

// unions writes all unions in the same form, however they are declared, and sorts their
// alternatives.
func (d *declaration) unions(tokens []token) []token {
	if d.rules.Union == "" {
		return tokens
	}
	found := false
	for i := range tokens {
		if t := &tokens[i]; t.close != "" {
			t.group = d.unions(t.group)
			found = found || i > 0 && d.isUnionType(&tokens[i-1])
		}
	}
	if !found {
		return d.sortUnions(tokens)
	}
	var all []token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if !d.isUnionType(&t) || i+1 == len(tokens) || tokens[i+1].close == "" {
			all = append(all, t)
			continue
		}
		added := d.rules.UnionTypes[t.text]
		for _, argument := range tokens[i+1].group {
			if argument.is(",") {
				argument = token{text: d.rules.Union}
			}
			all = append(all, argument)
		}
		if added != "" {
			all = append(all, token{text: d.rules.Union}, token{text: added})
		}
		i++
	}
	return d.sortUnions(all)
}

// isUnionType reports whether a token is the name of a type whose arguments are the alternatives of
// a union.
func (d *declaration) isUnionType(t *token) bool {
	_, ok := d.rules.UnionTypes[t.text]
	return ok && t.atom == nil && t.close == ""
}

// separators end a union.
var separators = []string{",", ":", "=", "=>", "->", "?", "&"}

func (d *declaration) sortUnions(tokens []token) []token {
	isUnion := func(t token) bool { return t.is(d.rules.Union) }
	if !slices.ContainsFunc(tokens, isUnion) {
		return tokens
	}
	all := make([]token, 0, len(tokens))
	start := 0
	for i := 0; i <= len(tokens); i++ {
		if i < len(tokens) && !slices.ContainsFunc(separators, tokens[i].is) {
			continue
		}
		if segment := tokens[start:i]; slices.ContainsFunc(segment, isUnion) {
			for n, alternative := range d.split(segment) {
				if n > 0 {
					all = append(all, token{text: d.rules.Union})
				}
				all = append(all, alternative...)
			}
		} else {
			all = append(all, segment...)
		}
		if i < len(tokens) {
			all = append(all, tokens[i])
		}
		start = i + 1
	}
	return all
}

// split returns the sorted alternatives of a union without duplicates.
func (d *declaration) split(tokens []token) (all [][]token) {
	start := 0
	for i := 0; i <= len(tokens); i++ {
		if i == len(tokens) || tokens[i].is(d.rules.Union) {
			if i > start {
				all = append(all, tokens[start:i])
			}
			start = i + 1
		}
	}
	slices.SortStableFunc(all, func(a, b []token) int { return strings.Compare(plain(a), plain(b)) })
	return slices.CompactFunc(all, func(a, b []token) bool { return plain(a) == plain(b) })
}

// alternatives returns the alternatives of a union, or the whole text if it is not a union.
func (d *declaration) alternatives(tokens []token, whole string) (all []string) {
	if len(tokens) == 0 && d.rules.Union != "" {
		return nil
	}
	union := d.rules.Union != "" && slices.ContainsFunc(tokens, func(t token) bool { return t.is(d.rules.Union) })
	if !union || slices.ContainsFunc(tokens, func(t token) bool { return slices.ContainsFunc(separators, t.is) }) {
		return []string{whole}
	}
	for _, alternative := range d.split(tokens) {
		all = append(all, plain(alternative))
	}
	return all
}

// plain returns tokens as text.
func plain(tokens []token) string {
	var t text
	last := rune(0)
	t.write(tokens, &last)
	return t.string
}

// write appends tokens, with a space between words. last is the last character.
func (t *text) write(tokens []token, last *rune) {
	var b strings.Builder
	t.append(&b, tokens, last)
	t.string += b.String()
}

func (t *text) append(b *strings.Builder, tokens []token, last *rune) {
	word := func(s string) {
		if s == "" {
			return
		}
		first, _ := utf8.DecodeRuneInString(s)
		if isWord(*last) && isWord(first) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
		*last, _ = utf8.DecodeLastRuneInString(s)
	}
	for _, one := range tokens {
		if one.atom != nil {
			word(one.atom.string)
			t.refer(one.atom.packages)
			continue
		}
		word(one.text)
		if one.pkg != "" {
			t.refer(map[string]string{one.text: one.pkg})
		}
		if one.close != "" {
			t.append(b, one.group, last)
			word(one.close)
		}
	}
}
