package prose

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestDeprecation(t *testing.T) {
	for _, tt := range []struct{ readme, want string }{
		{"# Deprecated!\nAs of Feb 11th 2020, it is fully deprecated. No new changes\nare expected.\n\n# Request\nText of it.\n", "Deprecated. As of Feb 11th 2020, it is fully deprecated. No new changes are expected."},
		{"# kiln\n\n**This project is no longer maintained.** Use oven.\n\n## Use\n\nText.\n", "This project is no longer maintained. Use oven."},
		{"# kiln\n\n> [!WARNING]\n> This package has been deprecated in favor of oven.\n\n## Use\n\nText.\n", "This package has been deprecated in favor of oven."},
		{"# kiln\n\n## ⚠️ Deprecation notice\n\nUse oven.\n\n## Use\n\nText.\n", "Deprecation notice. Use oven."},
		{"# kiln\n\nDEPRECATED: use oven.\n", "DEPRECATED: use oven."},
		{"# kiln\n\nFires clay. The function glaze is deprecated.\n\n## Deprecated\n\nglaze\n", ""},
		{"# kiln\n\nFires clay.\n\n## Status\n\nThis library is no longer maintained.\n", "This library is no longer maintained."},
		{"# kiln\n\nFires clay.\n\n## Use\n\nText.\n\n## This project is unmaintained\n\nText.\n", ""},
		{"# depcheck\n\nFinds deprecated packages, and says which package is deprecated.\n", ""},
		{"# Deprecated decorator\n\nMarks functions as deprecated.\n", ""},
	} {
		sections, _ := Read(t.Context(), fstest.MapFS{"README.md": {Data: []byte(tt.readme)}}, Layout{})
		if got := Deprecation(sections); strings.TrimLeft(got, "⚠️ ") != tt.want {
			t.Errorf("%q of\n%s\nwant %q", got, tt.readme, tt.want)
		}
	}
}

func FuzzDeprecation(f *testing.F) {
	f.Add("Deprecated!", "Use *oven*.")
	f.Add("kiln", "> [!WARNING]\n> This package is unmaintained.")
	f.Fuzz(func(t *testing.T, title, body string) {
		if got := Deprecation([]apidoc.Section{{ID: "readme/x", Title: title, Body: body}}); len(got) > len(title)+maxDeprecation+len(". …") || strings.Contains(got, "\n") && !strings.Contains(title, "\n") {
			t.Errorf("%q", got)
		}
	})
}
