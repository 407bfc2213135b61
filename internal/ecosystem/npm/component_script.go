package npm

import (
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// isComponent reports whether a file name extension is that of Vue or Svelte components.
func isComponent(ext string) bool { return ext == ".vue" || ext == ".svelte" }

// scripts blanks everything outside the script elements of a component.
func scripts(text string) string {
	blanked, _ := scriptElements(text)
	return blanked
}

// scriptElements is like scripts, and returns the opening tags of the script elements.
func scriptElements(text string) (blanked string, tags []string) {
	out := []byte(text)
	for i := 0; i < len(out); {
		start := scriptTag(text[i:])
		length := -1
		if start >= 0 {
			length = tagLength(text[i+start:])
		}
		if length < 0 {
			blank(out[i:])
			break
		}
		end := i + start + length
		tags = append(tags, text[i+start:end])
		blank(out[i:end])
		closing := strings.Index(text[end:], "</script")
		if closing < 0 {
			break
		}
		i = end + closing
	}
	return string(out), tags
}

// scriptTag returns the offset of the first tag of a script element outside of comments, or -1.
func scriptTag(text string) int {
	for i := 0; ; i++ {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			return -1
		}
		i += n
		if strings.HasPrefix(text[i:], "<!--") {
			end := strings.Index(text[i:], "-->")
			if end < 0 {
				return -1
			}
			i += end
		} else if name, ok := strings.CutPrefix(text[i:], "<script"); ok && name != "" && strings.IndexByte(" \t\r\n/>", name[0]) >= 0 {
			return i
		}
	}
}

// tagLength returns the length of the tag at the beginning of a text, or -1 if it has no end. The values of attributes may
// contain angle brackets.
func tagLength(text string) int {
	quote := byte(0)
	for i := range len(text) {
		switch b := text[i]; {
		case quote != 0 && b == quote:
			quote = 0
		case quote != 0:
		case b == '"' || b == '\'':
			quote = b
		case b == '>':
			return i + 1
		}
	}
	return -1
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// isTyped reports whether a script element with one of several tags is in TypeScript.
func isTyped(tags []string) bool {
	return slices.ContainsFunc(tags, scriptLanguage().MatchString)
}

var (
	scriptLanguage = lazyregexp.New(`\slang\s*=\s*["']?(tsx?|typescript)\b`)
	// scriptContext matches an attribute that declares type parameters, or that takes the script from elsewhere.
	scriptContext = lazyregexp.New(`\s(?:generics?|src)\s*=`)
)

// scriptOf returns the script of a Vue or Svelte component, with the name of a file for it. typed is true if TypeScript's
// compiler checks the script as it stands.
func scriptOf(name, text string) (file, script string, typed bool) {
	script, tags := scriptElements(text)
	language := ".mjs"
	typed = len(tags) > 0
	for _, tag := range tags {
		l := scriptLanguage().FindStringSubmatch(tag)
		switch {
		case l != nil && l[1] == "tsx":
			language = ".tsx"
		case l != nil:
			language = ".ts"
		}
		typed = typed && l != nil && !scriptContext().MatchString(tag)
	}
	return name + language, script + "\nexport {}", typed // A component is a module, even without imports.
}

// codeFile returns the name of a file, or a name with the language of its script if it is a component.
func codeFile(f *ecosystem.SourceFile) string {
	if !isComponent(path.Ext(f.Name)) {
		return f.Name
	}
	name, _, _ := scriptOf(f.Name, string(f.Text))
	return name
}
