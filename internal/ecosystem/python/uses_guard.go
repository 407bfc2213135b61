package python

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// guard finds the statements that may not run, or that may expect the errors of absent attributes.
func (r *usesReader) guard(statements []statement) {
	type block struct {
		indent           int
		guarded, failing bool
		versions         bool // whether it begins with a condition on versions or platforms
	}
	var blocks []block // the blocks around the current statement, and the last one before it
	r.guarded, r.failing = make([]bool, len(statements)), make([]bool, len(statements))
	for n, s := range statements {
		before := block{} // the last block with the same indentation
		for len(blocks) > 0 && blocks[len(blocks)-1].indent >= s.indent {
			if last := blocks[len(blocks)-1]; last.indent == s.indent {
				before = last
			}
			blocks = blocks[:len(blocks)-1]
		}
		if len(blocks) > 0 {
			last := &blocks[len(blocks)-1]
			if before.versions && r.exits(statements[n-1]) && r.text1(s.first) != "elif" && r.text1(s.first) != "else" {
				last.guarded = true // the rest runs only for other versions
			}
			r.guarded[n], r.failing[n] = last.guarded, last.failing
		}
		decorated := n > 0 && r.text1(statements[n-1].first) == "@"
		guards := false
		switch word := r.text1(s.first); word {
		case "try":
			guards = r.expectsErrors(n, statements)
		case "except":
			guards = r.has(s, catching...) || r.text1(s.first+1) == ":"
		case "else", "elif":
			guards = before.guarded || word == "elif" && r.narrows(s)
		case "if", "while":
			guards = r.narrows(s)
		case "match", "case":
			guards = true
		case "with":
			r.failing[n] = r.failing[n] || r.expectsException(s)
			guards = (r.failing[n] || r.has(s, "warns")) && r.mayExpect(s)
		case "@":
			guards = before.guarded && decorated || r.has(s, skipping...)
		case "def", "class", "async":
			guards = before.guarded && decorated
		default:
			if r.has(s, "lambda") && r.expectsException(s) { // as in raises(TypeError, lambda: f(x))
				r.failing[n] = true
				guards = r.mayExpect(s)
			}
		}
		blocks = append(blocks, block{s.indent, r.guarded[n] || guards, r.failing[n], r.text1(s.first) == "if" && r.has(s, "version_info", "platform", "hexversion")})
		if r.text1(s.end-1) != ":" { // the body is in the same line
			r.guarded[n] = r.guarded[n] || guards
		}
	}
}

// exits reports whether a statement ends the block that contains it.
func (r *usesReader) exits(s statement) bool {
	return slices.Contains([]string{"return", "raise", "continue", "break"}, r.text1(s.first))
}

// expectsException reports whether a statement calls a function that expects an exception, such as assertRaisesRegex.
func (r *usesReader) expectsException(s statement) bool {
	return slices.ContainsFunc(r.tokens[s.first:s.end], func(t source.Token) bool {
		return t.Text == "suppress" || t.Text == "raises" || strings.HasPrefix(t.Text, "assertRaises")
	})
}

// expectsErrors reports whether a try statement catches the errors of absent attributes.
func (r *usesReader) expectsErrors(n int, statements []statement) bool {
	for k := n + 1; k < len(statements); k++ {
		switch s := statements[k]; {
		case s.indent > statements[n].indent:
		case s.indent < statements[n].indent:
			return false
		default:
			switch r.text1(s.first) {
			case "except":
				if r.has(s, catching...) || r.text1(s.first+1) == ":" {
					return true
				}
			default:
				return false
			}
		}
	}
	return false
}

// mayExpect reports whether a with statement that expects an exception may expect the error of an absent attribute.
func (r *usesReader) mayExpect(s statement) bool {
	if r.has(s, catching...) {
		return true
	}
	for i := s.first; i < s.end; i++ {
		name := r.text1(i)
		if strings.Contains(name, "Attribute") {
			return true
		}
		if r.isName(i) && name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name { // a class
			return false
		}
	}
	return true
}

// narrows reports whether a condition may depend on versions, on the platform, or on the attributes of a value.
func (r *usesReader) narrows(s statement) bool {
	for i := s.first + 1; i < s.end; i++ {
		if !r.isName(i) {
			continue
		}
		name := r.text1(i)
		lower := strings.ToLower(name)
		switch {
		case name == "name" && r.text1(i-1) == ".", name == "environ", name == "sys", name == "TYPE_CHECKING":
			return true
		case name == "is": // the keyword
		case slices.Contains(narrowing, name) && r.text1(i+1) == "(" && r.isName(i+2) && !r.mentionsImport(i+2):
		case slices.Contains(typeTests, name), strings.HasPrefix(lower, "is") && r.text1(i-1) == "." && r.imported[r.root(i)] == (importedName{}):
		case strings.Contains(lower, "version"), strings.Contains(lower, "platform"), strings.Contains(lower, "has_"), strings.HasPrefix(lower, "py"), strings.HasPrefix(lower, "is"):
			return true
		case slices.Contains(narrowing, name), name == "find_spec", len(name) > 1 && name == strings.ToUpper(name):
			return true
		}
	}
	return false
}

// mentionsImport reports whether the argument that begins at a token may contain an imported name.
func (r *usesReader) mentionsImport(i int) bool {
	for end := i + maxArgument; i < end; i++ {
		switch {
		case i >= len(r.tokens) || r.text1(i) == ",":
			return false
		case r.isName(i) && r.text1(i-1) != "." && r.imported[r.text1(i)] != (importedName{}):
			return true
		}
	}
	return true
}

// maxArgument is the maximum number of tokens of an argument in which imported names are searched for.
const maxArgument = 200

// root returns the name with which the dotted name that contains a token begins, or "" if it begins with something else.
func (r *usesReader) root(i int) string {
	for r.isName(i) && r.text1(i-1) == "." {
		i -= 2
	}
	if !r.isName(i) {
		return ""
	}
	return r.text1(i)
}

func pythonKeyword(word string) bool {
	return info.Lexis.Keywords[word]
}

// skipping are decorators of tests that may not run, or may fail.
var skipping = []string{"skipif", "skipIf", "skipUnless", "xfail", "expectedFailure", "requires"}

// typeTests are functions that test the type of their first argument.
var typeTests = []string{"isinstance", "issubclass", "callable", "type"}

// narrowing contains functions that reveal or change the attributes of their first argument.
var narrowing = []string{"hasattr", "getattr", "setattr", "delattr", "cast", "vars", "__setattr__"}

// catching contains exceptions that code expects if an attribute may be absent.
var catching = []string{"AttributeError", "ImportError", "ModuleNotFoundError", "NameError", "TypeError", "Exception", "BaseException"}
