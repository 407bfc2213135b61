package answer

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/markup"
)

// writer writes blocks of Markdown with an empty line between them.
type writer struct {
	b bytes.Buffer
	// joins makes part append code to the preceding code block if both are in the same language.
	// open is the fence and language of that block.
	joins bool
	open  string
}

func (w *writer) block(text string) {
	if text == "" {
		return
	}
	if w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
	w.b.WriteString(text)
	w.b.WriteByte('\n')
	w.open = ""
}

// part writes Markdown. If the text is a single block of code and directly follows such a block,
// the two are joined, provided that both are in the given language.
func (w *writer) part(text, language string) {
	const mark = "```"
	code, ok := strings.CutPrefix(text, mark+language+"\n")
	ok = ok && strings.Index(code, mark) == len(code)-len(mark)
	if ok && w.open == mark+language {
		w.b.Truncate(w.b.Len() - len(mark) - 1)
		w.b.WriteString("\n" + code + "\n")
		return
	}
	if w.block(text); ok {
		w.open = mark + language
	}
}

// prose writes documentation so that its headings are below the given level.
func (w *writer) prose(md string, level int) {
	w.block(strings.Trim(markup.Demote(md, level), "\n"))
}

// within returns the text, truncated to limit bytes (unlimited if 0 or less). It rarely truncates
// anything, because answers already observe their budget. They exceed it only if names are
// thousands of bytes long, because names are written completely.
func (w *writer) within(limit int) string {
	text := w.b.String()
	if limit <= 0 {
		return text
	}
	const mark = "\n\n…\n"
	// If the text is truncated within a code block, the block is closed with a fence, which can
	// have any length.
	for room := limit - len(mark); len(text) > limit && room > 0; room /= 2 {
		text = beginning(w.b.String(), room) + mark
	}
	return text
}

func (w *writer) code(language, code string) {
	if code = strings.Trim(code, "\n"); code == "" {
		return
	}
	mark := markup.Fence(code)
	if open := mark + language; !w.joins || w.open != open {
		w.block(open + "\n" + code + "\n" + mark)
		w.open = open
		return
	}
	w.b.Truncate(w.b.Len() - len(mark) - 1)
	w.b.WriteString("\n" + code + "\n" + mark + "\n")
}

// inside writes the members of the type whose declaration is the last line of code. It writes them
// within braces or, if only indentation shows what belongs to the type, below a colon.
func (w *writer) inside(members string, indented bool) {
	mark, language := markup.Fence(members), strings.TrimLeft(w.open, "`")
	if w.open != mark+language { // members with code need a longer fence
		w.code(language, members)
		return
	}
	w.b.Truncate(w.b.Len() - len(mark) - 2)
	switch {
	case indented && !bytes.HasSuffix(w.b.Bytes(), []byte(":")):
		w.b.WriteByte(':')
	case !indented:
		w.b.WriteString(" {")
		members += "}\n"
	}
	w.b.WriteString("\n" + members + mark + "\n")
}

// beginning returns at most limit bytes of Markdown. It returns as many complete paragraphs as fit,
// or otherwise as many lines, or otherwise as many bytes.
func beginning(md string, limit int) string {
	if len(md) <= limit {
		return md
	}
	paragraph, line, offset := 0, 0, 0
	blank := false
	for l := range markup.Lines(md) {
		if blank && !l.Code && offset <= limit {
			paragraph = offset
		}
		if offset > limit {
			break
		}
		line = offset
		blank = strings.TrimSpace(l.Text) == ""
		offset += len(l.Text) + 1
	}
	end := paragraph
	if end < limit/3 {
		end = line
	}
	if end < limit/3 {
		end = max(limit, 0)
		for end > 0 && !utf8.RuneStart(md[end]) {
			end--
		}
	}
	// If the text is truncated within a code block, close the block.
	return strings.TrimRight(markup.Demote(strings.TrimRight(md[:end], "\n"), 1), "\n")
}

// excerpt returns the first paragraphs of Markdown that fit into limit bytes. The last one may end
// after a sentence. excerpt never ends with a line that introduces omitted text ("as follows:"). A
// mark shows that text was omitted.
func excerpt(md string, limit int) string {
	md = strings.TrimSpace(md)
	if len(md) <= limit {
		return md
	}
	var out strings.Builder
	for _, p := range paragraphs(md) {
		if out.Len()+len(p)+2 <= limit {
			if out.Len() > 0 {
				out.WriteString("\n\n")
			}
			out.WriteString(p)
			continue
		}
		if room := limit - out.Len() - 2; !strings.Contains(p, "\n\n") && !isCode(p) && !strings.Contains(p, "\n- ") {
			cut := ""
			text := strings.Join(strings.Fields(p), " ")
			for s := range markup.Sentences(text) {
				if len(cut)+len(s)+1 > room {
					break
				}
				cut += s + " "
			}
			if cut = strings.TrimSpace(cut); cut != "" {
				if out.Len() > 0 {
					out.WriteString("\n\n")
				}
				out.WriteString(cut)
			}
		}
		break
	}
	text := strings.TrimRight(out.String(), "\n ")
	for strings.HasSuffix(text, ":") || strings.HasSuffix(text, ":**") {
		text = strings.TrimRight(text[:max(0, lastBreak(text))], "\n ")
	}
	if text == "" {
		text = beginning(md, limit-len(" …"))
		lines := strings.TrimRight(firstLines(md, limit-len(" …")), "\n ")
		switch index := strings.LastIndexByte(text, ' '); {
		case strings.Contains(lines, "\n") && !strings.HasSuffix(lines, ":") && !isCode(md) && !strings.Contains(lines, "```"):
			text = lines // the first items of a list
		case index > 0 && !strings.Contains(text, "\n") && !isCode(text):
			text = text[:index]
		}
	}
	if strings.HasSuffix(text, "```") || strings.HasSuffix(text, "~~~") {
		return text + "\n\n…"
	}
	return text + " …"
}

// lastBreak returns the position at which the last paragraph or sentence of a text begins.
func lastBreak(text string) int {
	index := strings.LastIndex(text, "\n")
	for i := len(text) - 2; i > max(index, 0); i-- {
		if (text[i] == '.' || text[i] == '!' || text[i] == '?') && text[i+1] == ' ' {
			return i + 1
		}
	}
	return index
}

// isCode reports whether a paragraph is a code block.
func isCode(p string) bool {
	return strings.HasPrefix(p, "```") || strings.HasPrefix(p, "~~~") || strings.HasPrefix(p, "\t") || strings.HasPrefix(p, "    ")
}
