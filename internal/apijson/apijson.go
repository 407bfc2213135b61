// Package apijson is the documentation of packages as JSON: the model with what each
// declaration says as data. docs/json.md describes it.
package apijson

import "github.com/docent-mcp/docent/internal/apidoc"

// Version is the version of the format. It is raised when a field changes its meaning or
// is removed.
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
	// Role is what the symbol is, whatever its language calls it; empty if that is
	// unknown.
	Role string `json:"role,omitempty"`
	// Declarations are those that Signature has, in order; empty if the text is not
	// understood.
	Declarations []Declaration `json:"declarations,omitempty"`
	Members      []Symbol      `json:"members,omitempty"`
}

// NewPackage returns a package with all its symbols and their members.
func NewPackage(p *apidoc.Package) *Package {
	r := apidoc.NewResolver(p)
	return &Package{
		SchemaVersion: Version, Package: *p,
		Symbols: symbols(r, p, p.Symbols), Elsewhere: symbols(r, p, p.Elsewhere), Internal: symbols(r, p, p.Internal),
	}
}

// NewSymbol returns a symbol of p with its members.
func NewSymbol(p *apidoc.Package, s *apidoc.Symbol) *Symbol {
	one := symbol(apidoc.NewResolver(p), p, s)
	return &one
}

func symbols(r *apidoc.Resolver, p *apidoc.Package, list []apidoc.Symbol) []Symbol {
	if list == nil {
		return nil
	}
	all := make([]Symbol, len(list))
	for i := range list {
		all[i] = symbol(r, p, &list[i])
	}
	return all
}

func symbol(r *apidoc.Resolver, p *apidoc.Package, s *apidoc.Symbol) Symbol {
	return Symbol{
		Symbol: *s, Role: p.Role(s).String(), Declarations: Declarations(r.Decl(s)), Members: symbols(r, p, s.AllMembers()),
	}
}
