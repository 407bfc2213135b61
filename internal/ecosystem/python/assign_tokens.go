package python

import (
	"bytes"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// This file decides whether the tokens around the name of an attribute may assign it.

// maxTargetTokens is the maximum number of tokens before an attribute among which the bracket around it is searched for.
const maxTargetTokens = 2000

// isTargetToken reports whether a statement may assign the attribute whose name is at an offset: it does not if the attribute is in
// a string, unless the code runs strings. If inStatement is true, the target is not that of a loop or with statement, so it
// is in no call, index or dictionary.
func isTargetToken(code []byte, all []source.Token, offset int, inStatement bool) bool {
	i, found := slices.BinarySearchFunc(all, offset, func(t source.Token, offset int) int { return t.Pos - offset })
	if !found {
		return !isInString(all, i, offset) || bytes.Contains(code, []byte("exec("))
	}
	depth := 0
	for n := 1; inStatement && n <= min(i, maxTargetTokens); n++ {
		t := &all[i-n]
		switch {
		case t.Kind != source.OperatorToken:
		case t.Text == ")" || t.Text == "]" || t.Text == "}":
			depth++
		case (t.Text == "(" || t.Text == "[" || t.Text == "{") && depth > 0:
			depth--
		case t.Text == "{":
			return false
		case t.Text == "(" || t.Text == "[":
			if i-n == 0 {
				return true
			}
			last := &all[i-n-1]
			if bytes.IndexByte(code[last.Pos+len(last.Text):t.Pos], '\n') >= 0 {
				return true // the bracket may begin a statement
			}
			return !(last.Kind == source.NameToken && !beforeTargets[last.Text] || last.Kind == source.StringToken || last.Text == ")" || last.Text == "]")
		}
	}
	return true
}

// beforeTargets are the keywords after which a bracket is not that of a call or index.
var beforeTargets = map[string]bool{
	"and": true, "as": true, "await": true, "case": true, "del": true, "elif": true, "else": true, "for": true, "if": true, "in": true, "is": true, "lambda": true,
	"not": true, "or": true, "return": true, "while": true, "with": true, "yield": true,
}

// isInString reports whether an offset, which is before the token with an index, is in a string.
func isInString(all []source.Token, index, offset int) bool {
	if index == 0 {
		return false
	}
	last := &all[index-1]
	return last.Kind == source.StringToken && offset < last.Pos+len(last.Text)
}

// isNameToken reports whether the text in quotes at an offset may be the name of an attribute that code assigns. It may not if it is a
// part of a longer string, such as documentation, or an argument of a function or method that only reads or removes
// what it names.
func isNameToken(code []byte, all []source.Token, offset int) bool {
	i, _ := slices.BinarySearchFunc(all, offset, func(t source.Token, offset int) int { return t.Pos - offset })
	if !isInString(all, i, offset) {
		return true
	}
	i--
	if offset-all[i].Pos > maxStringPrefix {
		return bytes.Contains(code, []byte("exec("))
	}
	if i < 2 {
		return true
	}
	function := all[i-2].Text
	switch all[i-1].Text {
	case "(":
		return function != "get" && function != "pop" || bytes.Contains(code, []byte("def "+function+"("))
	case ",": // getattr(x, "name")
		for n := i - 2; n > max(0, i-maxReceiver); n-- {
			if all[n].Text == "(" {
				return all[n-1].Text != "getattr" && all[n-1].Text != "hasattr"
			} else if all[n].Kind == source.OperatorToken && all[n].Text != "." {
				return true
			}
		}
	}
	return true
}

const (
	// maxStringPrefix is the maximum length of what is before the text of a string on one line, as in rb".
	maxStringPrefix = 3
	// maxReceiver is the maximum number of tokens between getattr and its second argument.
	maxReceiver = 12
)
