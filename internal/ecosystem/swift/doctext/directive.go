package doctext

import (
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// Directive is a directive of the form "@Name(arguments) { body }".
type Directive struct {
	Name string
	// Arguments contains the values by label. The first value without a label
	// has the key "".
	Arguments map[string]string
	Body      []string // lines without their common indentation
}

// directiveNames contains DocC's directives. Other lines that begin with "@"
// are text.
var directiveNames = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`Metadata Comment Options Available DeprecationSummary Image Video Snippet Row Column TabNavigator Tab Links Small
		CallToAction PageImage PageKind PageColor TechnologyRoot DisplayName DocumentationExtension SupportedLanguage Redirected TitleHeading
		AutomaticSeeAlso AutomaticTitleHeading AutomaticArticleSubheading TopicsVisualStyle CustomMetadata AlternateRepresentation
		Tutorial Tutorials Article Intro Chapter TutorialReference Resources Documentation SampleCode Downloads Videos Forums Section
		ContentAndMedia Stack Steps Step Code Assessments MultipleChoice Choice Justification Volume XcodeRequirement`) {
		names[name] = true
	}
	return names
}()

// directiveName returns the name of the directive at the beginning of a line,
// or "" if there is none.
func directiveName(line string) string {
	if line == "" || line[0] != '@' {
		return ""
	}
	n := 1
	for n < len(line) && (line[n] >= 'a' && line[n] <= 'z' || line[n] >= 'A' && line[n] <= 'Z') {
		n++
	}
	rest := strings.TrimLeft(line[n:], " ")
	if !directiveNames[line[1:n]] || rest != "" && rest[0] != '(' && rest[0] != '{' {
		return ""
	}
	return line[1:n]
}

const (
	// maxArgumentLines is the maximum number of lines of a directive's arguments.
	maxArgumentLines = 20
	// maxArguments is the maximum size, in bytes, of the arguments that are read.
	maxArguments = 8 << 10
)

// readDirective reads the directive that begins at line i. If there is none,
// next is i.
func readDirective(lines []string, i int) (d Directive, next int) {
	d, rest, next := readHead(lines, i)
	if next == i || rest == "" {
		return d, next
	}
	rest, open := strings.CutPrefix(rest, "{")
	if !open {
		return d, next
	}
	rest = strings.TrimSpace(rest)
	if rest != "" {
		if end := closingBrace(rest); end >= 0 {
			d.Body = trimEmpty([]string{strings.TrimSpace(rest[:end])})
			return d, next
		}
	}
	body, next := block(lines, next)
	body = markup.Dedent(body)
	if rest != "" {
		body = append([]string{rest}, body...)
	}
	d.Body = trimEmpty(body)
	return d, next
}

// ReadArguments reads the directive that begins at line i, without its body. If
// there is none, next is i.
func ReadArguments(lines []string, i int) (d Directive, next int) {
	d, _, next = readHead(lines, i)
	return d, next
}

// readHead reads the name and the arguments of a directive. rest is the text
// after them on the same line, or a brace on the next line.
func readHead(lines []string, i int) (d Directive, rest string, next int) {
	line := strings.TrimSpace(lines[i])
	d.Name = directiveName(line)
	if d.Name == "" {
		return d, "", i
	}
	next = i + 1
	rest = strings.TrimLeft(line[1+len(d.Name):], " ")
	if strings.HasPrefix(rest, "(") {
		end := closing(rest)
		for n := 0; end < 0 && next < len(lines) && n < maxArgumentLines && len(rest) < maxArguments; n++ {
			more := strings.TrimSpace(lines[next])
			if more == "" || more[0] == '@' {
				break
			}
			rest += " " + more
			next++
			end = closing(rest)
		}
		if end < 0 {
			return d, "", i
		}
		d.Arguments = arguments(rest[1:end])
		rest = strings.TrimSpace(rest[end+1:])
	}
	if rest == "" && next < len(lines) && strings.TrimSpace(lines[next]) == "{" {
		return d, "{", next + 1
	}
	return d, rest, next
}

// block returns the lines up to the brace that closes a directive, and the
// index of the line after it.
func block(lines []string, i int) (body []string, next int) {
	depth, fence := 1, ""
	for j := i; j < len(lines); j++ {
		line := strings.TrimSpace(lines[j])
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
			continue
		case opens(line) != "":
			fence = opens(line)
			continue
		case line == "}":
			depth--
		case strings.HasSuffix(line, "{"):
			if line == "{" || directiveName(line) != "" || strings.HasSuffix(line, ") {") {
				depth++
			}
		case strings.HasSuffix(line, "}") && depth == 1 && strings.Count(line, "{") < strings.Count(line, "}") && strings.Count(line, "`")%2 == 0:
			// The closing brace follows text.
			return append(append([]string{}, lines[i:j]...), strings.TrimSpace(strings.TrimSuffix(line, "}"))), j + 1
		}
		if depth == 0 {
			return lines[i:j], j + 1
		}
	}
	return lines[i:], len(lines)
}

// closing returns the index of the parenthesis that closes the first one, or -1
// if there is none.
func closing(s string) int { return match(s, '(', ')') }

// closingBrace returns the index of the brace that closes a brace opened before
// s, if only white space follows it, or else -1.
func closingBrace(s string) int {
	if end := match("{"+s, '{', '}') - 1; end >= 0 && strings.TrimSpace(s[end+1:]) == "" {
		return end
	}
	return -1
}

// match returns the index of the byte that closes the first byte of s, or -1 if
// there is none.
func match(s string, open, end byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == open:
			depth++
		case c == end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// arguments reads `label: value, label: "value"`.
func arguments(s string) map[string]string {
	all := map[string]string{}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimLeft(s, " ,") {
		label := ""
		if name, rest, ok := strings.Cut(s, ":"); ok && isName(name) {
			label, s = name, strings.TrimLeft(rest, " ")
		}
		var value string
		if strings.HasPrefix(s, `"`) {
			end := 1
			for end < len(s) && s[end] != '"' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(s))
			value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s[1:end])
			s = s[min(end+1, len(s)):]
		} else {
			value, s, _ = strings.Cut(s, ",")
			value = strings.TrimSpace(value)
		}
		if _, twice := all[label]; !twice {
			all[label] = value
		}
	}
	return all
}

func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return s != ""
}
