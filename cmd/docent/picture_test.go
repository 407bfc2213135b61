package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// pictureLine is a line of the picture of a session.
type pictureLine struct {
	class string // class in the style sheet
	text  string
}

// The style follows the reader's light or dark mode.
const pictureStyle = `
.page { fill: #ffffff; stroke: #d0d7de }
.title { fill: #1f2328; font-weight: bold }
.code, .command { fill: #1f2328 }
.output { fill: #57606a }
.wrong { fill: #b42318 }
.right { fill: #116329 }
@media (prefers-color-scheme: dark) {
  .page { fill: #0d1117; stroke: #3d444d }
  .title, .code, .command { fill: #e6edf3 }
  .output { fill: #9198a1 }
  .wrong { fill: #ff7b72 }
  .right { fill: #56d364 }
}
`

// picture draws lines of text as an SVG.
func picture(lines []pictureLine) string {
	const width, lineHeight, margin = 860, 19, 18
	var b strings.Builder
	height := 2*margin + lineHeight*len(lines)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-label="A session without and with docent">`+"\n", width, height)
	fmt.Fprintf(&b, "<style>%stext { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }\n</style>\n", pictureStyle)
	fmt.Fprintf(&b, `<rect class="page" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n", width-1, height-1)
	for i, line := range lines {
		if line.text == "" {
			continue
		}
		var text bytes.Buffer
		_ = xml.EscapeText(&text, []byte(strings.ReplaceAll(line.text, "\t", "    ")))
		fmt.Fprintf(&b, `<text class="%s" x="%d" y="%d" xml:space="preserve">%s</text>`+"\n", line.class, margin, margin+lineHeight*i+14, &text)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// compile returns the compiler's output for a file in testdata/picture, or "" if the file compiles.
func compile(t *testing.T, name string) string {
	t.Helper()
	text := readPage(t, filepath.Join("testdata/picture", name))
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-o", os.DevNull, file).CombinedOutput() // compile it in this module, because of its dependencies
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if i := strings.Index(line, "main.go:"); i >= 0 {
			line = "./" + line[i:]
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

// codeOf returns the lines of a file that use go-toml.
func codeOf(t *testing.T, name string) (lines []pictureLine) {
	t.Helper()
	for line := range strings.Lines(readPage(t, filepath.Join("testdata/picture", name))) {
		if strings.Contains(line, "toml") && strings.HasPrefix(line, "\t") || strings.Contains(line, "ReadFile") {
			lines = append(lines, pictureLine{"code", "  " + strings.TrimSpace(line)})
		}
	}
	return lines
}

// TestPicture generates the picture in README.md from a session. The session shows the compiler's
// output for code that uses version 1 of a package, docent's answer for the version that this
// module uses, and the compiler's output for code according to that answer.
func TestPicture(t *testing.T) {
	failure := compile(t, "without.go.txt")
	if !strings.Contains(failure, "undefined: toml.LoadFile") {
		t.Fatalf("the compiler says %q", failure)
	}
	lines := []pictureLine{{"title", "Without docent: the agent knows go-toml 1, the project uses go-toml 2"}, {}}
	lines = append(lines, codeOf(t, "without.go.txt")...)
	lines = append(lines, pictureLine{}, pictureLine{"command", "$ go build"}, pictureLine{"wrong", failure}, pictureLine{})

	question := []string{"describe", "go", "github.com/pelletier/go-toml/v2", "Unmarshal"}
	answer := docent(append(question, "--offline")...)
	if answer.code != 0 || !strings.Contains(answer.out, "func Unmarshal(data []byte, v") {
		t.Fatalf("docent answers %+v", answer)
	}
	lines = append(lines, pictureLine{"title", "With docent: the agent asks first"}, pictureLine{}, pictureLine{"command", "$ docent " + strings.Join(question, " ")})
	for line := range strings.Lines(answer.out) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "```") {
			continue
		}
		if len(line) > 104 {
			cut := strings.LastIndexByte(line[:104], ' ')
			lines = append(lines, pictureLine{"output", line[:cut]})
			line = "  " + strings.TrimSpace(line[cut:])
		}
		lines = append(lines, pictureLine{"output", line})
	}
	lines = append(lines, pictureLine{})
	lines = append(lines, codeOf(t, "with.go.txt")...)
	lines = append(lines, pictureLine{}, pictureLine{"command", "$ go build"})
	if failure := compile(t, "with.go.txt"); failure != "" {
		t.Fatalf("the compiler says %q", failure)
	}
	lines = append(lines, pictureLine{"right", "(no errors)"})
	filetest.Golden(t, "../../docs/session.svg", picture(lines))
	if readme := readPage(t, "../../README.md"); !strings.Contains(readme, "](docs/session.svg)") {
		t.Error("README.md does not show the picture")
	}
}
