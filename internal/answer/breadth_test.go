package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// heaps returns a package with a client that has the given number of operations. Each has an
// input with three fields and refuses a call with an error of its own.
func heaps(operations int) *apidoc.Package {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go", Imports: true}, Name: "example.com/service", Version: "v1.0.0"}
	client := apidoc.Symbol{Path: "Client", Kind: apidoc.Type, Signature: "type Client struct {\n\t// Has unexported fields.\n}", Doc: "Client calls the service."}
	for i := range operations {
		op, in := fmt.Sprintf("Move%dHeap", i), fmt.Sprintf("Move%dInput", i)
		client.Members = append(client.Members, apidoc.Symbol{
			Path: "Client." + op, Kind: apidoc.Method, Signature: "func (c *Client) " + op + "(in *" + in + ") error",
			Doc: op + " moves heap " + fmt.Sprint(i) + ". Calls are signed.\n\n" + strings.Repeat("Calls are counted, too. ", 8) + "It fails with ErrBusy" + fmt.Sprint(i) + " if somebody else moves it.",
		})
		p.Symbols = append(p.Symbols, apidoc.Symbol{
			Path: in, Kind: apidoc.Type, Doc: in + " is the input.",
			Signature: "type " + in + " struct {\n\t// ID names the heap of operation " + fmt.Sprint(i) + ".\n\tID string\n\t// Place is where it goes.\n\tPlace string\n\t// Quiet sends no notice.\n\tQuiet bool\n}",
			Members: []apidoc.Symbol{
				{Path: in + ".ID", Kind: apidoc.Field, Signature: "ID string", Doc: "ID names the heap of operation " + fmt.Sprint(i) + "."},
				{Path: in + ".Place", Kind: apidoc.Field, Signature: "Place string", Doc: "Place is where it goes."},
				{Path: in + ".Quiet", Kind: apidoc.Field, Signature: "Quiet bool", Doc: "Quiet sends no notice."},
			},
		})
	}
	p.Symbols = append(p.Symbols, client)
	return p
}

func TestOperations_SomeAreShownWithErrorsAndInputs(t *testing.T) {
	text := describe(t, heaps(12), Options{Guide: guide}, "Client.Move*").Text
	for i := range 12 {
		for _, want := range []string{fmt.Sprintf("It fails with ErrBusy%d", i), fmt.Sprintf("// ID names the heap of operation %d.\n\tID string", i)} {
			if !strings.Contains(text, want) {
				t.Errorf("operation %d lacks %q", i, want)
			}
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestOperations_ManyAreListedWithTheirInputs(t *testing.T) {
	o := Options{Guide: guide}
	for _, tt := range []struct {
		operations     int
		fields, remark string
	}{
		{40, "ID string (ID names the heap of operation %[1]d), Place string (Place is where it goes), Quiet bool (Quiet sends no notice)", shortenedFields + " To"},
		{90, "ID string, Place string, Quiet bool", shortenedComments},
	} {
		text := describe(t, heaps(tt.operations), o, "Client.Move*").Text
		for i := range tt.operations {
			for _, want := range []string{
				"// Move%[1]dHeap moves heap %[1]d. …\nfunc (c *Client) Move%[1]dHeap(in *Move%[1]dInput) error\n", "// Move%[1]dInput: " + tt.fields + "\n",
			} {
				if want = strings.ReplaceAll(want, "%[1]d", fmt.Sprint(i)); !strings.Contains(text, want) {
					t.Errorf("the list of %d lacks %q", tt.operations, want)
				}
			}
		}
		if !strings.Contains(text, tt.remark) || !strings.Contains(text, "Client.Move0Heap, or about ten at once") || len(text) > o.limit()/2+500 {
			t.Errorf("%d operations, %d bytes:\n%s", tt.operations, len(text), text)
		}
	}
}

func TestOperations_TooManyAreNamed(t *testing.T) {
	o := Options{Guide: guide, MaxTokens: 2000}
	text := describe(t, heaps(300), o, "Client.Move*").Text
	if !strings.Contains(text, "func (c *Client) Move0Heap(in *Move0Input) error") || !strings.Contains(text, "Not listed: *Heap (") || len(text) > o.limit() {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
}
