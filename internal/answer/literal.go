package answer

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// A type alias on one line can contain the body of an object type, as in type A = { a: string; b?:
// number; } & B. The declaration then shows the members of the body, which are also members of the
// symbol.

// elided replaces a body whose members are listed below the declaration.
const elided = "{ … }"

// withoutLiterals returns the declaration of a type alias without the bodies whose members s
// declares. It keeps the bodies in unions, because they show which members belong together.
func (r *Renderer) withoutLiterals(d *apidoc.Decl, s *apidoc.Symbol) *apidoc.Decl {
	declaration := d.Child(-1, apidoc.DeclarationPart)
	typ := d.Child(declaration, apidoc.TypePart)
	if typ < 0 || declaration < 0 || !s.IsType() || s.NumMembers() == 0 || d.Parts[typ].Flags&apidoc.Computed != 0 || strings.Contains(d.Text, "\n") {
		return d
	}
	local := map[string]bool{}
	members := s.AllMembers()
	for i := range members {
		if members[i].From == "" {
			local[oneLine(members[i].Signature)] = true
		}
	}
	var edits []edit
	for body := range d.Within(typ, apidoc.BodyPart) {
		if d.Parts[body].Flags&apidoc.Alternative == 0 && d.Child(body, apidoc.MemberPart) >= 0 && allIn(d, body, local) {
			edits = append(edits, edit{d.Parts[body].Start + 1, d.Parts[body].End - 1, " … "})
		}
	}
	return replace(d, edits)
}

// maxShownBody is the maximum length in bytes of the body of an object type in a list with little
// room.
const maxShownBody = 1000

// maxShortBody is the maximum length, in bytes, of the body of an object type in a short list.
const maxShortBody = 100

// withoutBodies returns a declaration without the long bodies of object types.
func withoutBodies(d *apidoc.Decl) *apidoc.Decl {
	var edits []edit
	end := 0
	for i := range d.Parts {
		if p := &d.Parts[i]; p.Role == apidoc.BodyPart && p.Start >= end && p.End-p.Start > maxShortBody {
			edits = append(edits, edit{p.Start + 1, p.End - 1, " … "})
			end = p.End
		}
	}
	return replace(d, edits)
}

// allIn reports whether a set contains the texts of all members in a body.
func allIn(d *apidoc.Decl, body int, set map[string]bool) bool {
	for m := range d.Within(body, apidoc.MemberPart) {
		if !set[d.PartText(m)] {
			return false
		}
	}
	return true
}

// saysCalls reports whether the declaration of a value shows the ways to call it that its member m
// lists. An example is const f: { (a: string): void; (a: number): void; }.
func (r *Renderer) saysCalls(s, m *apidoc.Symbol) bool {
	return m.IsCallOfParent() && m.Deprecated == "" && !s.IsType() && (m.Doc == "" || strings.Contains(s.Doc, m.Doc)) && r.lists(r.parse(s), m)
}

// lists reports whether the declaration of a type on one line contains all declarations of one of
// its members.
func (r *Renderer) lists(d *apidoc.Decl, m *apidoc.Symbol) bool {
	typ := d.Child(d.Child(-1, apidoc.DeclarationPart), apidoc.TypePart)
	if typ < 0 || strings.Contains(d.Text, "\n") {
		return false
	}
	texts := map[string]bool{}
	for i := range d.Members(typ) {
		texts[d.PartText(i)] = true
	}
	each := r.parse(m)
	for i := range each.Within(-1, apidoc.DeclarationPart) {
		if !texts[oneLine(each.PartText(i))] {
			return false
		}
	}
	return len(each.Parts) > 0
}
