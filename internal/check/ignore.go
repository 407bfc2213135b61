package check

import (
	"bufio"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	// maxIgnoreFile is the maximum size of a .gitignore, in bytes.
	maxIgnoreFile = 1 << 20
	// maxIgnoreRules is the maximum number of rules that apply in a directory, including those of
	// its parents. Additional rules are ignored.
	maxIgnoreRules = 2000
)

// ignoreRule is a line of a .gitignore.
type ignoreRule struct {
	pattern  string // pattern in the syntax of doublestar, relative to the root of the tree
	include  bool   // whether the rule begins with "!"; names that it matches are then not ignored
	onlyDirs bool   // whether the rule ends with "/"
}

// ignoreRules contains the rules that apply in a directory, beginning with those of the root.
type ignoreRules []ignoreRule

// ignored reports whether a name, relative to the root of the tree, is ignored. As in git, the last
// matching rule decides. The function assumes that the directories above the name are not ignored.
func (rules ignoreRules) ignored(name string, isDir bool) bool {
	for _, rule := range slices.Backward(rules) {
		if rule.onlyDirs && !isDir {
			continue
		}
		if matched, err := doublestar.Match(rule.pattern, name); err == nil && matched {
			return !rule.include
		}
	}
	return false
}

// below returns the rules followed by those in dir's own .gitignore.
func (rules ignoreRules) below(fsys fs.FS, dir string) ignoreRules {
	f, err := fsys.Open(path.Join(dir, ".gitignore"))
	if err != nil {
		return rules
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreFile {
		return rules
	}
	rules = slices.Clip(rules) // clip, because the parent's rules are also used for its other directories
	lines := bufio.NewScanner(f)
	for lines.Scan() && len(rules) < maxIgnoreRules {
		if rule, ok := parseIgnoreRule(lines.Text(), dir); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

// parseIgnoreRule parses a line of the .gitignore in dir, in the syntax described in gitignore(5).
// It returns false for blank lines, comments and patterns that cannot match anything.
func parseIgnoreRule(line, dir string) (rule ignoreRule, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	if strings.HasPrefix(line, "#") {
		return rule, false
	}
	pattern := strings.TrimRight(line, " ")
	if len(pattern) < len(line) && trailingBackslashes(pattern)%2 == 1 {
		pattern += " " // a space after a backslash is part of the pattern
	}
	pattern, rule.include = strings.CutPrefix(pattern, "!")
	pattern, rule.onlyDirs = strings.CutSuffix(pattern, "/")
	if pattern == "" || trailingBackslashes(pattern)%2 == 1 {
		return rule, false
	}
	anchored := strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	if !anchored {
		pattern = "**/" + pattern
	}
	pattern = braces.Replace(pattern)
	if dir != "." {
		pattern = literal.Replace(dir) + "/" + pattern
	}
	if strings.HasSuffix(pattern, "/**") {
		pattern += "/*" // match the contents of the directory instead of the directory
	}
	if !doublestar.ValidatePattern(pattern) {
		return rule, false
	}
	rule.pattern = pattern
	return rule, true
}

var (
	// In doublestar, braces contain alternatives, but git treats them as ordinary characters.
	braces = strings.NewReplacer("{", `\{`, "}", `\}`)
	// literal escapes characters that have a special meaning in a pattern.
	literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`)
)

func trailingBackslashes(s string) int {
	return len(s) - len(strings.TrimRight(s, `\`))
}
