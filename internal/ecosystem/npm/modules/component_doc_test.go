package modules

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestPropParameters(t *testing.T) {
	for _, tt := range []struct{ name, doc, want, prop string }{
		{"props without a comment", "Links.\n\n**Parameters:**\n\n- `props.to`: n/a\n- `props.size`: [modes: data] n/a\n\n*@category* A\n\nEnd.", "Links.\n\n*@category* A\n\nEnd.", ""},
		{"the comment on a prop", "**Parameters:**\n\n- `props.size`: How large.\n", "", "How large."},
		{"several lines", "Links.\n\n**Parameters:**\n\n- `props.size`: How large.\n  - `s`\n- `ref`: The element.\n  More.", "Links.\n\n**Parameters:**\n\n- `ref`: The element.\n  More.", "How large."},
		{"the object and another one", "**Parameters:**\n\n- `props`: All.\n- `options.depth`: Deep.", "**Parameters:**\n\n- `props`: All.\n- `options.depth`: Deep.", ""},
		{"a list of properties", "Links.\n\n**Properties:**\n\n- `to`\n- `size`: = \"md\"\n- `...rest`", "Links.\n\n**Properties:**\n\n- `...rest`", "**Default:** `\"md\"`"},
		{"no list", "Links `props.size`.", "Links `props.size`.", ""},
	} {
		out := apidoc.Symbol{Path: "Link", Doc: tt.doc, Members: []apidoc.Symbol{
			{Path: "Link.to", Kind: apidoc.Prop, Doc: "Where."}, {Path: "Link.size", Kind: apidoc.Prop}, {Path: "Link.depth", Kind: apidoc.Method},
		}}
		propParameters(&out)
		if out.Doc != tt.want || out.Members[0].Doc != "Where." || out.Members[1].Doc != tt.prop {
			t.Errorf("%s: got %q, the comment on the prop is %q", tt.name, out.Doc, out.Members[1].Doc)
		}
	}
}
