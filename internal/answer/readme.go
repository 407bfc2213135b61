package answer

import (
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Many READMEs repeat the comments on the declarations. They have a heading for each function and
// option, with the same text. An answer that shows all declarations should contain the text only
// once.

// maxRepeatedTitle is the maximum length in bytes of the title of a section that may repeat a
// declaration.
const maxRepeatedTitle = 100

// withoutRepeats returns the sections without those that repeat the documentation of the symbol or
// parameter in their title. If examples is true, the answer also shows the examples of symbols.
func (r *Renderer) withoutRepeats(sections []apidoc.Section, examples bool) []apidoc.Section {
	documented := map[string][]string{} // texts by the name of the symbol or parameter
	for _, s := range r.symbols() {
		if s.Doc == "" {
			continue
		}
		parts := []string{s.Doc, s.Signature}
		for i := range s.Examples {
			if examples {
				parts = append(parts, s.Examples[i].Doc, s.Examples[i].Code, s.Examples[i].After)
			}
		}
		text := strings.Join(parts, " ")
		names := []string{baseName(s)}
		if r.pkg.IsDefault(s.Path) { // the declaration of a default export has another name
			names = appendNew(names, oneLine(r.pkg.DeclaredName(s)))
		}
		for _, name := range names {
			documented[name] = append(documented[name], text)
		}
		_, items := parameters(s.Doc)
		for _, item := range items {
			if _, rest, ok := strings.Cut(item, "- `"); ok {
				name, _, _ := strings.Cut(rest, "`")
				documented[name] = append(documented[name], item+" "+s.Signature)
			}
		}
	}
	var rest []apidoc.Section
	for i := range sections {
		if s := &sections[i]; !repeatsAny(documented[titleName(s.Title)], s.Body) {
			rest = append(rest, *s)
		}
	}
	return rest
}

// titleName returns the name of the symbol if a title consists only of it, with or without its
// parameters. For example, it returns add for "queue.add(fn, options?)".
func titleName(title string) string {
	if len(title) > maxRepeatedTitle {
		return ""
	}
	title = strings.TrimPrefix(strings.ReplaceAll(title, "`", ""), "new ")
	name, _, _ := strings.Cut(title, "(")
	name = strings.TrimRight(name, "?: ")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// repeatsAny reports whether one of the texts contains nearly all words of a section. It returns
// true for a section without words, which is a heading above other sections.
func repeatsAny(texts []string, body string) bool {
	if len(texts) == 0 {
		return false
	}
	words := lowerWords(body)
	for _, text := range texts {
		in := map[string]bool{"type": true, "default": true} // words of labels, such as "Type: `number`"
		for _, w := range lowerWords(text) {
			in[w] = true
		}
		missing := 0
		for _, w := range words {
			if !in[w] {
				missing++
			}
		}
		if len(words) > 0 && missing*8 <= len(words) {
			return true
		}
	}
	return false
}

// lowerWords returns the words of a text in lower case, without punctuation.
func lowerWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
