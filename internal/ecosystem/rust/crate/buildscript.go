package crate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// maxAliases is the maximum number of aliases in one build script.
const maxAliases = 200

// buildScript defines the conditions that a build script sets, as far as its text shows
// them. The script is not run.
func (k *krate) buildScript() {
	text, err := k.read(cmp.Or(k.src.Build, "build.rs"))
	if err != nil {
		return
	}
	k.aliasesOfBuild(text)
	k.versionsOfBuild(text)
}

// versionsOfBuild enables the conditions that a build script always sets, or sets for all compilers from a
// certain version on. The current compiler is assumed to be newer.
func (k *krate) versionsOfBuild(text string) {
	const mark = "rustc-cfg="
	pos := 0
	for range maxAliases {
		i := strings.Index(text[pos:], mark)
		if i < 0 {
			return
		}
		start := pos + i
		pos = start + len(mark)
		name := text[pos:]
		if end := strings.IndexAny(name, "\"\\\n"); end > 0 {
			name = name[:end]
		}
		before := text[max(0, start-len("cargo::")):start]
		if key, ok := strings.CutSuffix(name, "="); ok && isName(key) {
			k.valueOfBuild(key, text[pos+len(name):])
		}
		if !isName(name) || !strings.HasSuffix(before, "cargo:") && !strings.HasSuffix(before, "cargo::") {
			continue
		}
		condition, ok := conditionAt(text[:start])
		_, body, _ := strings.Cut(text[:start], "fn main()")
		statement := strings.TrimSpace(body[strings.LastIndexAny(body, ";{}")+1:])
		always := condition == "fn main()" && strings.HasPrefix(statement, "println!") && !strings.Contains(body, "return")
		if always || ok && fromVersion(condition) {
			k.platform.flags[name] = true
		}
	}
}

// valueOfBuild sets a condition whose value a build script computes from a feature that names a version,
// such as "1.33" from v1_33. text begins with the quoted format of the value. If no such feature is on,
// the crate usually does not compile, and the highest version is assumed.
func (k *krate) valueOfBuild(key, text string) {
	text = strings.TrimLeft(text, `\"`)
	prefix, _, ok := strings.Cut(text[:max(0, strings.IndexAny(text, "\"\\\n"))], "{")
	if !ok {
		return
	}
	p := k.platform
	highest := ""
	for feature := range p.declared {
		value := strings.ReplaceAll(strings.TrimPrefix(feature, "v"), "_", ".")
		if value == "" || value[0] < '0' || value[0] > '9' || !strings.HasPrefix(value, prefix) {
			continue
		}
		if p.features[feature] {
			p.values[key] = append(p.values[key], value)
		}
		if highest == "" || compareNumbers(value, highest) > 0 {
			highest = value
		}
	}
	if len(p.values[key]) == 0 && highest != "" {
		p.values[key] = []string{highest}
	}
}

// compareNumbers compares versions with any number of parts, such as 1.9 and 1.10.
func compareNumbers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	})
}

// conditionAt returns the condition of the if statement whose block is open at the end of text. If ok is false,
// it returns what precedes the block.
func conditionAt(text string) (condition string, ok bool) {
	text = text[max(0, len(text)-maxCondition):]
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth >= 0 {
				continue
			}
			head := text[:i]
			head = strings.TrimSpace(head[strings.LastIndexAny(head, ";{}")+1:])
			for strings.HasPrefix(head, "//") {
				_, head, _ = strings.Cut(head, "\n")
				head = strings.TrimSpace(head)
			}
			return strings.CutPrefix(head, "if ")
		}
	}
	return "", false
}

// maxCondition is the maximum number of bytes before a line of a build script that are
// searched for its condition.
const maxCondition = 4 << 10

// fromVersion reports whether a condition requires only that the minor version of
// the compiler is at least some number.
func fromVersion(condition string) bool {
	if strings.ContainsAny(condition, "<!") {
		return false
	}
	_, rest, ok := strings.Cut(condition, ">=")
	rest = strings.TrimSpace(rest)
	return ok && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// aliasesOfBuild defines the conditions that a build script sets with
// cfg_aliases!, whose argument is a table.
func (k *krate) aliasesOfBuild(text string) {
	_, rest, ok := strings.Cut(text, "cfg_aliases! {")
	if !ok {
		return
	}
	rest = "{" + rest
	rest = rest[:source.GroupEnd(rest)]
	for n, line := range source.Split(strings.TrimSuffix(rest[1:], "}")) {
		name, body, ok := source.Cut(line, ':')
		body = strings.TrimSpace(body)
		if !ok || n > maxAliases || !strings.HasPrefix(body, "{") {
			continue
		}
		p := k.platform
		c := parsePredicate(body[1:max(1, source.GroupEnd(body)-1)], 0)
		p.flags[bare(name)] = p.holds(c)
	}
}

// bare returns a name without the comments that precede it.
func bare(text string) string {
	s := source.Scanner{Text: text}
	t := s.Next()
	return text[t.Start:t.End]
}

// inputs are names in a build script that may read declarations from elsewhere.
var inputs = map[string]bool{"include": true, "include_str": true, "include_bytes": true, "read": true, "read_to_string": true, "read_dir": true, "read_to_end": true, "File": true, "OpenOptions": true, "extern": true, "mod": true, "lines": true}

// generatedText returns the literals of a build script that writes no declarations except those in its literals. ok is false if it
// may write others, or if it cannot be read.
func (k *krate) generatedText() (text string, ok bool) {
	script, err := k.read(cmp.Or(k.src.Build, "build.rs"))
	if err != nil {
		return "", false
	}
	var b strings.Builder
	s := source.Scanner{Text: script}
	before := ""
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		word := script[t.Start:t.End]
		switch t.Kind {
		case source.Ident:
			if inputs[word] || before == "use" && !slices.Contains([]string{"std", "core", "alloc", "self"}, word) {
				return "", false
			}
		case source.Literal:
			if strings.HasPrefix(word, "\"") {
				if !declaresPlainly(strings.Trim(word, "\"")) {
					return "", false
				}
				b.WriteString(word + "\n")
			} else if strings.ContainsAny(word, "\"") { // a raw or byte string
				return "", false
			}
		}
		before = word
	}
	return b.String(), true
}

// declaresPlainly reports whether the declarations in a literal, if there are any, contain no names that a program may compute.
func declaresPlainly(text string) bool {
	text = strings.TrimPrefix(text, "\\\n")
	if strings.HasPrefix(text, "cargo:") || !itemWord().MatchString(text) {
		return true
	}
	if formatArgument().MatchString(text) || strings.Contains(text, "macro_rules") {
		return false
	}
	return !slices.ContainsFunc(source.Parse(strings.ReplaceAll(text, "$$", "")).Items, func(it *source.Item) bool {
		return it.Kind == source.MacroCall || it.Kind == source.Impl || it.Kind == source.Use && strings.Contains(text[it.Start:it.End], "*")
	})
}

var (
	itemWord       = lazyregexp.New(`\b(fn|struct|enum|union|trait|impl|mod|use|type|const|static|macro_rules)\b`)
	formatArgument = lazyregexp.New(`\{[a-zA-Z0-9_]*(:[^\s{}]*)?\}`)
)
