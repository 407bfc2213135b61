package ecosystem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Param is a parameter of a function. Name is empty if the parameter has none.
type Param struct {
	Name  string
	Flags apidoc.PartFlags
}

// Mismatch returns the reason why a function with the given parameters does not accept the arguments, or "" if it
// accepts them. If the reason is an argument without a parameter, unknown is that argument.
func (a *Args) Mismatch(params []Param) (problem string, unknown *Field) {
	const optional = apidoc.Optional | apidoc.Variadic
	positional, named := 0, map[string]bool{}
	variadic, keywords := false, false
	var missing []string // required parameters for which no argument is passed
	for i := range params {
		p := &params[i]
		switch {
		case p.Flags&apidoc.Unknown != 0:
			return "", nil
		case p.Flags&apidoc.Variadic != 0 && p.Flags&apidoc.KeywordOnly != 0:
			keywords = true
			continue
		case p.Flags&apidoc.Variadic != 0:
			variadic = true
			continue
		case p.Flags&apidoc.KeywordOnly == 0:
			positional++
		}
		byName := p.Flags&apidoc.PositionalOnly == 0
		if byName {
			named[p.Name] = true
		}
		passed := p.Flags&apidoc.KeywordOnly == 0 && (positional <= a.Positional || a.Spread) || byName && (a.NamedSpread || slices.ContainsFunc(a.Named, func(f Field) bool { return f.Name == p.Name }))
		switch {
		case passed || p.Flags&optional != 0:
		case p.Name == "":
			missing = append(missing, fmt.Sprintf("number %d", positional))
		default:
			missing = append(missing, p.Name)
		}
	}
	if a.Positional > positional && !variadic {
		return fmt.Sprintf("takes %s, but %s passed", number(positional, "argument", "arguments"), number(a.Positional, "is", "are")), nil
	}
	if !keywords {
		for i := range a.Named {
			if f := &a.Named[i]; !named[f.Name] {
				return "has no parameter " + f.Name, f
			}
		}
	}
	switch len(missing) {
	case 0:
		return "", nil
	case 1:
		return "needs an argument for " + missing[0], nil
	}
	return "needs arguments for " + strings.Join(missing, ", "), nil
}

func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
