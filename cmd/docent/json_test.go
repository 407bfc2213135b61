package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/docent-mcp/docent/internal/markup"
)

func TestEncode_EscapesHiddenCharacters(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "a <b> & \"c\" é 漢 😀\n", `"a <b> & \"c\" é 漢 😀\n"`},
		{"C0 and DEL", "\x1b[31m\x7f", `"\u001b[31m\u007f"`},
		{"C1", "\u009b31m\u0085", `"\u009b31m\u0085"`},
		{"bidirectional", "a\u202eb\u2066", `"a\u202eb\u2066"`},
		{"zero width", "a\u200bb\ufeff", `"a\u200bb\ufeff"`},
		{"tags", "a\U000e0041", `"a\udb40\udc41"`},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		if err := encode(&b, tt.text); err != nil || b.String() != tt.want+"\n" {
			t.Errorf("%s: got %s, %v; want %s", tt.name, b.String(), err, tt.want)
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != tt.text {
			t.Errorf("%s: %q came back as %q, %v", tt.name, tt.text, back, err)
		}
	}
	var b bytes.Buffer
	var back string
	if err := encode(&b, "a\x9bb"); err != nil || json.Unmarshal(b.Bytes(), &back) != nil || back != "a\ufffdb" {
		t.Errorf("invalid UTF-8: %q, %v", b.String(), err) // Go releases write U+FFFD differently
	}
	b.Reset()
	if err := encode(&b, json.RawMessage("\"a\u202e\x9b\"")); err != nil || markup.Clean(b.String()) != b.String() {
		t.Errorf("raw JSON: %q, %v", b.String(), err)
	}
}
