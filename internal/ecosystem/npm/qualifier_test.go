package npm

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestDocumentationSaysWhatAPackageIsImportedAs(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"import Till from 'till'", []string{"Till"}},
		{"import * as T from \"till\";", []string{"T"}},
		{"import Till, { open } from 'till'", []string{"Till"}},
		{"import Till, * as all from 'till'", []string{"Till", "all"}},
		{"const till = require('till');\nvar t2 = require(\"till\")", []string{"till", "t2"}},
		{"import till = require('till');", []string{"till"}},
		{"const $till = await import('till')", []string{"$till"}},
		{"const open = require('till').open", nil},
		{"const open = require('till')('drawer')", nil},
		{"const { open } = require('till')", nil},
		{"import { open } from 'till'", nil},
		{"import type Till from 'till'", nil},
		{"import Till from 'tiller'", nil},
		{"import Till from 'till/drawer'", nil},
		{"import a from 'till'; import b from 'till'; import a from 'till'", []string{"a", "b"}},
	} {
		p := &apidoc.Package{Name: "till", Sections: []apidoc.Section{{Body: "Use it:\n\n```js\n" + tt.text + "\n```\n"}}}
		if addQualifiers(p); !slices.Equal(p.Qualifiers, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.text, p.Qualifiers, tt.want)
		}
	}
}

// FuzzQualifiers reads the imports in hostile text.
func FuzzQualifiers(f *testing.F) {
	f.Add("import Till, * as all from 'till'")
	f.Add("const till = require(\"till\")\nimport x = require('till');")
	f.Fuzz(func(t *testing.T, text string) {
		p := &apidoc.Package{Name: "till", Examples: []apidoc.Example{{Code: text}}}
		if addQualifiers(p); len(p.Qualifiers) > maxQualifiers || slices.Contains(p.Qualifiers, "") {
			t.Errorf("%q: %q", text, p.Qualifiers)
		}
	})
}
