// Package apijson represents the documentation of packages as JSON. It adds the contents of each
// declaration as data to the model of package apidoc. docs/json.md describes the format.
package apijson

import (
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/naming"
)

// Version is the version of the format. It is incremented when a field changes its meaning or is
// removed.
const Version = 1

// Package is a package with all its symbols.
type Package struct {
	SchemaVersion int `json:"schemaVersion"`
	apidoc.Package
	Symbols   []Symbol `json:"symbols"`
	Elsewhere []Symbol `json:"elsewhere,omitempty"`
	Internal  []Symbol `json:"internal,omitempty"`
}

// Symbol is a symbol with its declarations as data.
type Symbol struct {
	apidoc.Symbol
	// Role is the symbol's role, independent of the language's own term. It is empty if that is
	// unknown.
	Role string `json:"role,omitempty"`
	// Declarations are the declarations in Signature, in order. It is empty if the text is not
	// understood.
	Declarations []Declaration `json:"declarations,omitempty"`
	Members      []Symbol      `json:"members,omitempty"`
}

// NewPackage returns a package with all its symbols and their members.
func NewPackage(p *apidoc.Package) *Package {
	r := naming.NewResolver(p)
	return &Package{
		SchemaVersion: Version, Package: *p,
		Symbols: symbols(r, p, p.Symbols), Elsewhere: symbols(r, p, p.Elsewhere), Internal: symbols(r, p, p.Internal),
	}
}

// PackageSymbol is a symbol with the data that identifies its package.
type PackageSymbol struct {
	SchemaVersion int               `json:"schemaVersion"`
	Ecosystem     apidoc.Ecosystem  `json:"ecosystem"`
	Package       string            `json:"package"`
	Module        string            `json:"module,omitempty"`
	Version       string            `json:"version,omitempty"`
	Platform      string            `json:"platform,omitempty"`
	Provenance    apidoc.Provenance `json:"provenance"`
	// Notice states where the symbol is, if it was not found at the requested place.
	Notice string `json:"notice,omitempty"`
	// Warnings contains [ecosystem.Incomplete] if the package was read only in part. Other warnings
	// are omitted, because they are not about the symbol.
	Warnings []string `json:"warnings,omitempty"`
	Symbol   Symbol   `json:"symbol"`
	// Namesakes are other symbols at the same path, such as a static member with the same name as
	// an instance member.
	Namesakes []Symbol `json:"namesakes,omitempty"`
	// Group is the declaration group of the symbol.
	Group *apidoc.Group `json:"group,omitempty"`
}

// NewPackageSymbol returns a symbol of p with its members and namesakes.
func NewPackageSymbol(p *apidoc.Package, s *apidoc.Symbol, notice string) *PackageSymbol {
	r := naming.NewResolver(p)
	out := &PackageSymbol{
		SchemaVersion: Version, Ecosystem: p.Ecosystem, Package: p.Name, Module: p.Module, Version: p.Version,
		Platform: p.Platform, Provenance: p.Provenance, Notice: notice, Symbol: symbol(r, p, s),
	}
	if slices.Contains(p.Warnings, ecosystem.Incomplete) {
		out.Warnings = []string{ecosystem.Incomplete}
	}
	for _, other := range p.Namesakes(s) {
		out.Namesakes = append(out.Namesakes, symbol(r, p, other))
	}
	if s.Group > 0 && s.Group <= len(p.Groups) {
		out.Group = &p.Groups[s.Group-1]
	}
	return out
}

func symbols(r *naming.Resolver, p *apidoc.Package, list []apidoc.Symbol) []Symbol {
	if list == nil {
		return nil
	}
	all := make([]Symbol, len(list))
	for i := range list {
		all[i] = symbol(r, p, &list[i])
	}
	return all
}

func symbol(r *naming.Resolver, p *apidoc.Package, s *apidoc.Symbol) Symbol {
	return Symbol{
		Symbol: *s, Role: s.Role().String(), Declarations: Declarations(r.Decl(s)), Members: symbols(r, p, s.AllMembers()),
	}
}
