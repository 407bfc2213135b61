package rust

import (
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// license returns the licence that Cargo.toml declares, or else the text of the
// licence.
func (f *finder) license(ctx context.Context, l *located) ecosystem.License {
	read := func(name string) ([]byte, error) { return f.file(ctx, l, name) }
	if data, err := read("Cargo.toml"); err == nil {
		if m, err := cargo.ParseManifest(data, nil); err == nil && m.License != "" {
			// Old crates write MIT/Apache-2.0.
			return ecosystem.License{Expression: strings.ReplaceAll(m.License, "/", " OR "), From: "Cargo.toml"}
		}
	}
	return ecosystem.LicenseOf(read)
}
