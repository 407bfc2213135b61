package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// These labels precede the lists of parameters and of properties in the Markdown of a comment.
const (
	parametersLabel = "**Parameters:**"
	propertiesLabel = "**Properties:**"
)

// propParameters removes the props from the lists of parameters and of properties in the comment on a component, as
// in "@param props.size" and "@prop size", because they are listed as members. A prop without a comment gets the text
// of the list.
func propParameters(out *apidoc.Symbol) {
	out.Doc = withoutProps(out, parametersLabel, func(item string) string {
		_, name, _ := strings.Cut(item, ".")
		return name
	})
	out.Doc = withoutProps(out, propertiesLabel, func(item string) string { return item })
}

// withoutProps returns the comment on a component without the props in the list with the given label. nameOf returns the name
// of the prop that an item of the list is about.
func withoutProps(out *apidoc.Symbol, label string, nameOf func(item string) string) string {
	before, list, ok := strings.Cut(out.Doc, label+"\n\n")
	if !ok {
		return out.Doc
	}
	list, after, _ := strings.Cut(list, "\n\n")
	var remaining []string
	inProp := false // whether the previous item is about a prop
	for line := range strings.SplitSeq(strings.TrimRight(list, "\n"), "\n") {
		if inProp && strings.HasPrefix(line, " ") {
			continue
		}
		item, isItem := strings.CutPrefix(line, "- `")
		item, text, _ := strings.Cut(item, "`")
		name := nameOf(item)
		index := slices.IndexFunc(out.Members, func(m apidoc.Symbol) bool { return m.Kind == apidoc.Prop && m.Name() == name })
		if inProp = isItem && name != "" && index >= 0; !inProp {
			remaining = append(remaining, line)
			continue
		}
		m := &out.Members[index]
		text = strings.TrimSpace(strings.TrimPrefix(text, ":"))
		if value, ok := strings.CutPrefix(text, "= "); ok && !strings.Contains(value, "`") {
			text = "**Default:** `" + value + "`"
		}
		if m.Doc == "" && text != "" && !strings.HasSuffix(strings.ToLower(text), "n/a") {
			m.Doc = text
		}
	}
	if len(remaining) > 0 {
		list = label + "\n\n" + strings.Join(remaining, "\n")
	} else {
		list = ""
	}
	var parts []string
	for _, s := range []string{before, list, after} {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}
