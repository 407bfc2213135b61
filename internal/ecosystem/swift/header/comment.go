package header

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/doctext"
)

// convert converts a raw comment to Markdown. deprecated is the deprecation
// notice, or "" if there is none.
func convert(raw string) (doc, deprecated string) {
	text := unmarked(raw)
	if text == "" || idle(text) {
		return "", ""
	}
	converted := doctext.Markdown(commentMarkdown(text), nil)
	return converted.Body, converted.Deprecated
}

// unmarked removes comment markers, "*" at the beginning of lines, and the common
// indentation.
func unmarked(raw string) string {
	var lines []string
	block := false
	for line := range strings.SplitSeq(strings.Trim(raw, "\n"), "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r")
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case !block && strings.HasPrefix(trimmed, "//"):
			line = strings.TrimLeft(trimmed, "/")
			line = strings.TrimPrefix(strings.TrimPrefix(line, "!"), "<")
		case !block && strings.HasPrefix(trimmed, "/*"):
			block = true
			line = strings.TrimLeft(trimmed[2:], "*")
			line = strings.TrimPrefix(strings.TrimPrefix(line, "!"), "<")
			line = strings.TrimLeft(line, " ")
			trimmed = ""
		}
		if block {
			if end, ok := strings.CutSuffix(line, "*/"); ok {
				line, block = strings.TrimRight(end, "* "), false
			}
			if content := strings.TrimLeft(line, " "); trimmed != "" && strings.HasPrefix(content, "*") && (len(content) == 1 || content[1] == ' ' || content[1] == '@' || content[1] == '\\') {
				line = content[1:]
			}
		}
		lines = append(lines, line)
	}
	// The first line follows the comment marker.
	margin := -1
	for i, l := range lines {
		if content := strings.TrimLeft(l, " "); content != "" && (i > 0 || !strings.HasPrefix(raw, "/*")) {
			if n := len(l) - len(content); margin < 0 || n < margin {
				margin = n
			}
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(margin, 0), len(l)-len(strings.TrimLeft(l, " "))):]
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n ")
}

// idle reports whether a comment does not document a declaration, because it is
// about a file or a group, or is a licence, a rule or a marker.
func idle(text string) bool {
	for _, mark := range []string{"@file", `\file`, "@defgroup", `\defgroup`, "@addtogroup", `\addtogroup`, "@header", "@mainpage", "@name", `\name`, "MARK:", "clang-format", "NOLINT", "Copyright"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	if strings.Contains(text, "SPDX-License") || strings.Contains(text, "Copyright (c)") || strings.Contains(text, "@file") {
		return true
	}
	return strings.HasPrefix(text, "#####") || strings.Trim(text, "-=*#/~_ \n@{}") == ""
}

// commands maps Doxygen and HeaderDoc commands to the names of fields in Swift's
// markup.
var commands = map[string]string{
	"param": "Parameter", "tparam": "Parameter", "return": "Returns", "returns": "Returns", "result": "Returns", "throws": "Throws", "throw": "Throws", "exception": "Throws",
	"note": "Note", "warning": "Warning", "attention": "Attention", "remark": "Remark", "remarks": "Remark", "see": "SeeAlso", "sa": "SeeAlso", "seealso": "SeeAlso",
	"pre": "Precondition", "post": "Postcondition", "invariant": "Invariant", "since": "Since", "deprecated": "Deprecated", "bug": "Bug", "important": "Important", "retval": "Returns",
	"constant": "Parameter", "field": "Parameter",
}

// dropped lists commands whose lines are not useful to readers.
var dropped = set(`author authors date version copyright ingroup addtogroup defgroup file header todo internal endinternal public private hideinitializer
	function typedef struct union enum class protocol interface property method var const define fn def cond endcond name category defined
	callgraph callergraph group endgroup updated availability`)

// commentMarkdown rewrites Doxygen and HeaderDoc commands as Swift's markup.
func commentMarkdown(text string) string {
	if !strings.ContainsAny(text, `@\`) {
		return text
	}
	var out []string
	code := false
	for line := range strings.SplitSeq(text, "\n") {
		name, rest, indent := command(line)
		switch name {
		case "code", "verbatim":
			out, code = append(out, "```"), true
			continue
		case "endcode", "endverbatim":
			out, code = append(out, "```"), false
			continue
		}
		if code {
			out = append(out, line)
			continue
		}
		switch field := commands[name]; {
		case field == "Parameter":
			if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "[") { // The command may have an argument, as in @param[in,out].
				_, rest, _ = strings.Cut(rest, "]")
				rest = strings.TrimSpace(rest)
			}
			parameter, text, _ := strings.Cut(rest, " ")
			out = append(out, "- Parameter "+strings.Trim(parameter, ":`")+": "+inline(strings.TrimSpace(text)))
		case field != "" && name == "retval":
			value, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
			out = append(out, "- Returns: `"+value+"` "+inline(strings.TrimSpace(text)))
		case field != "":
			out = append(out, "- "+field+": "+inline(strings.TrimSpace(rest)))
		case name == "brief" || name == "short" || name == "abstract" || name == "discussion" || name == "details" || name == "par" || name == "description":
			if name != "brief" && name != "short" && name != "abstract" && len(out) > 0 && out[len(out)-1] != "" {
				out = append(out, "")
			}
			out = append(out, inline(strings.TrimSpace(rest)))
		case name == "li" || name == "arg":
			out = append(out, strings.Repeat(" ", indent)+"- "+inline(strings.TrimSpace(rest)))
		case dropped[name]:
		case name == "" && len(line) > indent && (line[indent:] == "@{" || line[indent:] == "@}" || line[indent:] == `\{` || line[indent:] == `\}`):
		default:
			out = append(out, inline(line))
		}
	}
	if code {
		out = append(out, "```")
	}
	return strings.Join(out, "\n")
}

// command returns the command at the beginning of a line, or "" if there is none.
// rest is the text after it, and indent is the width of the white space before
// it.
func command(line string) (name, rest string, indent int) {
	trimmed := strings.TrimLeft(line, " ")
	indent = len(line) - len(trimmed)
	if trimmed == "" || trimmed[0] != '@' && trimmed[0] != '\\' {
		return "", "", indent
	}
	name, rest = cutWord(trimmed[1:])
	return strings.ToLower(name), rest, indent
}

// inline rewrites commands within a line. For example, "@c name" becomes code.
func inline(line string) string {
	if !strings.ContainsAny(line, `@\`) {
		return line
	}
	var b strings.Builder
	for line != "" {
		start := strings.IndexAny(line, `@\`)
		if start < 0 {
			break
		}
		b.WriteString(line[:start])
		name, rest := cutWord(line[start+1:])
		switch {
		case start > 0 && line[start-1] != ' ' && line[start-1] != '(':
		case name == "c" || name == "p" || name == "a" || name == "ref" || name == "link" || name == "e" || name == "em" || name == "b":
			if word, after := cutReference(rest); word != "" {
				mark := "`"
				switch name {
				case "e", "em":
					mark = "*"
				case "b":
					mark = "**"
				}
				b.WriteString(mark + word + mark)
				line = after
				continue
			}
		case name == "n" || name == "endlink":
			line = rest
			continue
		}
		b.WriteByte(line[start])
		line = line[start+1:]
	}
	return b.String() + line
}

// cutReference splits off the word after a command. The word is empty if there is
// none.
func cutReference(s string) (word, rest string) {
	trimmed := strings.TrimLeft(s, " ")
	if trimmed == s {
		return "", s
	}
	n := 0
	for n < len(trimmed) && trimmed[n] != ' ' {
		n++
	}
	word = strings.TrimRight(trimmed[:n], ".,;:!?)")
	if word == "" || strings.Contains(word, "`") {
		return "", s
	}
	return word, trimmed[len(word):]
}
