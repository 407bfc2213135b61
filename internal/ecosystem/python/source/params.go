package source

import "strings"

// ParamKind is the way in which arguments are passed to a parameter.
type ParamKind uint8

// These are the kinds of parameters, in their order in a parameter list.
const (
	PositionalOnly ParamKind = iota
	Positional               // positional or by keyword
	VarPositional            // *args
	KeywordOnly
	VarKeyword // **kwargs
)

// Param is one parameter. Annotation and Default are source texts, empty if
// there are none.
type Param struct {
	Kind                      ParamKind
	Name, Annotation, Default string
}

// maxParams is the maximum number of parameters of one function.
const maxParams = 2000

// Params parses a parameter list. It omits invalid parameters.
func Params(text string) []Param {
	if text == "" {
		return nil
	}
	kind := Positional
	var buffer [16]string
	parts := split(buffer[:0], text)
	params := make([]Param, 0, len(parts))
	for _, part := range parts {
		if len(params) == maxParams {
			break
		}
		switch part {
		case "/":
			for i := range params {
				params[i].Kind = PositionalOnly
			}
			continue
		case "*":
			kind = KeywordOnly
			continue
		}
		part = Flat(part)
		p := Param{Kind: kind}
		if rest, ok := strings.CutPrefix(part, "**"); ok {
			p.Kind, part = VarKeyword, strings.TrimSpace(rest)
		} else if rest, ok := strings.CutPrefix(part, "*"); ok {
			p.Kind, part = VarPositional, strings.TrimSpace(rest)
			kind = KeywordOnly
		}
		p.Name = word(part)
		if p.Name != "" && len(p.Name) == len(part) {
			params = append(params, p)
			continue
		}
		if p.Name == "" {
			if !strings.HasPrefix(part, "(") {
				continue
			}
			p.Name = Flat(part) // In Python 2, a parameter may be (a, b).
			params = append(params, p)
			continue
		}
		c := scanner{s: part}
		l := c.statement(0)
		end := len(part)
		if l.equals >= 0 {
			p.Default = Flat(strings.TrimSpace(part[l.equals+1:]))
			end = l.equals
		}
		if l.colon >= 0 && l.colon < end {
			p.Annotation = Flat(strings.TrimSpace(part[l.colon+1 : end]))
		}
		params = append(params, p)
	}
	return params
}
