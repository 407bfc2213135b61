package header

import "strings"

// functionName returns the name of the function that tokens declare. ok is false
// if they do not declare a function. cpp is true for C++ declarations.
func functionName(tokens []token, cpp bool) (name string, ok bool) {
	return functionWithin(tokens, cpp, 0)
}

// maxDeclarators is the maximum nesting of declarators such as int (*(*f)(int))(char).
const maxDeclarators = 16

// functionWithin is like functionName, for tokens within depth declarators.
func functionWithin(tokens []token, cpp bool, depth int) (name string, ok bool) {
	if depth > maxDeclarators {
		return "", false
	}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case t.text == "=" && !ok:
			return "", false
		case t.text == "operator" && cpp:
			name = "operator"
			for i++; i < len(tokens) && (tokens[i].text != "(" || name == "operator" && next(tokens, i) == ")"); i++ {
				if len(name) < 40 {
					if tokens[i].kind == word {
						name += " "
					}
					name += tokens[i].text
				}
			}
			return name, i < len(tokens)
		case t.text == "template" && next(tokens, i) == "<":
			i = angle(tokens, i+1)
		case t.text == "[" || t.text == "{":
			i = group(tokens, i)
		case t.text == "(":
			end := group(tokens, i)
			pointer := next(tokens, i) == "*" || next(tokens, i) == "^"
			switch {
			case pointer && !ok && end+1 < len(tokens) && tokens[end+1].text == "(":
				// In int (*f(int))(char), f is a function; in int (*f)(char), it is not.
				return functionWithin(tokens[i+1:end], false, depth+1)
			case i > 0 && tokens[i-1].kind == word && (!keywords[tokens[i-1].text] || ok):
				if !ok || !trailing[tokens[i-1].text] && !cpp {
					name, ok = tokens[i-1].text, true
					if i > 1 && tokens[i-2].text == "~" {
						name = "~" + name
					}
				}
			}
			i = end
		}
	}
	return name, ok
}

// trailing lists words that may follow the parameters of a function.
var trailing = set("noexcept throw requires decltype")

// maxAngle is the maximum number of tokens between "<" and ">".
const maxAngle = 500

// angle returns the index of the bracket that closes the "<" at i, or i if
// there is none.
func angle(tokens []token, i int) int {
	depth, start := 0, i
	for ; i < min(len(tokens), start+maxAngle); i++ {
		switch tokens[i].text {
		case "<":
			depth++
		case "<<":
			depth += 2
		case ">":
			depth--
		case ";", "{":
			return start
		}
		if depth <= 0 {
			return i
		}
	}
	return start
}

// declaratorName returns the name in a declarator such as name, *name, name[3],
// name : 3, (*name)(int) or name = value.
func declaratorName(tokens []token) string { return nameWithin(tokens, 0) }

// nameWithin is like declaratorName, for tokens within depth declarators.
func nameWithin(tokens []token, depth int) string {
	if depth > maxDeclarators {
		return ""
	}
	name := ""
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.text == "(":
			end := group(tokens, i)
			if inner := next(tokens, i); inner == "*" || inner == "^" || inner == "&" {
				if n := nameWithin(tokens[i+2:max(end, i+2)], depth+1); n != "" {
					return n
				}
			}
			i = end
		case t.text == "[":
			i = group(tokens, i)
		case t.text == "<":
			i = angle(tokens, i)
		case t.text == "=" || t.text == ":":
			return name
		case t.kind == word && t.text != "const" && t.text != "_Nullable" && t.text != "_Nonnull" && t.text != "restrict" && t.text != "__nullable":
			name = t.text
		}
	}
	return name
}

// maxParts is the maximum number of names in one declaration.
const maxParts = 100

// split splits tokens at commas outside brackets.
func split(tokens []token) [][]token {
	if len(tokens) == 0 {
		return nil
	}
	var parts [][]token
	start := 0
	for i := 0; i < len(tokens); i++ {
		switch tokens[i].text {
		case "(", "[", "{":
			i = group(tokens, i)
		case "<":
			i = angle(tokens, i)
		case ",":
			if len(parts) == maxParts {
				return parts
			}
			parts = append(parts, tokens[start:i])
			start = i + 1
		}
	}
	return append(parts, tokens[start:])
}

// withoutStorage removes keywords that callers do not need. If all is false, it
// keeps static, which is important for members of a class.
func withoutStorage(tokens []token, all bool) []token {
	out := make([]token, 0, len(tokens))
	for _, t := range tokens {
		if storage[t.text] && (all || t.text != "static") {
			continue
		}
		out = append(out, t)
	}
	return out
}

// withoutInitialisers removes the initializer list, ": a(1), b(2)", from a
// constructor.
func withoutInitialisers(tokens []token) []token {
	for i := 1; i < len(tokens); i++ {
		switch tokens[i].text {
		case "(":
			i = group(tokens, i)
		case ":":
			return tokens[:i]
		}
	}
	return tokens
}

// join returns tokens as text, with the original spaces between them.
func join(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && b.Len() < maxSignature+8 {
			before := tokens[i-1]
			tight := t.text == "," || t.text == ")" || t.text == ";" || before.text == "(" || t.text == "]"
			if t.space && !tight || before.kind == word && t.kind == word || before.text == "," {
				b.WriteByte(' ')
			}
		}
		if b.Len() > maxSignature {
			break
		}
		b.WriteString(t.text)
	}
	return b.String()
}
