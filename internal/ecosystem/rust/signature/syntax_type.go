package signature

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// generics reads the parameters in angle brackets, if there are any.
func (w *partWriter) generics() {
	if !w.accept("<") {
		return
	}
	for w.more() && w.peek() != ">" {
		before := w.i
		var flags apidoc.PartFlags
		if w.tokens[w.i].Kind == source.Lifetime {
			flags = apidoc.Elidable
		}
		w.Open(apidoc.TypeParamPart, w.pos())
		w.attributes()
		if w.peek() == "const" {
			w.leaf(apidoc.ModifierPart)
		}
		if w.isName(w.i) {
			w.local[w.peek()] = true
		}
		w.leaf(apidoc.NamePart)
		if w.accept(":") {
			w.bounds(apidoc.ConstraintPart)
		}
		if w.accept("=") {
			flags |= apidoc.Optional
			if w.peek() == "{" { // The value is that of a const parameter.
				start := w.pos()
				w.skipGroup()
				w.Leaf(apidoc.DefaultPart, start, w.end())
			} else {
				w.typ(apidoc.DefaultPart)
			}
		}
		w.close(before, flags)
		if !w.accept(",") && w.peek() != ">" || w.failed {
			break
		}
	}
	w.accept(">")
}

// where reads a where clause. Each of its predicates is a constraint.
func (w *partWriter) where() {
	if !w.accept("where") {
		return
	}
	for w.more() && w.peek() != "{" && w.peek() != ";" && w.peek() != "=" {
		start := w.i
		w.skipPredicate()
		if w.i == start {
			return
		}
		end := w.i
		w.Open(apidoc.ConstraintPart, w.tokens[start].Start)
		w.references(start, end)
		w.i = end
		w.Close(w.end())
		if !w.accept(",") {
			return
		}
	}
}

// skipPredicate skips to the comma after a predicate, or to the end of the clause.
func (w *partWriter) skipPredicate() {
	for depth := 0; w.more(); w.i++ {
		switch w.peek() {
		case "(", "[", "<":
			depth++
		case ")", "]":
			depth--
		case ">":
			if !w.joined(w.i-1, "-", ">") && !w.joined(w.i-1, "=", ">") {
				depth--
			}
		case ",", "{", ";", "=":
			if depth <= 0 {
				return
			}
		}
	}
}

// bounds reads bounds that are separated by plus signs, each as a part.
func (w *partWriter) bounds(role apidoc.PartRole) {
	for {
		w.typ(role)
		if !w.accept("+") {
			return
		}
	}
}

// skipType skips a type. If bound is true, the type ends at a plus sign.
func (w *partWriter) skipType(bound bool) {
	depth := 0
	for ; w.more(); w.i++ {
		switch text := w.peek(); text {
		case "(", "[", "<", "{":
			if text == "{" && depth == 0 {
				return
			}
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return
			}
		case ">":
			if w.joined(w.i-1, "-", ">") {
				continue
			}
			if depth--; depth < 0 {
				return
			}
		case ",", ";", "=", "where":
			if depth == 0 {
				return
			}
		case "+":
			if depth == 0 && bound {
				return
			}
		case "for":
			if depth == 0 && w.at(w.i+1) != "<" {
				return
			}
		}
	}
}

// typ reads a type as a part, with the references in it.
func (w *partWriter) typ(role apidoc.PartRole) {
	start := w.i
	w.skipType(role == apidoc.BasePart || role == apidoc.ConstraintPart)
	end := w.i
	if end == start {
		return
	}
	w.Open(role, w.tokens[start].Start)
	w.references(start, end)
	w.i = end
	w.Close(w.end())
}

// references writes the references among some tokens of a type.
func (w *partWriter) references(start, end int) {
	for k := start; k < end; {
		if last := w.trivia(k, start, end); last > k {
			w.Leaf(apidoc.TriviaPart, w.tokens[k].Start, w.tokens[last-1].End)
			k = last
			continue
		}
		if !w.isName(k) || typeWords[w.at(k)] {
			k++
			continue
		}
		if w.at(k+1) == "=" && !w.joined(k+1, "=", ">") && k+1 < end { // The name is that of an associated type.
			k++
			continue
		}
		if w.at(k+1) == ":" && !w.joined(k+1, ":", ":") && (w.at(k-1) == "(" || w.at(k-1) == ",") && w.at(start) != w.at(k) { // The name is that of a parameter of a function pointer.
			k++
			continue
		}
		last := k
		for last+3 < end && w.joined(last+1, ":", ":") && w.isName(last+3) {
			last += 3
		}
		var flags apidoc.PartFlags
		switch name := w.at(k); {
		case k >= 3 && w.joined(k-2, ":", ":") && w.at(k-3) == ">" && !w.joined(k-4, "-", ">"): // after <T as Trait>
			k = last + 1
			continue
		case w.local[name] || name == "Self":
			flags = apidoc.Local
		case last == k && builtinTypes[name]:
			flags = apidoc.Builtin
		}
		w.Leaf(apidoc.ReferencePart, w.tokens[k].Start, w.tokens[last].End, flags)
		k = last + 1
	}
}

// trivia returns the index after the tokens of a type, from token k on, that do not change its meaning,
// or k if there are none: lifetimes that can be omitted, and the mark of an absolute path.
func (w *partWriter) trivia(k, start, end int) int {
	switch text := w.at(k); {
	case w.joined(k, ":", ":") && (k == start || !w.isName(k-1) && w.at(k-1) != ">"):
		return k + 2
	case text == "for" && w.at(k+1) == "<", text == "<":
		first := k + 1
		if text == "for" {
			first++
		}
		last := first
		for last < end && (w.isElidable(last) || w.at(last) == ",") {
			last++
		}
		if last > first && last < end && w.at(last) == ">" {
			return last + 1
		}
	case text == "+" && k+1 < end && w.isElidable(k+1):
		return k + 2
	case w.isElidable(k) && k+1 < end && w.at(k+1) == ",":
		return k + 2
	case w.isElidable(k):
		return k + 1
	}
	return k
}

// isElidable reports whether a token is a lifetime that declarations can omit.
func (w *partWriter) isElidable(i int) bool {
	return w.tokens[i].Kind == source.Lifetime && w.at(i) != "'static"
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// typeWords are the words in types that are not names. builtinTypes are the primitive types and the
// types that are in scope without an import.
var (
	typeWords    = wordSet("dyn impl mut const fn unsafe extern for as in crate self super where _ use ref")
	builtinTypes = wordSet(`bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f16 f32 f64 f128
		Option Result Vec String Box Send Sync Sized Copy Clone Drop Unpin Fn FnMut FnOnce AsyncFn AsyncFnMut AsyncFnOnce Iterator IntoIterator FromIterator Extend
		DoubleEndedIterator ExactSizeIterator Default Eq Ord PartialEq PartialOrd AsRef AsMut Into From TryInto TryFrom ToString ToOwned`)
)
