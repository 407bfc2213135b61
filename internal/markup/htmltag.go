package markup

import (
	"html"
	"strings"
)

// tags are the elements that are taken for HTML; anything else in angle
// brackets, such as <T> or an address, is text.
var tags = func() map[string]bool {
	known := map[string]bool{}
	for n := range strings.FieldsSeq(`a abbr b big blockquote body br button caption center code col colgroup dd del details div dl dt em
		figcaption figure font footer form g h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li link main meta nav ol p
		picture pre q s samp script section select small source span strike strong style sub summary sup svg table tbody td template tfoot th
		thead tr tt u ul var video article aside`) {
		known[n], known["/"+n] = true, true
	}
	return known
}()

// tag reads the tag that s begins with; size is 0 if there is none.
func tag(s string) (name, attributes string, size int) {
	i := 1
	if i < len(s) && s[i] == '/' {
		i++
	}
	for i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9') {
		i++
	}
	name = strings.ToLower(s[1:i])
	if !tags[name] || i < len(s) && s[i] != '>' && s[i] != '/' && s[i] > ' ' {
		return "", "", 0
	}
	quote := byte(0)
	for j := i; j < min(len(s), i+maxTag); j++ {
		switch c := s[j]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return name, s[i:j], j + 1
		case c == '<':
			return "", "", 0
		}
	}
	return "", "", 0
}

// maxTag is how long a tag may be, in bytes.
const maxTag = 8000

// attribute is the value of an attribute, as it is meant.
func attribute(attributes, name string) string {
	for i := 0; i < len(attributes); {
		if c := attributes[i]; c <= ' ' || c == '/' || c == '"' || c == '\'' {
			i++
			continue
		}
		start := i
		for i < len(attributes) && attributes[i] > ' ' && attributes[i] != '=' {
			i++
		}
		found := strings.EqualFold(attributes[start:i], name)
		for i < len(attributes) && attributes[i] <= ' ' {
			i++
		}
		if i >= len(attributes) || attributes[i] != '=' {
			if i == start {
				i++
			}
			continue
		}
		i++
		for i < len(attributes) && attributes[i] <= ' ' {
			i++
		}
		var value string
		if i < len(attributes) && (attributes[i] == '"' || attributes[i] == '\'') {
			quote := attributes[i]
			i++
			end := strings.IndexByte(attributes[i:], quote)
			if end < 0 {
				return ""
			}
			value, i = attributes[i:i+end], i+end+1
		} else {
			start := i
			for i < len(attributes) && attributes[i] > ' ' {
				i++
			}
			value = attributes[start:i]
		}
		if found {
			return strings.TrimSpace(html.UnescapeString(value))
		}
	}
	return ""
}
