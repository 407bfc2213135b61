package macros

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Join expands the text in a call of paste!, in which [<a b>] is the name ab. A part of a name may have modifiers, as in [<a b:upper>].
func Join(text string) (string, error) {
	var out strings.Builder
	var tokens []source.Token
	s := source.Scanner{Text: text}
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		tokens = append(tokens, t)
	}
	end := 0 // of the text that has been written
	for i := 0; i+1 < len(tokens); i++ {
		if tokens[i].Byte != '[' || tokens[i+1].Byte != '<' {
			continue
		}
		close := i + 2
		for close < len(tokens) && tokens[close].Byte != ']' && tokens[close].Byte != '[' {
			close++
		}
		if close == len(tokens) || tokens[close].Byte == '[' || tokens[close-1].Byte != '>' { // such as [<T as A>::B]
			continue
		}
		name, err := joined(text, tokens[i+2:close-1])
		if err != nil {
			return "", err
		}
		out.WriteString(text[end:tokens[i].Start] + name)
		end = tokens[close].End
		i = close
	}
	out.WriteString(text[end:])
	return out.String(), nil
}

// joined returns the name that consists of parts.
func joined(text string, parts []source.Token) (string, error) {
	var name strings.Builder
	part := "" // the one to which the next modifier applies
	for i := 0; i < len(parts); i++ {
		word := text[parts[i].Start:parts[i].End]
		switch {
		case parts[i].Kind == source.Ident || word == "_":
			name.WriteString(part)
			part = strings.TrimPrefix(word, "r#")
		case parts[i].Kind == source.Literal && word[0] >= '0' && word[0] <= '9':
			name.WriteString(part)
			part = word
		case parts[i].Kind == source.Literal && word[0] == '"' && len(word) > 1 && !strings.Contains(word, `\`):
			name.WriteString(part)
			part = strings.ReplaceAll(word[1:len(word)-1], "-", "_")
		case parts[i].Byte == ':' && i+1 < len(parts):
			i++
			modified, err := modify(part, text[parts[i].Start:parts[i].End])
			if err != nil {
				return "", err
			}
			part = modified
		default:
			return "", fmt.Errorf("the name contains %.20q", word)
		}
	}
	name.WriteString(part)
	if !source.IsName(name.String()) {
		return "", fmt.Errorf("%.40q is no name", name.String())
	}
	return name.String(), nil
}

// modify changes the case of a part of a name.
func modify(part, modifier string) (string, error) {
	switch modifier {
	case "lower":
		return strings.ToLower(part), nil
	case "upper":
		return strings.ToUpper(part), nil
	case "snake":
		var b strings.Builder
		before := '_'
		for _, r := range part {
			if unicode.IsUpper(r) && before != '_' {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
			before = r
		}
		return b.String(), nil
	case "camel":
		var b strings.Builder
		before := '_'
		for _, r := range part {
			switch {
			case r == '_':
			case before == '_':
				b.WriteRune(unicode.ToUpper(r))
			case unicode.IsUpper(before):
				b.WriteRune(unicode.ToLower(r))
			default:
				b.WriteRune(r)
			}
			before = r
		}
		return b.String(), nil
	}
	return "", fmt.Errorf("the modifier %.20q is unknown", modifier)
}
