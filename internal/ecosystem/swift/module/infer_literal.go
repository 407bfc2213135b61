package module

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

func (p *inferer) tuple(parts [][2]int) value {
	var v value
	var texts []string
	for _, part := range parts {
		label := ""
		if p.at(part[0]+1) == ":" && p.kind(part[0]) == source.Ident {
			label = p.at(part[0]) + ": "
			part[0] += 2
		}
		e := p.sub(part[0], part[1])
		if e.text == "" || e.meta {
			texts = nil
			v.elements = append(v.elements, value{})
			continue
		}
		v.elements = append(v.elements, e)
		texts = append(texts, label+e.text)
	}
	if len(texts) == len(parts) {
		v.text = "(" + strings.Join(texts, ", ") + ")"
	}
	return v
}

// collection returns the type of an array or dictionary literal.
func (p *inferer) collection(start, end int) value {
	parts := p.split(start, end, ",")
	if len(parts) == 0 {
		return value{}
	}
	const maximum = 50
	common := func(part int) string {
		text := ""
		literal := false
		for i, el := range parts {
			if i >= maximum {
				break
			}
			pair := p.split(el[0], el[1], ":")
			if part >= len(pair) || len(pair) > 2 || part == 0 && len(pair) == 2 != (len(p.split(parts[0][0], parts[0][1], ":")) == 2) {
				return ""
			}
			v := p.sub(pair[part][0], pair[part][1])
			switch {
			case v.text == "" || v.meta:
				return ""
			case text == "" || literal && v.text == "Double":
				text, literal = v.text, v.literal
			case v.literal && text == "Double":
			case v.text != text:
				return ""
			}
		}
		return text
	}
	key := common(0)
	if key == "" {
		return value{}
	}
	if len(p.split(parts[0][0], parts[0][1], ":")) == 2 {
		val := common(1)
		if val == "" {
			return value{}
		}
		return known("[" + key + " : " + val + "]")
	}
	return known("[" + key + "]")
}

// regexType returns the type of a regular expression literal, which depends on
// its groups.
func regexType(text string) string {
	groups := 0
	var names []string
	inClass := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '(':
			if inClass {
				continue
			}
			rest := text[i+1:]
			switch {
			case strings.HasPrefix(rest, "?<") && len(rest) > 2 && rest[2] != '=' && rest[2] != '!':
				name, _, _ := strings.Cut(rest[2:], ">")
				groups++
				names = append(names, name+": Substring")
			case strings.HasPrefix(rest, "?"), strings.HasPrefix(rest, "*"):
			default:
				groups++
				names = append(names, "Substring")
			}
		}
	}
	if groups == 0 {
		return "Regex<Substring>"
	}
	return "Regex<(Substring, " + strings.Join(names, ", ") + ")>"
}
