package compare

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
)

// arguments are the arguments of a call.
type arguments struct {
	text     string
	count    int
	keywords []string // the names of those that are passed as name=value
	spread   bool     // whether one of them can stand for several, as a spread does
	list     bool     // whether one of them is a list or a dictionary
	// member is the member of the result that follows the call, or "". discarded is true if the call is
	// a statement of its own.
	member    string
	discarded bool
}

// fits reports whether a function accepts the arguments of a call by their number and names, and returns.
func (c *arguments) fits(r *ref) bool {
	if r == nil || !r.Role().IsCall() || c.spread {
		return false
	}
	d := r.in.Decl(r.Symbol)
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		if c.fitsDeclaration(&d, i) && !r.neverReturns(&d, i) {
			return true
		}
	}
	return false
}

// neverReturns reports whether a declaration says that the function does not return.
func (r *ref) neverReturns(d *apidoc.Decl, declaration int) bool {
	result := d.Child(declaration, apidoc.ResultPart)
	if result < 0 {
		return false
	}
	for k := range d.References(result) {
		return slices.Contains(r.in.Style.Rules.Never, lastName(d.PartText(k), r.in.Separator()))
	}
	return false
}

// isOverloaded reports whether a function has several declarations.
func (r *ref) isOverloaded() bool {
	if r == nil || !r.Role().IsCall() {
		return false
	}
	d := r.in.Decl(r.Symbol)
	n := 0
	for range d.Within(-1, apidoc.DeclarationPart) {
		n++
	}
	return n > 1
}

func (c *arguments) fitsDeclaration(d *apidoc.Decl, declaration int) bool {
	named := slices.Clone(c.keywords)
	positional := c.count - len(named)
	anyNumber, anyName := false, false
	for i := range d.Within(declaration, apidoc.ParamPart) {
		flags := d.Parts[i].Flags
		switch {
		case flags&apidoc.Unknown != 0:
			return false
		case flags&apidoc.Self != 0:
		case flags&apidoc.Variadic != 0:
			anyName = anyName || flags&apidoc.KeywordOnly != 0
			anyNumber = anyNumber || flags&apidoc.KeywordOnly == 0
		case flags&apidoc.KeywordOnly == 0 && positional > 0:
			positional--
		default:
			k := slices.Index(named, d.ChildText(i, apidoc.NamePart))
			if k >= 0 {
				named = slices.Delete(named, k, k+1)
			} else if flags&apidoc.Optional == 0 {
				return false
			}
		}
	}
	return (positional == 0 || anyNumber) && (len(named) == 0 || anyName)
}

// follow sets what the text around a call does with its result. line is the text before the call on
// its line, and before is the text of the lines above.
func (c *arguments) follow(before, line, after []byte) {
	rest := bytes.TrimLeft(after, " \t\r\n")
	if member, ok := bytes.CutPrefix(bytes.TrimPrefix(rest, []byte("?")), []byte(".")); ok {
		end := bytes.IndexFunc(member, func(r rune) bool { return !isWord(r) })
		if end < 0 {
			end = len(member)
		}
		c.member = string(member[:end])
		return
	}
	if bytes.ContainsFunc(bytes.TrimSpace(line), func(r rune) bool { return !isWord(r) && r != '.' && r != ':' }) {
		return
	}
	before = bytes.TrimSpace(before)
	if last, _ := utf8.DecodeLastRune(before); len(before) > 0 && !isWord(last) && !strings.ContainsRune(";{}):\"'", last) {
		return // the call is a part of the expression above it
	}
	after = bytes.TrimLeft(after, " \t\r")
	const continues = ".?)]},+-*/|&=<>[("
	c.discarded = bytes.HasPrefix(after, []byte(";")) || len(rest) == 0 || bytes.HasPrefix(after, []byte("\n")) && strings.IndexByte(continues, rest[0]) < 0
}

// anyKeyword are the flags of a parameter that takes all other keyword arguments.
const anyKeyword = apidoc.Variadic | apidoc.KeywordOnly

// passes reports whether a call passes an old parameter in the way that a difference concerns.
func (c *arguments) passes(d *Detail, r *ref, rules *apidoc.Rules) bool {
	if !rules.NamedArguments {
		names := identifiers(c.text, "")
		return c.count >= d.place || slices.Contains(names, d.Name) || slices.Contains(names, d.Old)
	}
	byPlace := d.place > 0 && c.count-len(c.keywords) >= d.place
	byName := slices.Contains(c.keywords, d.Name) || slices.Contains(c.keywords, d.Old)
	switch {
	case d.Aspect == ParamRemoved && d.flags&anyKeyword == anyKeyword:
		declared := r.paramNames()
		return slices.ContainsFunc(c.keywords, func(name string) bool { return !slices.Contains(declared, name) })
	case d.Aspect == ParamRenamed:
		return byName
	case d.Aspect == ParamPassing && d.flags&apidoc.KeywordOnly != 0:
		return byPlace
	case d.Aspect == ParamPassing && d.flags&apidoc.PositionalOnly != 0:
		return byName
	}
	return byPlace || byName
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
	first := 0 // first is the position where the argument begins.
	end := func(k int) {
		if empty {
			return
		}
		call.count++
		name, value, ok := bytes.Cut(rest[first:k], []byte("="))
		if name = bytes.TrimSpace(name); ok && len(name) > 0 && !bytes.HasPrefix(value, []byte("=")) && !bytes.ContainsFunc(name, func(r rune) bool { return !isWord(r) }) {
			call.keywords = append(call.keywords, string(name))
		}
	}
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
			end(k)
			start := starts[at.Line-1]
			call.follow(text[:start], text[start:start+at.Column-1], rest[k+1:])
			call.spread = strings.Contains(call.text, "...") || strings.Contains(call.text, "*")
			return call
		case strings.IndexByte("([{", b) >= 0:
			call.list = call.list || empty && b != '('
			depth, empty = depth+1, false
		case strings.IndexByte(")]}", b) >= 0:
			depth--
		case b == ',' && depth == 0:
			end(k)
			empty, first = true, k+1
		case !unicode.IsSpace(rune(b)):
			empty = false
		}
	}
	return nil
}

// hasMember reports whether a type has a member in the package of r.
func (r *ref) hasMember(typ *text, member string) bool {
	if typ == nil {
		return false
	}
	s := naming.Exact(r.in, typ.name)
	return s != nil && member != "" && slices.ContainsFunc(s.AllMembers(), func(m apidoc.Symbol) bool {
		name, _ := apidoc.CutLabels(m.Name())
		return name == member
	})
}
