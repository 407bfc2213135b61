package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestAReadmeDoesNotRepeatTheDeclarations(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "again", Symbols: []apidoc.Symbol{
		{Path: "default", Kind: "function", Signature: "function again(input: () => void, options?: Options): void", Doc: "Calls the input until it does not throw.\n\n**Parameters:**\n\n- `input`: The function that is called."},
		{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options", Members: []apidoc.Symbol{
			{Path: "Options.retries", Kind: apidoc.Property, Signature: "retries?: number", Doc: "The maximum amount of times to retry the operation.\n\n**Default:** `10`"},
			{Path: "Options.wait", Kind: apidoc.Property, Signature: "wait?: number", Doc: "How long to wait."},
		}},
	}}
	for _, s := range []struct{ title, body string }{
		{"again(input, options?)", "Calls the input until it does not throw."},
		{"input", "Type: `Function`\n\nThe function that is called."},
		{"options.retries", "Type: `number`\\\nDefault: `10`\n\nThe maximum amount of times to retry the operation."},
		{"wait", "How long to `wait` between two calls, which grows by a factor of two each time."},
		{"Tip", "Call `again` once."},
	} {
		p.Sections = append(p.Sections, apidoc.Section{ID: "readme/" + s.title, Title: s.title, Level: 2, Body: s.body, File: "README.md"})
	}
	text := NewRenderer(p).Overview(nil, Options{Guide: guide}).Text
	for part, want := range map[string]int{
		"until it does not throw": 1, "The function that is called": 1, "maximum amount of times": 1,
		"How long to wait.": 1, "grows by a factor": 1, "Call `again` once": 1,
	} {
		if n := strings.Count(text, part); n != want {
			t.Errorf("%q is there %d times:\n%s", part, n, text)
		}
	}
}

func TestTheNameInATitle(t *testing.T) {
	for title, want := range map[string]string{
		"pRetry(input, options?)": "pRetry", "`queue.add(fn)`": "add", "new PQueue(options?)": "PQueue", ".onIdle()": "onIdle", "retries": "retries",
		"How to use it": "How to use it", "": "", "a.": "", strings.Repeat("a", 200): "",
	} {
		if got := titleName(title); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}
