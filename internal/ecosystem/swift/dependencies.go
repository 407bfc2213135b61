package swift

import (
	"fmt"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/program"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// dependencies are the targets that the targets of a project's package can import.
type dependencies struct {
	root     *manifest.Manifest
	products map[string][]node                    // targets of products, by the names of the products in all packages
	modules  map[string]bool                      // names of modules
	complete bool                                 // whether all manifests could be read completely
	mu       sync.Mutex                           // protects reached
	reached  map[*manifest.Target]map[string]bool // the results of reachable
}

// node is a target of a package.
type node struct {
	in     *manifest.Manifest
	target *manifest.Target
}

func newDependencies(root *manifest.Manifest) *dependencies {
	return &dependencies{root: root, products: map[string][]node{}, modules: map[string]bool{}, reached: map[*manifest.Target]map[string]bool{}, complete: true}
}

// add adds the targets of a package.
func (d *dependencies) add(m *manifest.Manifest) {
	d.complete = d.complete && len(m.Warnings) == 0
	for i := range m.Targets {
		d.modules[c99(m.Targets[i].Name)] = true
	}
	for _, p := range m.Products {
		for _, name := range p.Targets {
			if t := m.Target(name); t != nil {
				d.products[p.Name] = append(d.products[p.Name], node{m, t})
			}
		}
	}
}

// undeclared returns the imports of modules of the project's packages on which a target of its own package does not
// depend, not even through other targets. It returns none if that is uncertain.
func (d *dependencies) undeclared(t *manifest.Target, imports []source.Import) (uses []program.Use) {
	d.mu.Lock()
	reached, ok := d.reached[t]
	if !ok {
		reached = d.reachable(t)
		d.reached[t] = reached
	}
	d.mu.Unlock()
	if reached == nil {
		return nil
	}
	for i := range imports {
		m := &imports[i]
		if d.complete && d.modules[m.Module] && !reached[m.Module] && len(m.Conditions) == 0 {
			uses = append(uses, program.Use{
				Start: m.Start, Text: m.Module, Module: m.Module, Fault: ecosystem.UndeclaredFault,
				Message: fmt.Sprintf("the target %s does not depend on %s", t.Name, m.Module),
			})
		}
	}
	return uses
}

// reachable returns the modules on which a target of the project's own package depends, directly or indirectly. It returns
// nil if that is uncertain.
func (d *dependencies) reachable(t *manifest.Target) map[string]bool {
	reached := map[string]bool{c99(t.Name): true}
	queue := []node{{d.root, t}}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		for _, dependency := range n.target.Dependencies {
			found := d.products[dependency.Name]
			if other := n.in.Target(dependency.Name); other != nil && dependency.Package == "" {
				found = []node{{n.in, other}}
			}
			if len(found) == 0 {
				return nil // a product of a package that is not on this machine
			}
			for _, other := range found {
				if name := c99(other.target.Name); !reached[name] {
					reached[name] = true
					queue = append(queue, other)
				}
			}
		}
	}
	return reached
}
