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
	name   string // the last name of a base without its arguments
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

// refer adds the packages of names to t.
func (t *text) refer(packages map[string]string) {
	for name, p := range packages {
		if t.packages == nil {
			t.packages = map[string]string{}
		}
		t.packages[name] = p
	}
}

// token is a word, an operator, a bracket, the name of a symbol, or a nested part.
type token struct {
	text string
	pkg  string // the package of a symbol, as in text.packages
	atom *text  // a part that is already reduced
}

// is reports whether a token is the given operator.
func (t *token) is(operator string) bool { return t.atom == nil && t.text == operator }

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
func (d *declaration) finish(tokens []token) (t text) {
	for _, same := range d.side.same {
		tokens = replace(tokens, same[0], same[1])
	}
	for i := range tokens {
		switch one := &tokens[i]; {
		case one.atom != nil:
			t.refer(one.atom.packages)
		case one.pkg != "":
			t.refer(map[string]string{one.text: one.pkg})
		}
	}
	t.string, t.alternatives = d.join(tokens, pairs(tokens), 0, len(tokens), 0)
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

// separators end a union.
var separators = []string{",", ":", "=", "=>", "->", "?", "&"}

// join joins the tokens from one index to another. It writes all unions in the same form, however they
// are declared, with their alternatives in order. It drops separators before closing brackets, and
// brackets without type arguments. If the text as a whole is a union, join also returns its alternatives,
// and otherwise the text.
func (d *declaration) join(tokens []token, ends []int, from, to, depth int) (joined string, alternatives []string) {
	var all, alternative words
	endAlternative := func() {
		if s := alternative.take(); s != "" {
			alternatives = append(alternatives, s)
		}
	}
	endUnion := func() {
		endAlternative()
		slices.Sort(alternatives)
		alternatives = slices.Compact(alternatives)
		all.add(strings.Join(alternatives, d.rules.Union))
	}
	opens := func(i int) bool { return i < to && ends[i] > i && ends[i] < to && depth < maxDepth }
	separated := false
	for i := from; i < to; i++ {
		t := &tokens[i]
		added, isUnion := d.rules.UnionTypes[t.text]
		switch {
		case t.atom != nil:
			alternative.add(t.atom.string)
		case opens(i):
			last := ends[i]
			for last > i+1 && tokens[last-1].is(",") {
				last--
			}
			if inner, _ := d.join(tokens, ends, i+1, last, depth+1); inner != "" || t.text != "<" {
				alternative.add(t.text + inner + tokens[ends[i]].text)
			}
			i = ends[i]
		case isUnion && opens(i+1):
			start, end := i+2, ends[i+1]
			var arguments []string
			for k := start; k <= end; k++ {
				if k == end || tokens[k].is(",") {
					_, argument := d.join(tokens, ends, start, k, depth+1)
					arguments, start = append(arguments, argument...), k+1
				} else {
					k = max(k, ends[k])
				}
			}
			for n, argument := range append(arguments, added) {
				if n > 0 && argument != "" {
					endAlternative()
				}
				alternative.add(argument)
			}
			i = end
		case d.rules.Union == "":
			alternative.add(t.text)
		case t.text == d.rules.Union:
			endAlternative()
		case slices.Contains(separators, t.text):
			endUnion()
			all.add(t.text)
			alternatives, separated = nil, true
		default:
			alternative.add(t.text)
		}
	}
	endUnion()
	if joined = all.String(); separated || len(alternatives) == 0 && (from < to || d.rules.Union == "") {
		alternatives = []string{joined}
	}
	return joined, alternatives
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

// take returns the text and begins a new one.
func (w *words) take() string {
	s := w.String()
	*w = words{}
	return s
}
