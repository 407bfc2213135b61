package dts

import (
	"cmp"
	"slices"
	"strings"
)

// Doc is a parsed doc comment.
type Doc struct {
	// Markdown is the comment without the parts that are in other fields.
	Markdown string
	// Description is the beginning of Markdown, without the other tags.
	Description string
	// Deprecated is the deprecation notice. It is "deprecated" if the tag has no
	// text, and empty if there is no such tag.
	Deprecated string
	Examples   []DocExample
}

// DocExample is the code of an @example tag.
type DocExample struct {
	Name string // title; may be empty
	Text string // Markdown before the code
	Code string
	// After is Markdown that follows the code.
	After string
}

// tag is a block tag of a doc comment with its text.
type tag struct {
	name string // the name without @
	text string // cleaned text, which may have several lines
}

// cleanComment removes the comment markers and the stars at the start of lines from a
// doc comment.
func cleanComment(raw string) string {
	raw = strings.TrimPrefix(raw, "/**")
	raw = strings.TrimSuffix(raw, "*/")
	if strings.IndexByte(raw, '\n') < 0 {
		return strings.TrimSpace(raw)
	}
	indent := -1 // indent is the common indentation of lines without a star.
	var b strings.Builder
	b.Grow(len(raw))
	for first := true; raw != ""; first = false {
		line, rest, _ := strings.Cut(raw, "\n")
		raw = rest
		for n := len(line); n > 0 && (line[n-1] == ' ' || line[n-1] == '\t' || line[n-1] == '\r'); n-- {
			line = line[:n-1]
		}
		in := strings.TrimLeft(line, " \t")
		switch {
		case in != "" && in[0] == '*' && !first:
			in = in[1:]
			if in != "" && in[0] == ' ' {
				in = in[1:]
			}
		case !first && in != "":
			if n := len(line) - len(in); indent < 0 || n < indent {
				indent = n
			}
			in = line[indent:]
		}
		b.WriteString(in)
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n")
}

// knownTag reports whether name is a block tag, which ends an example without a code
// fence. Other words that begin with @ are decorators in the example's code.
func knownTag(name string) bool {
	switch name {
	case "param", "returns", "return", "example", "deprecated", "since", "default", "defaultValue", "remarks", "see",
		"template", "typeParam", "throws", "type", "typedef", "callback", "property", "prop", "internal", "public",
		"private", "protected", "readonly", "alpha", "beta", "experimental", "category", "group", "version", "author",
		"link", "override", "virtual", "sealed", "eventProperty", "privateRemarks", "packageDocumentation", "description",
		"summary", "memberof", "name", "kind", "static", "async", "fires", "emits", "event", "todo", "license", "module",
		"this", "class", "constructor", "enum", "function", "method", "extends", "implements", "augments", "exception",
		"ngModule", "publicApi", "usageNotes", "docsCategory", "stable", "unstable":
		return true
	}
	return false
}

// splitTags splits a cleaned comment into the text before the first block tag, and
// the tags.
func splitTags(text string) (summary string, tags []tag) {
	if !strings.Contains(text, "@") {
		return strings.TrimSpace(text), nil
	}
	start, name := 0, ""
	end := func(pos int) {
		part := strings.TrimRight(text[start:pos], " \t\n")
		if name == "" {
			summary = strings.TrimSpace(part)
		} else {
			tags = append(tags, tag{name, strings.TrimLeft(part, " \t")})
		}
	}
	fence := ""
	for i := 0; i < len(text); {
		next := len(text)
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			next = i + n + 1
		}
		in := strings.TrimLeft(text[i:next], " \t")
		// In "@example ```ts", the tag is followed by a code fence.
		word := ""
		if fence == "" && len(in) > 1 && in[0] == '@' && (class[in[1]] == cIdent) {
			word = in[1:tagEnd(in, 1)]
			if name == "example" && !knownTag(word) || len(word)+1 < len(in) && strings.IndexByte("/(.", in[len(word)+1]) >= 0 {
				word = "" // the word is a decorator or the name of a scoped package
			}
		} else if at, found := tagBehind(in); found != "" && fence == "" && name == "" {
			in = in[at:]
			i, word = next-len(in), found
		}
		if word != "" {
			end(i)
			name = word
			start = next - len(in) + 1 + len(word)
			in = strings.TrimLeft(in[1+len(word):], " \t")
		}
		if mark := fenceMark(in); mark != "" {
			if fence == "" {
				if strings.Count(in, mark) == 1 {
					fence = mark
				}
			} else if mark == fence {
				fence = ""
			}
		}
		if at := typedTag(in); at >= 0 && fence == "" && name != "example" {
			i = next - len(in) + at
			continue
		}
		i = next
	}
	end(len(text))
	return summary, tags
}

// typedTag returns the position of a tag with a type in braces that follows text on a line, as in
// "Adds. @param {number} a @returns {number}", or -1 if there is none.
func typedTag(line string) int {
	ticks := 0
	for at := range len(line) {
		switch {
		case line[at] == '`':
			ticks++
		case line[at] == '@' && ticks%2 == 0 && (at == 0 || line[at-1] == ' ' || line[at-1] == '\t'):
			end := tagEnd(line, at+1)
			switch line[at+1 : end] {
			case "param", "arg", "argument", "returns", "return", "type", "property", "prop", "template", "this", "throws":
				if strings.HasPrefix(line[end:], " {") && !strings.HasPrefix(line[end:], " {@") {
					return at
				}
			}
		}
	}
	return -1
}

// tagBehind finds a tag that follows text on a line, as in "Custom data. @deprecated
// Use extend." TypeScript treats every word that begins with @ as a tag, but many are
// names of packages, so tagBehind ignores those. name is empty if there is no tag.
func tagBehind(line string) (at int, name string) {
	for ticks := 0; ; {
		n := strings.Index(line[at:], " @")
		if n < 0 {
			return 0, ""
		}
		ticks += strings.Count(line[at:at+n], "`")
		at += n + 1
		if ticks%2 == 1 {
			continue // in code
		}
		end := tagEnd(line, at+1)
		switch name = line[at+1 : end]; name {
		case "deprecated", "default", "defaultValue", "see":
			if end == len(line) || strings.IndexByte(" \t\r\n:", line[end]) >= 0 {
				return at, name
			}
		}
	}
}

func tagEnd(s string, i int) int {
	for i < len(s) && (class[s[i]] == cIdent || class[s[i]] == cDigit || s[i] == '-') && s[i] != '\\' {
		i++
	}
	return i
}

func fenceMark(line string) string {
	switch {
	case strings.HasPrefix(line, "```"):
		return "```"
	case strings.HasPrefix(line, "~~~"):
		return "~~~"
	}
	return ""
}

// ReadDoc converts a raw doc comment to Markdown. It keeps unknown tags with
// their names.
func ReadDoc(raw string) Doc {
	if raw == "" {
		return Doc{}
	}
	text := cleanComment(raw)
	summary, tags := splitTags(text)
	var d Doc
	if len(tags) == 0 {
		d.Markdown = inline(summary)
		d.Description = d.Markdown
		return d
	}
	w := docWriter{}
	w.b.Grow(len(text) + 32) // Labels are longer than tags.
	w.paragraph(inline(summary))
	for _, t := range tags {
		switch t.name {
		case "remarks", "description", "desc", "summary", "usageNotes", "usage", "fileoverview", "fileOverview", "overview", "file":
			w.paragraph(inline(t.text))
		}
	}
	d.Description = strings.TrimSpace(w.b.String())
	w.items(tags, "Type parameters", "template", "typeParam", "typeparam")
	w.items(tags, "Parameters", "param", "arg", "argument")
	w.items(tags, "Properties", "property", "prop")
	for _, t := range tags {
		switch t.name {
		case "remarks", "description", "desc", "summary", "usageNotes", "usage", "fileoverview", "fileOverview", "overview", "file", "template", "typeParam", "typeparam", "param", "arg", "argument", "property", "prop":
		case "example":
			d.Examples = append(d.Examples, examples(t.text)...)
		case "deprecated":
			d.Deprecated = cmp.Or(inline(strings.TrimPrefix(strings.TrimSpace(t.text), "- ")), "deprecated")
		case "returns", "return":
			w.labelled("Returns", withoutType(t.text))
		case "throws", "exception":
			typ, rest := cutType(t.text)
			if typ != "" {
				rest = strings.TrimSpace("`" + typ + "` " + rest)
			}
			w.labelled("Throws", rest)
		case "default", "defaultValue", "defaultvalue":
			w.labelled("Default", code(t.text))
		case "since", "version":
			w.labelled(strings.ToUpper(t.name[:1])+t.name[1:], t.text)
		case "see":
			w.labelled("See", t.text)
		case "typedef", "callback", "type", "this", "overload", "satisfies", "import", "enum",
			"internal", "public", "private", "protected", "readonly", "override", "virtual", "sealed", "abstract",
			"packageDocumentation", "module", "privateRemarks", "export", "exports", "function", "class", "constructor", "static", "memberof", "name", "kind", "ts", "suppress", "noinspection", "preserve", "async", "extends", "augments", "implements", "inheritDoc", "inheritdoc", "hidden", "ignore", "namespace", "interface", "method", "const", "constant":
			// The signature contains the same information, or readers do not need these tags.
		default:
			w.other(t)
		}
	}
	d.Markdown = strings.TrimSpace(w.b.String())
	return d
}

type docWriter struct {
	b      strings.Builder
	thrown []string // exceptions that are already listed, because some comments repeat them
}

func (w *docWriter) paragraph(s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	w.begin()
	w.b.WriteString(s)
}

// begin starts a paragraph.
func (w *docWriter) begin() {
	if w.b.Len() > 0 {
		w.b.WriteString("\n\n")
	}
}

func (w *docWriter) add(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
	}
}

func (w *docWriter) labelled(label, text string) {
	text = strings.TrimPrefix(strings.TrimSpace(inline(text)), "- ")
	if text == "" {
		return
	}
	sep := " "
	if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") {
		sep = "\n\n"
	}
	if label == "Throws" {
		if slices.Contains(w.thrown, text) {
			return
		}
		w.thrown = append(w.thrown, text)
	}
	w.begin()
	w.add("**", label, ":**", sep, text)
}

// other writes a tag that has no special form.
func (w *docWriter) other(t tag) {
	text := strings.TrimSpace(inline(t.text))
	w.begin()
	w.add("*@", t.name, "*")
	if text != "" {
		w.add(" ", text)
	}
}

// items writes the tags with these names as one list.
func (w *docWriter) items(tags []tag, title string, names ...string) {
	first := true
	for _, t := range tags {
		if !slices.Contains(names, t.name) {
			continue
		}
		name, _, text := cutName(t.text)
		if t.name == "template" {
			name, text = cutNames(t.text)
		}
		text = strings.TrimSpace(inline(text))
		if name == "" {
			continue
		}
		if first {
			w.begin()
			w.add("**", title, ":**\n")
			first = false
		}
		w.add("\n- `", name, "`")
		if text != "" {
			// Indent continuation lines of a list item.
			w.add(": ", strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
}

// cutType splits "{type} rest". The type is empty if the text does not begin with
// one.
func cutType(s string) (typ, rest string) {
	s = strings.TrimLeft(s, " \t\n")
	if s == "" || s[0] != '{' || strings.HasPrefix(s, "{@") {
		return "", s
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return strings.TrimSpace(s[1:i]), strings.TrimLeft(s[i+1:], " \t\n")
			}
		}
	}
	return "", s
}

func withoutType(s string) string {
	_, rest := cutType(s)
	return rest
}

// cutName splits the text of @param and @template: "{type} [name=default] - text".
// The name does not include brackets and the default. Parts that are missing from the
// text are empty.
func cutName(s string) (name, typ, text string) {
	typ, s = cutType(s)
	if s == "" {
		return "", typ, ""
	}
	if s[0] == '[' {
		depth := 0
		for i := range len(s) {
			switch s[i] {
			case '[':
				depth++
			case ']':
				depth--
			}
			if depth == 0 {
				name, text = s[1:i], s[i+1:]
				break
			}
		}
		name, _, _ = strings.Cut(name, "=")
		name = strings.TrimSpace(name)
	} else {
		n := strings.IndexAny(s, " \t\n")
		if n < 0 {
			n = len(s)
		}
		name, text = strings.TrimSuffix(s[:n], ":"), s[n:]
	}
	text = strings.TrimSpace(text)
	text = strings.TrimPrefix(text, "-")
	text = strings.TrimPrefix(text, ":")
	return strings.Trim(name, "`,"), typ, strings.TrimSpace(text)
}

// cutNames splits the text of @template that has several names, "{type} K, V - text". It returns
// them with backquotes between.
func cutNames(s string) (names, text string) {
	_, s = cutType(s)
	name, _, text := cutName(s)
	names = name
	for name != "" {
		after, more := strings.CutPrefix(s, name+",")
		if !more {
			break
		}
		s = strings.TrimLeft(after, " \t")
		if name, _, text = cutName(s); name != "" {
			names += "`, `" + name
		}
	}
	return names, text
}

// code puts a value into backquotes, unless it is already Markdown.
func code(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s, "`\n") || strings.Contains(s, "{@") || strings.Contains(s, " ") && !strings.ContainsAny(s[:1], "'\"{[(") {
		return s
	}
	return "`" + s + "`"
}

// examples splits the text of an @example tag at its code fences. Without a code
// fence, the whole text is code, except for a <caption> or title.
func examples(text string) []DocExample {
	var name string
	text = strings.Trim(text, "\n")
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), "<caption>"); ok {
		if title, after, ok := strings.Cut(rest, "</caption>"); ok {
			name, text = strings.TrimSpace(title), strings.Trim(after, "\n")
		}
	}
	if !strings.Contains(text, "```") {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return []DocExample{{Name: name, Code: dedent(text)}}
	}
	var out []DocExample
	for text != "" {
		before, rest, ok := strings.Cut(text, "```")
		before = strings.TrimSpace(inline(before))
		if !ok {
			if before != "" && len(out) > 0 {
				out[len(out)-1].After = before
			}
			break
		}
		body, after, _ := strings.Cut(rest, "```")
		// The rest of the fence's first line contains the name of the language.
		if nl := strings.IndexByte(body, '\n'); nl >= 0 {
			body = body[nl+1:]
		}
		e := DocExample{Text: before, Code: dedent(strings.TrimRight(body, " \t\n"))}
		if len(out) == 0 {
			if e.Name = name; name == "" && before != "" && !strings.Contains(before, "\n") && len(before) <= 80 {
				e.Name, e.Text = strings.Trim(before, "#: "), ""
			}
		}
		if e.Code != "" {
			out = append(out, e)
		}
		text = after
	}
	return out
}

// dedent removes the common indentation of all lines.
func dedent(s string) string {
	common := -1
	lines := strings.Split(s, "\n")
	for _, l := range lines {
		if in := strings.TrimLeft(l, " \t"); in != "" && (common < 0 || len(l)-len(in) < common) {
			common = len(l) - len(in)
		}
	}
	if common <= 0 {
		return s
	}
	for i, l := range lines {
		lines[i] = l[min(common, len(l)):]
	}
	return strings.Join(lines, "\n")
}

// inline replaces {@link …} and similar inline tags outside code.
func inline(s string) string {
	if !strings.Contains(s, "{@") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "{@")
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], '}')
		if end < 0 {
			break
		}
		b.WriteString(s[:i])
		body := s[i+2 : i+end]
		s = s[i+end+1:]
		word := body[:tagEnd(body, 0)]
		rest := strings.TrimSpace(body[len(word):])
		switch word {
		case "link", "linkcode", "linkplain", "see", "inheritDoc", "inheritdoc", "tutorial":
			target, text, ok := strings.Cut(rest, "|")
			if !ok {
				target, text, _ = strings.Cut(rest, " ")
			}
			target, text = strings.TrimSpace(target), strings.TrimSpace(text)
			url := strings.Contains(target, "://")
			switch {
			case target == "":
			case url && text == "":
				b.WriteString("<" + target + ">")
			case url:
				b.WriteString("[" + text + "](" + target + ")")
			case strings.HasPrefix(word, "inherit"):
				b.WriteString("See `" + target + "`.")
			case text != "" && text != target:
				b.WriteString(text + " (`" + target + "`)")
			default:
				b.WriteString("`" + target + "`")
			}
		default:
			b.WriteString("{@" + body + "}")
		}
	}
	b.WriteString(s)
	return b.String()
}
