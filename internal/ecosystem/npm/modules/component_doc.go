package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// parametersLabel precedes the list of parameters in the Markdown of a comment.
const parametersLabel = "**Parameters:**"

// propParameters removes the props from the list of parameters in the comment on a component, as in
// "@param props.size", because they are listed as members. A prop without a comment gets the text of
// the list.
func propParameters(out *apidoc.Symbol) {
	before, list, ok := strings.Cut(out.Doc, parametersLabel+"\n\n")
	if !ok {
		return
	}
	list, after, _ := strings.Cut(list, "\n\n")
	var remaining []string
	inProp := false // whether the previous item is about a prop
	for line := range strings.SplitSeq(strings.TrimRight(list, "\n"), "\n") {
		if inProp && strings.HasPrefix(line, " ") {
			continue
		}
		item, isItem := strings.CutPrefix(line, "- `")
		path, text, _ := strings.Cut(item, "`")
		_, name, isMember := strings.Cut(path, ".")
		index := slices.IndexFunc(out.Members, func(m apidoc.Symbol) bool { return m.Kind == apidoc.Prop && m.Name() == name })
		if inProp = isItem && isMember && index >= 0; !inProp {
			remaining = append(remaining, line)
			continue
		}
		m := &out.Members[index]
		if text = strings.TrimSpace(strings.TrimPrefix(text, ":")); m.Doc == "" && text != "" && !strings.HasSuffix(strings.ToLower(text), "n/a") {
			m.Doc = text
		}
	}
	if len(remaining) > 0 {
		list = parametersLabel + "\n\n" + strings.Join(remaining, "\n")
	} else {
		list = ""
	}
	var parts []string
	for _, s := range []string{before, list, after} {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, s)
		}
	}
	out.Doc = strings.Join(parts, "\n\n")
}
