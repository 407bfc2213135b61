package docstring

import (
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

func BenchmarkParse(b *testing.B) {
	text := "Send a request to :class:`~service.Server`.\n\nIt uses ``GET``; see `the docs <https://example.com>`_.\n\nArgs:\n    path (str, optional): Where to\n        send it.\n    params: What to send::\n\n            x = 1\n\nReturns:\n    Response: The response.\n\nExamples:\n    >>> get('/')\n    <Response 200>\n"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text)
	}
}

func BenchmarkMarkdown(b *testing.B) {
	text := strings.Repeat("Title\n=====\n\nIt is **so**, see :ref:`other <x>`::\n\n    x = 1\n\n* one\n* two\n\n.. note:: Take care of ``it``.\n\n=== ===\nA   B\n=== ===\n1   2\n=== ===\n\n", 50)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Markdown(text)
	}
}
