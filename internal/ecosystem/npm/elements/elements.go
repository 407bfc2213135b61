// Package elements reads the manifests that describe the custom elements of a package
// (custom-elements.json): their attributes, properties, methods, events and slots, and the parts,
// custom properties and states that style sheets can refer to.
package elements

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

const (
	maxElements = 2000     // maximum number of elements that are read
	maxMembers  = 400      // maximum number of members of each kind that are read for one element
	maxBases    = 20       // maximum number of classes and mixins whose members an element inherits
	maxText     = 4000     // maximum size in bytes of the text of a type or a default value
	maxSize     = 64 << 20 // maximum size in bytes of the documentation of all elements, including members that they inherit
)

// Element is a custom element.
type Element struct {
	// Symbol is the documentation of the element. Its path is the element's tag.
	Symbol apidoc.Symbol
	// Class is the name of the class that implements the element, and Module the path of the module that
	// declares it, in the package.
	Class, Module string
}

// Read reads a manifest. If it describes an element more than once, only the first description is
// used.
func Read(data []byte) ([]Element, error) {
	m, err := parse(data)
	if err != nil {
		return nil, err
	}
	r := reader{first: map[string]place{}, byModule: map[reference]place{}, tags: map[string]bool{}}
	tags := map[place]string{}
	for i := range m.Modules {
		for k := range m.Modules[i].Declarations {
			r.index(place{&m.Modules[i], k})
		}
	}
	for i := range m.Modules {
		for _, e := range m.Modules[i].Exports {
			if e.Kind != "custom-element-definition" {
				continue
			}
			if p, ok := r.find(e.Declaration, &m.Modules[i]); ok {
				tags[p] = e.Name
			}
		}
	}
	for i := range m.Modules {
		for k := range m.Modules[i].Declarations {
			p := place{&m.Modules[i], k}
			r.add(cmp.Or(p.declaration().TagName, tags[p]), p)
		}
	}
	if len(m.Tags) > 0 {
		old := &module{Declarations: m.Tags}
		for k := range m.Tags {
			r.add(m.Tags[k].Name, place{old, k})
		}
	}
	return r.all, nil
}

// place is a declaration in a manifest.
type place struct {
	module *module
	index  int
}

func (p place) declaration() *declaration { return &p.module.Declarations[p.index] }

type reader struct {
	first    map[string]place    // the first declaration of each name
	byModule map[reference]place // the first declaration of each name in each module
	tags     map[string]bool     // tags of the elements in all
	all      []Element
	size     int // approximate size in bytes of all
}

// index adds a declaration to those that find returns.
func (r *reader) index(p place) {
	name := p.declaration().Name
	if _, ok := r.first[name]; !ok {
		r.first[name] = p
	}
	ref := reference{Name: name, Module: modulePath(p.module.Path)}
	if _, ok := r.byModule[ref]; !ok {
		r.byModule[ref] = p
	}
}

// find returns the declaration to which a reference in a module leads. It prefers a declaration in
// the module that the reference names, and then one in the module itself. If the reference names a package,
// which is usually another one, the declaration must be in the module that the reference names.
func (r *reader) find(ref reference, from *module) (place, bool) {
	if p, ok := r.byModule[reference{Name: ref.Name, Module: modulePath(ref.Module)}]; ok && ref.Module != "" {
		return p, true
	}
	if ref.Package != "" {
		return place{}, false
	}
	if p, ok := r.byModule[reference{Name: ref.Name, Module: modulePath(from.Path)}]; ok {
		return p, true
	}
	p, ok := r.first[ref.Name]
	return p, ok
}

// modulePath returns the path of a module without the slash at the beginning that some manifests have.
func modulePath(path string) string { return strings.TrimPrefix(path, "/") }

// add adds the element with a tag. It does nothing if the tag is not that of a custom element, or
// is already there.
func (r *reader) add(tag string, p place) {
	tag = oneLine(tag)
	if !strings.Contains(tag, "-") || strings.ContainsAny(tag, " <>.") || len(r.all) >= maxElements || r.tags[tag] {
		return
	}
	r.tags[tag] = true
	d := p.declaration()
	e := Element{Module: modulePath(p.module.Path)}
	if p.module.Path != "" {
		e.Class = oneLine(d.Name)
	}
	e.Symbol = apidoc.Symbol{
		Path: tag, Kind: apidoc.CustomElement, Signature: "<" + tag + ">",
		Doc: paragraphs(d.Summary, d.Description), Deprecated: oneLine(string(d.Deprecated)),
	}
	r.size += sizeOf(&e.Symbol)
	l := lister{tag: tag, out: &e.Symbol, size: &r.size, seen: map[string]bool{}, attributes: map[string]bool{}}
	bases := r.bases(p)
	for _, b := range bases {
		l.attributesOf(b.declaration())
	}
	for _, b := range bases {
		l.membersOf(b.declaration())
	}
	r.all = append(r.all, e)
}

// bases returns a declaration, its mixins, and its superclasses with theirs.
func (r *reader) bases(p place) (all []place) {
	queue := []place{p}
	for len(queue) > 0 && len(all) < maxBases {
		p, queue = queue[0], queue[1:]
		if slices.Contains(all, p) {
			continue
		}
		all = append(all, p)
		d := p.declaration()
		for _, ref := range append(slices.Clone(d.Mixins[:min(len(d.Mixins), maxBases)]), d.Superclass) {
			if base, ok := r.find(ref, p.module); ok && ref.Name != "" {
				queue = append(queue, base)
			}
		}
	}
	return all
}

// sizeOf returns the approximate size of a symbol in bytes.
func sizeOf(s *apidoc.Symbol) int {
	const fields = 512 // the fields themselves
	return fields + len(s.Path) + len(s.Signature) + len(s.Doc) + len(s.Deprecated)
}

// paragraphs joins texts that are not empty and do not repeat each other.
func paragraphs(all ...string) string {
	var out []string
	for _, s := range all {
		if s = strings.TrimSpace(markup.Clean(s)); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n\n")
}

// oneLine returns text without hidden characters on one line. It returns "" if the text is too long.
func oneLine(s string) string {
	if len(s) > maxText {
		return ""
	}
	return strings.Join(strings.Fields(markup.Clean(s)), " ")
}
