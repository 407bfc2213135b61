package openapi

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

const (
	maxName        = 64   // maximum length of a tool's name, because hosts and models refuse longer ones
	maxDescribed   = 1024 // maximum size in bytes of a tool's description
	maxDescribedIn = 300  // maximum size in bytes of a parameter's description
)

// toolOf returns the tool for an operation, without a schema. The tool's name is not in taken.
func toolOf(op operation, name func(Operation) string, taken map[string]bool) mcp.Tool {
	base := ""
	if name != nil {
		base = name(op.Operation)
	}
	base = cmp.Or(base, op.ID)
	if base == "" {
		base = strings.ToLower(op.Method) + "_" + op.Path
	}
	unique := cleanName(base, maxName)
	for n := 2; taken[unique]; n++ {
		suffix := fmt.Sprintf("_%d", n)
		unique = cleanName(base, maxName-len(suffix)) + suffix
	}
	description := op.Description
	if description == "" {
		description = op.Summary
	} else if op.Summary != "" && !strings.HasPrefix(description, op.Summary) {
		description = op.Summary + "\n\n" + description
	}
	description = cmp.Or(description, op.Method+" "+op.Path)
	yes, destructive := true, op.Method != http.MethodGet && op.Method != http.MethodPost
	return mcp.Tool{
		Name: unique, Title: clean(op.Summary, 128), Description: clean(description, maxDescribed),
		Annotations: &mcp.ToolAnnotations{
			ReadOnly: op.Safe(), Destructive: &destructive, OpenWorld: &yes,
			Idempotent: op.Method == http.MethodPut || op.Method == http.MethodDelete,
		},
	}
}

// cleanName returns name with only those characters that a tool's name may contain, and at most max
// of them.
func cleanName(name string, max int) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_':
			b.WriteByte(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	cleaned := b.String()
	if len(cleaned) > max {
		cleaned = cleaned[:max]
	}
	if cleaned = strings.Trim(cleaned, "_"); cleaned == "" {
		return "operation"
	}
	return cleaned
}

// clean returns text without control characters, shortened to at most max bytes.
func clean(text string, max int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1 // also remove bidirectional and invisible characters
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return clip(strings.TrimSpace(text), max)
}
