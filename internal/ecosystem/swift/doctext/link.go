package doctext

import "strings"

// maxLink is the maximum length of the text and of the target of a link, in bytes.
const maxLink = 500

// links resolves the links of prose.
func (p *parser) links(lines []string) string {
	if !p.linked {
		return strings.Join(lines, "\n")
	}
	var b strings.Builder
	fence := ""
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
		case opens(line) != "":
			fence = opens(line)
		case hasLinks(line):
			p.linkLine(&b, line)
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// linkLine writes a line with its links resolved.
func (p *parser) linkLine(b *strings.Builder, line string) {
	for line != "" {
		index := strings.IndexAny(line, "`<[!")
		if index < 0 {
			break
		}
		b.WriteString(line[:index])
		line = line[index:]
		text, n := p.linkAt(line)
		if n == 0 {
			text, n = line[:1], 1
		}
		b.WriteString(text)
		line = line[n:]
	}
	b.WriteString(line)
}

// linkAt converts the link or code at the beginning of s. n is its length, or 0
// if there is none.
func (p *parser) linkAt(s string) (text string, n int) {
	switch {
	case s[0] == '`':
		ticks := len(s) - len(strings.TrimLeft(s, "`"))
		end := strings.Index(s[ticks:], s[:ticks])
		if end < 0 {
			return s[:ticks], ticks
		}
		n = ticks + end + ticks
		if target := s[ticks : ticks+end]; ticks == 2 && isSymbolLink(target) {
			return p.symbol(target), n
		}
		return s[:n], n
	case strings.HasPrefix(s, "<doc:"):
		end := strings.IndexByte(s[:min(len(s), maxLink)], '>')
		if end < 0 {
			return "", 0
		}
		return p.page(s[len("<doc:"):end], ""), end + 1
	case strings.HasPrefix(s, "!["):
		end := strings.Index(s[:min(len(s), maxLink)], "](")
		if end < 0 {
			return "", 0
		}
		stop := strings.IndexByte(s[end:min(len(s), end+maxLink)], ')')
		if stop < 0 {
			return "", 0
		}
		return s[2:end], end + stop + 1
	case s[0] == '[':
		end := strings.Index(s[:min(len(s), maxLink)], "](doc:")
		if end < 0 || strings.Contains(s[1:end], "[") {
			return "", 0
		}
		stop := match(s[end+1:min(len(s), end+maxLink)], '(', ')')
		if stop < 0 {
			return "", 0
		}
		return p.page(s[end+len("](doc:"):end+1+stop], s[1:end]), end + 1 + stop + 1
	}
	return "", 0
}

// symbol returns a link to a symbol.
func (p *parser) symbol(target string) string {
	path := SymbolPath(target)
	if p.o.Resolve != nil {
		if to, ok := p.o.Resolve(path); ok {
			path = to
		}
	}
	return code(path)
}

// code puts a path into backquotes. The path may contain backquoted names.
func code(path string) string {
	if strings.Contains(path, "`") {
		return "`` " + path + " ``"
	}
	return "`" + path + "`"
}

// page returns a link to a page, or to a symbol by its URL.
func (p *parser) page(target, text string) string {
	if p.o.Resolve != nil {
		if to, ok := p.o.Resolve("doc:" + pageName(target)); ok {
			if text != "" && strings.HasPrefix(to, "[") {
				if index := strings.LastIndex(to, "]("); index >= 0 {
					return "[" + text + to[index:]
				}
			}
			return to
		}
		if to, ok := p.o.Resolve(SymbolPath(target)); ok {
			if text != "" {
				return text + " (" + code(to) + ")"
			}
			return code(to)
		}
	}
	if text != "" {
		return text
	}
	if strings.ContainsAny(target, "/()") {
		return code(SymbolPath(target))
	}
	return strings.ReplaceAll(pageName(target), "-", " ")
}

// pageName returns the last part of a page's URL, without the fragment.
func pageName(target string) string {
	target, _, _ = strings.Cut(target, "#")
	if strings.Contains(target, "(") {
		return target
	}
	return target[strings.LastIndexByte(target, '/')+1:]
}

// isSymbolLink reports whether the text between two backquotes is a link to a
// symbol and not code.
func isSymbolLink(s string) bool {
	if s == "" || len(s) > maxLink || strings.ContainsAny(s, "\\\"") {
		return false
	}
	if strings.Contains(s, "`") && !strings.HasPrefix(s, "`") {
		return false
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '<':
			depth++
		case ')', ']', '>':
			depth--
		case ' ':
			if depth <= 0 {
				return false
			}
		}
	}
	return true
}

// SymbolPath returns the path that a symbol link refers to: names separated by
// dots, without the suffixes that distinguish overloads, such as
// "-swift.struct", "-2266j" and "-(Int)->String".
func SymbolPath(link string) string {
	if rest, ok := strings.CutPrefix(link, "//"); ok {
		_, link, _ = strings.Cut(rest, "/")
		link = strings.TrimPrefix(link, "documentation/")
	}
	link = strings.TrimPrefix(link, "/")
	var b strings.Builder
	for link != "" {
		name, rest := cutComponent(link)
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name)
		link = rest
	}
	return b.String()
}

// cutComponent splits off the first name of a link.
func cutComponent(link string) (name, rest string) {
	end := 0
	if isIdentifier(link[0]) {
		for end < len(link) && (isIdentifier(link[end]) || link[end] == '.') {
			end++
		}
	} else { // The name is an operator.
		for end < len(link) && link[end] != '(' && (link[end] != '/' || end == 0 || !isIdentifierAt(link, end+1)) {
			end++
		}
	}
	if end < len(link) && link[end] == '(' {
		if n := closing(link[end:]); n >= 0 {
			end += n + 1
		} else {
			end = len(link)
		}
	}
	name = link[:end]
	depth := 0
	for i := end; i < len(link); i++ {
		switch link[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '/':
			if depth <= 0 {
				return name, link[i+1:]
			}
		}
	}
	if end < len(link) && link[end] != '-' {
		return link, ""
	}
	return name, ""
}

func isIdentifier(c byte) bool {
	return c == '_' || c == '`' || c == '$' || c >= 0x80 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isIdentifierAt(s string, i int) bool { return i < len(s) && isIdentifier(s[i]) }
