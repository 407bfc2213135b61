package modules

import (
	"bytes"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// This file infers the types of the attributes and the results of the functions of a program that have no annotations.

// typeOf returns the type of an expression as it would be annotated: that of a literal, or the class that a call
// creates an object of. It returns "" for other expressions.
func (r *Reader) typeOf(s *scope, t *source.Tree) string {
	switch t.Kind {
	case source.String:
		if quote := strings.IndexAny(t.Text, `"'`); quote > 0 && strings.ContainsAny(t.Text[:quote], "bB") {
			return "bytes"
		}
		return "str"
	case source.List:
		return "list"
	case source.Set:
		return "set"
	case source.Dict:
		return "dict"
	case source.Call:
		name := t.X.Dotted()
		if name == "" {
			return ""
		}
		e := r.resolve(s, name)
		switch {
		case e.known() && e.path != "" && e.isClass() && len(e.main().stmt.Decorators) == 0:
			return name
		case !e.known() && builtinTypes[name] && !strings.Contains(name, "."):
			return name
		}
	}
	return ""
}

// assignedAnywhere matches the assignment of an attribute of self.
var assignedAnywhere = lazyregexp.New(`\bself\.(\w+)[ \t]*(?:(?::[^=\n,()]*)?=[^=]|,[^=\n(]*=[^=])|\b(?:as|for)[ \t]+self\.(\w+)`)

// inferredType returns the type of an attribute or variable of a program that has no annotation, from the only value
// that is assigned to it. It returns "" if the type is not known.
func (r *Reader) inferredType(b *binding) string {
	if !r.Program || b.scope.file.text == nil || b.value.Text() == "" || b.alt != nil || len(b.value.Text()) > maxAlias {
		return ""
	}
	class := b.scope.class
	if class == nil || !b.instance {
		return ""
	}
	if class.attributes == nil {
		class.attributes = map[string]int{}
		for _, found := range assignedAnywhere().FindAllSubmatch(b.scope.file.block(class.stmt.Line), -1) {
			class.attributes[string(found[1])+string(found[2])]++
		}
	}
	if class.attributes[b.name] != 1 {
		return ""
	}
	return r.typeOf(b.scope, b.value.Tree())
}

// block returns the text of the function or class that begins in the given line of a file of a program.
func (f *file) block(line int) []byte {
	if f.text != nil && f.lines == nil {
		f.lines = []int{0}
		for text := range bytes.Lines(f.text) {
			f.lines = append(f.lines, f.lines[len(f.lines)-1]+len(text))
		}
	}
	if line < 1 || line > len(f.lines) {
		return nil
	}
	code := f.text[f.lines[line-1]:]
	indent := len(code) - len(bytes.TrimLeft(code, " \t"))
	end := 0
	for text := range bytes.Lines(code) {
		if body := bytes.TrimLeft(text, " \t"); end > 0 && len(text)-len(body) <= indent && !bytes.ContainsAny(body[:1], "\r\n#)]}") {
			break
		}
		end += len(text)
	}
	return code[:end]
}

// nests matches code that contains another function, or results of a generator.
var nests = lazyregexp.New(`\n[ \t]+(?:async[ \t]+)?(?:def|class)[ \t]|\byield\b`)

// results matches the results of a function.
var results = lazyregexp.New(`(?m)\breturn\b(.*)$`)

// inferredResult returns the type of the result of a function of a program that has no annotation, if all return
// statements contain values of the same class. It returns "" if the type is not known.
func (r *Reader) inferredResult(b *binding, stmt *source.Stmt) string {
	if !r.Program || b.scope.file.text == nil || len(b.overloads) > 0 {
		return ""
	}
	code := b.scope.file.block(stmt.Line)
	if nests().Match(code) {
		return ""
	}
	result := ""
	for _, found := range results().FindAllSubmatch(code, -1) {
		value := strings.TrimSpace(string(found[1]))
		name, params, _ := strings.Cut(stmt.Params, ",")
		kind := ""
		if value == "self" && strings.TrimSpace(name) == "self" && b.scope.class != nil {
			kind = "Self"
		} else if t := source.Parse(value); t.Text == value && !strings.Contains(params, t.Function()+":") {
			kind = r.typeOf(b.scope, t)
		}
		if kind == "" || result != "" && kind != result {
			return ""
		}
		result = kind
	}
	return result
}
