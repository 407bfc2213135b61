package elements

import (
	"cmp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// lister collects the members of one element.
type lister struct {
	tag        string
	out        *apidoc.Symbol
	seen       map[string]bool // names of the members with their kinds
	attributes map[string]bool // names of the properties that attributes set
	count      map[apidoc.Kind]int
	size       *int // approximate size in bytes of the documentation of all elements
}

// attributesOf lists the attributes that a class declares.
func (l *lister) attributesOf(d *declaration) {
	fields := map[string]*item{}
	for _, list := range [][]item{d.Properties, d.Members} {
		for i := range list {
			fields[list[i].Name] = &list[i]
		}
	}
	for i := range d.Attributes {
		a := d.Attributes[i]
		if f := fields[cmp.Or(a.FieldName, a.Name)]; f != nil { // Some analyzers describe only the property.
			a.Type, a.Default = cmp.Or(a.Type, f.Type), cmp.Or(a.Default, f.Default)
			a.Summary, a.Description = cmp.Or(a.Summary, f.Summary), cmp.Or(a.Description, f.Description)
			a.Deprecated = cmp.Or(a.Deprecated, f.Deprecated)
		}
		l.attribute(&a, a.Name, a.FieldName)
	}
	for _, list := range [][]item{d.Properties, d.Members} {
		for i := range list {
			if f := &list[i]; f.Attribute != "" && isField(f) {
				name := string(f.Attribute)
				if name == "true" {
					name = strings.ToLower(f.Name)
				}
				l.attribute(f, name, f.Name)
			}
		}
	}
}

// attribute lists an attribute and the property that it sets.
func (l *lister) attribute(a *item, name, property string) {
	if name = oneLine(name); name == "" || name == "false" {
		return
	}
	note := ""
	if property = oneLine(property); property != "" && property != name {
		note = "Property: `" + property + "`."
	}
	l.attributes[cmp.Or(property, name)] = true
	l.add(a, apidoc.HTMLAttribute, name, name+"?"+typeSuffix(a.Type, ""), note)
}

// membersOf lists everything except the attributes that a class declares.
func (l *lister) membersOf(d *declaration) {
	for i := range d.Events {
		l.add(&d.Events[i], apidoc.Event, d.Events[i].Name, oneLine(d.Events[i].Name)+typeSuffix(d.Events[i].Type, "Event"), "")
	}
	for i := range d.Slots {
		name := cmp.Or(oneLine(d.Slots[i].Name), "default")
		l.add(&d.Slots[i], apidoc.Slot, name, name, "")
	}
	for i := range d.CSSParts {
		l.add(&d.CSSParts[i], apidoc.CSSPart, d.CSSParts[i].Name, oneLine(d.CSSParts[i].Name), "")
	}
	for i := range d.CSSProperties {
		l.add(&d.CSSProperties[i], apidoc.CSSProperty, d.CSSProperties[i].Name, oneLine(d.CSSProperties[i].Name), "")
	}
	for i := range d.CSSStates {
		l.add(&d.CSSStates[i], apidoc.CSSState, d.CSSStates[i].Name, oneLine(d.CSSStates[i].Name), "")
	}
	for _, list := range [][]item{d.Properties, d.Members} {
		for i := range list {
			switch m := &list[i]; {
			case m.Kind == "method" && isPublic(m):
				l.add(m, apidoc.Method, m.Name, method(m), "")
			case isField(m) && !l.attributes[m.Name]:
				text := oneLine(m.Name) + typeSuffix(m.Type, "unknown")
				if m.ReadOnly {
					text = "readonly " + text
				}
				l.add(m, apidoc.Property, m.Name, text, "")
			}
		}
	}
}

// isField reports whether a member is a property that users can set or read.
func isField(m *item) bool { return m.Kind != "method" && isPublic(m) }

// isPublic reports whether a member belongs to the API of an element.
func isPublic(m *item) bool {
	return !m.Static && (m.Privacy == "" || m.Privacy == "public") && !strings.HasPrefix(m.Name, "_") && !strings.HasPrefix(m.Name, "#")
}

// add adds a member, unless a derived class has already declared it.
func (l *lister) add(m *item, kind apidoc.Kind, name, signature, note string) {
	name = oneLine(name)
	key := string(kind) + " " + name
	if name == "" || l.seen[key] || l.count[kind] >= maxMembers || *l.size >= maxSize {
		return
	}
	if l.count == nil {
		l.count = map[apidoc.Kind]int{}
	}
	l.seen[key] = true
	l.count[kind]++
	if v := oneLine(string(m.Default)); v != "" {
		note = strings.TrimLeft(note+" **Default:** `"+v+"`", " ")
	}
	doc := paragraphs(m.Summary, m.Description)
	if note != "" && doc != "" && !strings.Contains(doc, "\n") {
		doc += " " + note
	} else {
		doc = paragraphs(doc, note)
	}
	s := apidoc.Symbol{
		Path: l.tag + "." + name, Kind: kind, Signature: signature,
		Doc: doc, Deprecated: oneLine(string(m.Deprecated)),
	}
	*l.size += sizeOf(&s)
	l.out.Members = append(l.out.Members, s)
}

// typeSuffix returns a type as it follows a name. unknown replaces a type that is not specified.
func typeSuffix(t typeText, unknown string) string {
	if s := cmp.Or(oneLine(string(t)), unknown); s != "" {
		return ": " + s
	}
	return ""
}

// method returns the declaration of a method.
func method(m *item) string {
	var params []string
	for i := range m.Parameters[:min(len(m.Parameters), maxMembers)] {
		p := &m.Parameters[i]
		text := oneLine(p.Name)
		if p.Rest && !strings.HasPrefix(text, "...") {
			text = "..." + text
		}
		if p.Optional || p.Default != "" {
			text += "?"
		}
		params = append(params, text+typeSuffix(p.Type, ""))
	}
	return oneLine(m.Name) + "(" + strings.Join(params, ", ") + ")" + typeSuffix(m.Return.Type, "")
}
