package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// In a long comment, callers look for the list of parameters. It comes after text and examples and
// consists of the label "**Parameters:**" and an item for each parameter.

// excerptOfCall is like excerpt, for the comment on a declaration. If the comment contains a
// list of parameters, excerptOfCall keeps the beginning and the list. If there is not enough room,
// it keeps only the first sentence and the default of each parameter.
func excerptOfCall(doc string, limit int) string {
	doc = strings.TrimSpace(doc)
	if len(doc) <= limit {
		return excerpt(doc, limit)
	}
	before, items := parameters(doc)
	if len(items) == 0 {
		return excerpt(doc, limit)
	}
	first := ""
	if before != "" {
		first = excerpt(before, limit/4)
	}
	room := limit - len(first) - len(parametersLabel) - len("\n\n\n\n …")
	list := ""
	for _, shorten := range []func(string) string{strings.TrimSpace, briefItem, clauseItem} {
		short := make([]string, len(items))
		for i, item := range items {
			short[i] = shorten(item)
		}
		if list = strings.Join(short, "\n"); len(list) <= room {
			break
		}
	}
	if len(list) > room {
		end := strings.LastIndexByte(list[:max(room, 0)], '\n')
		if end < 0 || (strings.Count(list[:end], "\n")+1)*2 < len(items) {
			return excerpt(doc, limit) // the parameters are too long even if each has only a clause
		}
		list = list[:end]
	}
	if before != "" {
		first = excerpt(before, limit/4+room-len(list))
	}
	text := strings.TrimLeft(first+"\n\n"+parametersLabel+"\n\n"+list, "\n")
	if !strings.Contains(text, "…") {
		text += " …"
	}
	return text
}

// parametersLabel is the label above a list of parameters.
const parametersLabel = "**Parameters:**"

// parameters splits a comment into the part before the list of parameters, and the items of the
// list. It returns no items if there is no list.
func parameters(doc string) (before string, items []string) {
	head, rest, ok := strings.Cut("\n"+doc, "\n"+parametersLabel+"\n")
	if !ok {
		return "", nil
	}
	var item strings.Builder
	for l := range markup.Lines(strings.TrimLeft(rest, "\n")) {
		begins := !l.Code && strings.HasPrefix(l.Text, "- ")
		if !begins && l.Text != "" && !strings.HasPrefix(l.Text, " ") {
			break // the list ends
		}
		if begins && item.Len() > 0 {
			items = append(items, item.String())
			item.Reset()
		}
		item.WriteString(l.Text + "\n")
	}
	if item.Len() > 0 {
		items = append(items, item.String())
	}
	return strings.TrimSpace(head), items
}

// briefItem returns the first sentence of a list item and the sentence that states a default.
func briefItem(item string) string { return shortItem(item, maxBrief) }

// clauseItem returns the beginning of the first sentence of a list item and the sentence that
// states a default. It omits a long type after the name, because the signature shows it.
func clauseItem(item string) string {
	name, rest, ok := strings.Cut(item, "): ")
	if name, kind, found := strings.Cut(name, "` ("); ok && found && len(kind) > maxItemType {
		item = name + "`: " + rest
	}
	return shortItem(item, maxClause+len("- "))
}

// maxItemType is the maximum length in bytes of the type of a parameter in a short list.
const maxItemType = 20

func shortItem(item string, maximum int) string {
	head, _, _ := strings.Cut(strings.TrimSpace(item), "\n\n")
	head, _, _ = strings.Cut(head, "\n  - ") // omit a list within the item
	first := ""
	for s := range markup.Sentences(oneLine(head)) {
		first = s
		break
	}
	if len(first) > maximum {
		first = excerpt(first, maximum)
	}
	if !wordsExceed(item, len(first)) {
		return first
	}
	return shortened(strings.TrimSuffix(first, ":"), defaultBehind(item, first))
}
