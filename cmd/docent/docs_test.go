package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// pages returns the names of the repository's pages that people read.
func pages(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../release/*.md", "../../mcp/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 15 {
		t.Fatalf("only %v were found", names)
	}
	return names
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// links returns the relative targets of the links in Markdown outside of code.
func links(text string) (targets []string) {
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(line, "    ") {
			continue
		}
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, "](")
			if !ok {
				break
			}
			target, more, ok := strings.Cut(after, ")")
			rest = more
			if ok && !strings.Contains(target, "://") && !strings.HasPrefix(target, "mailto:") && !strings.Contains(target, " ") {
				targets = append(targets, target)
			}
		}
	}
	return targets
}

// anchors returns the anchors that GitHub generates for the headings of a page.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		heading := strings.TrimLeft(line, "#")
		if fenced || heading == line || !strings.HasPrefix(heading, " ") {
			continue
		}
		all[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(heading))] = true
	}
	return all
}

func TestPages_LinksLeadSomewhere(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		for _, link := range links(readPage(t, page)) {
			n++
			file, anchor, _ := strings.Cut(link, "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			info, err := os.Stat(target)
			switch {
			case err != nil:
				t.Errorf("%s links to %s, which does not exist", page, link)
			case anchor != "" && !info.IsDir() && !anchors(readPage(t, target))[anchor]:
				t.Errorf("%s links to %s, which has no such heading", page, link)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d links were found", n)
	}
}

// commandLines returns the docent command lines in the code blocks of a page, with or without a
// prompt.
func commandLines(text string) (lines []string) {
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced && !strings.HasPrefix(line, "    ") {
			continue
		}
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		line = strings.Replace(line, "go run ./cmd/docent ", "docent ", 1)
		if strings.HasPrefix(line, "docent ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// words splits a command line in the same way as a shell, up to a comment, a redirection or a pipe.
func words(line string) (all []string) {
	word, quoted := "", false
	quote := rune(0)
	flush := func() {
		if word != "" || quoted {
			all = append(all, word)
		}
		word, quoted = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word += string(r)
			}
		case r == '\'' || r == '"':
			quote, quoted = r, true
		case unicode.IsSpace(r):
			flush()
		case (r == '#' || r == '>' || r == '<' || r == '|') && word == "":
			return all
		default:
			word += string(r)
		}
	}
	flush()
	return all
}

func TestPages_CommandsParse(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		for _, line := range commandLines(readPage(t, page)) {
			n++
			root := newRoot(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, languages)
			cmd, args, err := root.Find(words(line)[1:])
			if err == nil {
				if err = cmd.ParseFlags(args); err == nil {
					err = cmd.ValidateArgs(cmd.Flags().Args())
				}
			}
			if err != nil {
				t.Errorf("%s: %s: %v", page, line, err)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d commands were found", n)
	}
}

// joinedLine returns a line of an indented block of docent's command lines that is not a command line, as after a text
// editor has filled the block like a paragraph. It returns "" if there is none.
func joinedLine(text string) string {
	fenced, commands := false, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		code, indented := strings.CutPrefix(line, "    ")
		command := strings.HasPrefix(code, "docent ")
		switch {
		case fenced || !indented:
			commands = false
		case !commands:
			commands = command
		case !command:
			return strings.TrimSpace(code)
		}
	}
	return ""
}

func TestPages_BlocksHaveOneCommandInEachLine(t *testing.T) {
	for _, page := range pages(t) {
		if line := joinedLine(readPage(t, page)); line != "" {
			t.Errorf("%s: %q is in a block of command lines, but does not begin with docent", page, line)
		}
	}
}

func TestPages_FaultsAreFound(t *testing.T) {
	if got := links("[a](b.md) `[c](d)`\n```\n[e](f)\n```\n[g](https://h.example) [i](#j)\n"); len(got) != 3 || got[0] != "b.md" || got[2] != "#j" {
		t.Errorf("the links are %q", got)
	}
	if got := anchors("# One Two!\n```\n# no\n```\n## `x` and y\n"); !got["one-two"] || !got["x-and-y"] || len(got) != 2 {
		t.Errorf("the anchors are %v", got)
	}
	if got := words(`docent search go 'a b' "c" # d`); len(got) != 5 || got[3] != "a b" {
		t.Errorf("the words are %q", got)
	}
}
