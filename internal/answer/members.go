package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// This file writes the members of a symbol and the declarations that belong to it, each with as
// many details as the room allows.

// memberDepths contains the depths at which the members of a requested symbol can be shown, from
// least to most detailed.
var memberDepths = []depth{
	{docs: none, members: none, comments: none},
	inBrief,
	{docs: brief, members: bare, comments: brief},
	{docs: whole, members: whole, comments: whole},
}

// memberDepthsOfSeveral replaces memberDepths in an answer about several symbols.
var memberDepthsOfSeveral = append(slices.Clone(memberDepths[:len(memberDepths)-1]), depth{docs: whole, members: bare, comments: whole})

// inBrief is the depth at which members show just enough for readers to decide whether they need
// more.
var inBrief = depth{docs: clause, members: bare, comments: clause}

// unit is a part of a list that is shown at one depth. It is a single declaration, or all
// declarations that are inherited from one type.
type unit struct {
	decls  []decl
	depths []depth // depths from least to most detailed
	index  int     // index in depths
	length int     // size in bytes at the current depth
	inside bool    // whether the declarations are indented
}

// memberList is a list of declarations with a title.
type memberList struct {
	title string
	from  string // the type that declares them if they are inherited
	home  string // the type that declares them, whose name the declarations may omit
	decls []decl
	units []unit
	names string // names that are shown if there is no room for the declarations
	above bool   // whether the answer has already shown the list
	dense bool   // whether to omit empty lines
	// inside is true if the list is within the declaration of its type.
	inside bool
}

const (
	// declaredTitle is the title of the list of members that a type declares itself.
	declaredTitle = "Members:"
	// implsTitle is the title of the implementations of a trait, or of the traits that a type
	// implements. There can be many of them, which would take the room for members.
	implsTitle = "Implementations:"
	// maxImplNames is the maximum size in bytes of the names of implementations if there is only
	// room for names.
	maxImplNames = 400
)

// componentTitles contains the titles of the lists of members of a user interface component, in
// their order.
var componentTitles = [...]string{
	apidoc.InputRole: "Props:", apidoc.EventRole: "Events:", apidoc.SlotRole: "Slots:", apidoc.ExposedRole: "Exposed to a ref:", apidoc.SubcomponentRole: "Parts:",
	apidoc.AttributeRole: "Attributes:", apidoc.StylePartRole: "Parts for style sheets:", apidoc.StyleValueRole: "Custom properties for style sheets:", apidoc.StateRole: "States for style sheets:",
}

// isComponent reports whether a symbol is a component of a user interface.
func isComponent(s *apidoc.Symbol) bool {
	members := s.AllMembers()
	return s.Unlisted != "" || slices.ContainsFunc(members, func(m apidoc.Symbol) bool { return m.ComponentRole() != 0 })
}

// componentRole returns the role of a member in the component or the namespace of components to which it belongs.
func componentRole(m *apidoc.Symbol) apidoc.ComponentRole {
	if role := m.ComponentRole(); role != 0 || m.Role() != apidoc.ValueRole && m.Role() != apidoc.CallableRole || !isComponent(m) {
		return role
	}
	return apidoc.SubcomponentRole
}

func (list *memberList) setInside() {
	list.inside = true
	for i := range list.units {
		list.units[i].inside = true
	}
}

// manyProps is the number of inherited props of a component above which they are listed like the members
// of a base class.
const manyProps = 60

// commonProps returns the types from which a component inherits very many props, such as those for every
// style, which would take the room for its other props.
func commonProps(members []decl) map[string]bool {
	count, common := map[string]int{}, map[string]bool{}
	for _, m := range members {
		if s := m.first(); s.ComponentRole() == apidoc.InputRole && s.From != "" {
			if count[s.From]++; count[s.From] > manyProps {
				common[s.From] = true
			}
		}
	}
	return common
}

// listsOf sorts members and related declarations into lists. Members that come from home, the path
// of the symbol itself, are treated as declared. Declared members come before implementations, and
// implementations before inherited members.
func listsOf(home string, members, with []decl, depths []depth) []memberList {
	var declared, impls []decl
	var bases []string
	inherited := map[string][]decl{}
	ofComponent := make([][]decl, len(componentTitles))
	common := commonProps(members)
	for _, m := range members {
		if i := componentRole(m.first()); i != 0 && !common[m.first().From] {
			ofComponent[i] = append(ofComponent[i], m)
			continue
		}
		from := m.first().From
		if from == "" || from == home {
			if m.first().IsImplementation() {
				impls = append(impls, m)
			} else {
				declared = append(declared, m)
			}
			continue
		}
		if inherited[from] == nil {
			bases = append(bases, from)
		}
		inherited[from] = append(inherited[from], m)
	}
	each := func(decls []decl) (units []unit) {
		for i := range decls {
			units = append(units, unit{decls: decls[i : i+1], depths: depths})
		}
		return units
	}
	lists := []memberList{
		{title: "Goes with it:", home: home, decls: with, units: each(with)},
	}
	for i, decls := range ofComponent {
		lists = append(lists, memberList{title: componentTitles[i], home: home, decls: decls, units: each(decls), dense: true})
	}
	lists = append(lists,
		memberList{title: declaredTitle, home: home, decls: declared, units: each(declared), dense: true},
		memberList{title: implsTitle, home: home, decls: impls, units: each(impls), dense: true})
	if len(declared)+len(impls) > 0 {
		depths = depths[:min(len(depths), len(memberDepths)-1)]
	}
	for _, from := range bases {
		all := inherited[from]
		lists = append(lists, memberList{
			title: "Inherited from " + oneLine(from) + ":", from: from, home: from, decls: all, units: []unit{{decls: all, depths: depths}}, dense: true,
		})
	}
	return slices.DeleteFunc(lists, func(l memberList) bool { return len(l.decls) == 0 })
}

// members writes the members of a symbol and related declarations, each at the greatest depth for
// which there is room. All of them get a declaration before any gets a comment, and all get the
// beginning of their comments before any gets more. Members that the symbol itself declares are put
// into its declaration if that was written last. Inherited members are listed only by name if the
// other members are, or if s is one of several symbols and they come from outside the package.
func (r *Renderer) members(w *writer, s *apidoc.Symbol, members, with []decl, depths []depth, room int, several bool, shown shownSet) {
	lists := listsOf(s.From, members, with, depths)
	if r.canHold(s) && w.joins && w.open != "" && len(lists) > 0 && lists[0].title == declaredTitle {
		lists[0].setInside()
	}
	var units []*unit
	cut := false // whether there was only room for names
	for i := range lists {
		list := &lists[i]
		if list.from != "" && (cut || several && r.types().byPath[list.from] == nil) {
			list.units, list.names = nil, list.nameAll(room)
			if list.above = shown.paragraphs[list.title]; !list.above {
				room -= len(list.title) + len(list.names)
			}
			continue
		}
		if r.listedAbove(list, shown) {
			continue
		}
		if list.from != "" && len(lists) > 1 && r.types().byPath[list.from] == nil {
			list.units[0].depths = list.units[0].depths[:1] // the documentation belongs to another package
		}
		limit := room
		if i == 0 && len(with) > 0 && len(members) > 0 {
			limit = max(room/2, room-r.length(members, depths[0], room))
		}
		if list.title == implsTitle && i > 0 {
			limit = min(limit, room/2)
		}
		room -= r.fit(s, list, limit)
		cut = cut || list.names != "" && list.title != implsTitle
		for k := range list.units {
			units = append(units, &list.units[k])
		}
	}
	r.deepen(units, room)

	var above []string // types whose members are already in the answer
	for i := range lists {
		list := &lists[i]
		switch {
		case list.above:
			above = append(above, oneLine(list.from))
		case list.names != "":
			if len(list.units) > 0 {
				w.titledCode(list.title, fence(r.pkg), r.text(list))
				shown.add(list.decls[0].first())
			}
			title := list.title
			if title == declaredTitle && len(list.units) > 0 {
				title = "More members:"
			}
			w.block(title + " " + list.names)
			shown.paragraphs[list.title] = shown.paragraphs[list.title] || list.units == nil && list.from != ""
			continue
		case list.inside:
			w.inside(shown.fieldsOnce(r.text(list), comment(r.pkg)), r.pkg.Style.Indented)
		default:
			text := r.text(list)
			if several && list.title == declaredTitle {
				text = shown.sameList(s, text, comment(r.pkg))
			}
			w.titledCode(list.title, fence(r.pkg), text)
			if list.from != "" {
				shown.paragraphs[list.title] = true
				shown.paragraphs[list.title+"\n"+text] = true
			}
		}
		for _, d := range list.decls {
			for k := range d.symbols {
				shown.add(&d.symbols[k])
				if from := r.types().byPath[d.symbols[k].From]; from != nil {
					shown.add(from) // from declares the listed members
				}
			}
		}
	}
	declares := func(base string) bool { return strings.Contains(s.Signature, base) }
	if len(above) > 0 && (!several || !slices.ContainsFunc(above, declares)) {
		w.block("Inherited from " + strings.Join(above, ", ") + ": as above.")
	}
}

// canHold reports whether the declaration of a type ends in such a way that its members can be
// written within it.
func (r *Renderer) canHold(t *apidoc.Symbol) bool {
	if !r.pkg.Style.Nested || !t.IsType() || t.AlsoType || len(r.pkg.Namesakes(t)) > 0 {
		return false
	}
	d := r.parse(t)
	declaration := d.Child(-1, apidoc.DeclarationPart)
	if declaration < 0 {
		return false
	}
	for i := range d.Within(declaration, 0) {
		switch d.Parts[i].Role {
		case apidoc.TypePart, apidoc.ValuePart, apidoc.DefaultPart, apidoc.MemberPart, apidoc.CommentPart:
			return false
		}
	}
	return true
}

// listedAbove reports whether the answer has already listed the same inherited members. It stores
// the result in list.
func (r *Renderer) listedAbove(list *memberList, shown shownSet) bool {
	if list.from == "" || !shown.paragraphs[list.title] {
		return false
	}
	u := &list.units[0]
	for u.index = range u.depths {
		if list.above = shown.paragraphs[list.title+"\n"+r.text(list)]; list.above {
			list.units = nil
			return true
		}
	}
	u.index = 0
	return false
}

// fit gives each unit of a list its least depth. If that takes more than limit bytes, it keeps only
// the names in the list. It returns the size of the list in bytes.
func (r *Renderer) fit(s *apidoc.Symbol, list *memberList, limit int) int {
	total := len(list.title)
	if !list.dense {
		total += len(list.units) // count the empty lines
	}
	for i := range list.units {
		u := &list.units[i]
		u.length = r.unitLength(u, 0, max(limit, 0)+1)
		if total += u.length; total <= limit {
			continue
		}
		// Callers always need the constructor, and implementers of a trait always need the required
		// members.
		count, length := 0, 0
		for ; count < len(list.units) && list.from == "" && r.isNeeded(s, list.decls[count].first(), count); count++ {
			u := &list.units[count]
			u.length = r.unitLength(u, 0, max(limit, 0)+1)
			if length+u.length >= limit*2/3 {
				break
			}
			length += u.length
		}
		limit -= length
		var names []string
		for _, d := range list.decls[count:] {
			for k := range d.symbols {
				names = append(names, oneLine(d.symbols[k].Name()))
			}
		}
		list.units = list.units[:count]
		if len(names) == 0 {
			return len(list.title) + length
		}
		namesLimit := 1500
		if list.title == implsTitle {
			namesLimit = maxImplNames
		}
		if list.names = (nameGroup{names: names}).summary(min(max(limit-len(list.title), 0), namesLimit)); list.names == "…" {
			list.names = fmt.Sprintf("%d …", len(names))
		}
		return len(list.title) + len(list.names) + length
	}
	return total
}

// isNeeded reports whether readers need the declaration of a member of a type even if not all
// members fit. They need a constructor and the members that types that implement a trait must
// declare.
func (r *Renderer) isNeeded(t, m *apidoc.Symbol, i int) bool {
	return i == 0 && m.Role() == apidoc.ConstructorRole || r.requires(t, m)
}

// requires reports whether types that implement a trait must declare one of its members.
func (r *Renderer) requires(t, m *apidoc.Symbol) bool {
	return t.IsTrait() && m.Role() != apidoc.ModuleRole && r.pkg.Flags(m)&apidoc.Provided == 0
}

// nameAll returns the names of the members of a list in about limit bytes, including the title.
func (list *memberList) nameAll(limit int) string {
	var names []string
	for _, d := range list.decls {
		for k := range d.symbols {
			names = append(names, oneLine(d.symbols[k].Name()))
		}
	}
	text := nameGroup{names: names}.summary(min(max(limit-len(list.title), 0), 1500))
	if text == "…" {
		return fmt.Sprintf("%d …", len(names))
	}
	return text
}

// deepen raises the depths of units as far as room additional bytes allow. If all units fit at
// their greatest depth, it uses that depth. Otherwise, it raises all units by one step, beginning
// with those that need the fewest bytes, and then by the next step.
func (r *Renderer) deepen(units []*unit, room int) {
	if room <= 0 || r.deepenAll(units, room) {
		return
	}
	type step struct {
		unit         *unit
		length, more int
	}
	var steps []step
	for d := 1; d < len(memberDepths); d++ {
		steps = steps[:0]
		for _, u := range units {
			if d >= len(u.depths) || u.depths[d].docs == whole && u.docBytes() > u.length+room {
				continue
			}
			length := r.unitLength(u, d, u.length+room+1)
			steps = append(steps, step{u, length, length - u.length})
		}
		slices.SortStableFunc(steps, func(a, b step) int { return a.more - b.more })
		for i, s := range steps {
			if s.more > room {
				if i == 0 {
					return
				}
				break
			}
			room -= s.more
			s.unit.index, s.unit.length = d, s.length
		}
	}
}

// deepenAll raises the depths of all units to the greatest depth. It returns false if that would
// take more than room additional bytes.
func (r *Renderer) deepenAll(units []*unit, room int) bool {
	minimum := 0
	for _, u := range units {
		room += u.length
		if u.depths[len(u.depths)-1].docs == whole {
			minimum += u.docBytes()
		}
	}
	if minimum > room {
		return false
	}
	for _, u := range units {
		if room -= r.unitLength(u, len(u.depths)-1, room+1); room < 0 {
			return false
		}
	}
	for _, u := range units {
		u.index = len(u.depths) - 1
	}
	return true
}

// docBytes returns the approximate minimum size of the comments of a unit, in bytes.
func (u *unit) docBytes() (n int) {
	for i := range u.decls {
		n += len(u.decls[i].doc()) / 2 // markup can be up to half of the text
	}
	return n
}

// text returns the declarations of a list.
func (r *Renderer) text(list *memberList) string {
	l := lister{r: r, dense: list.dense, from: list.home, inside: list.inside}
	for i := range list.units {
		u := &list.units[i]
		if from := u.decls[0].first().From; from != l.from {
			if l.from = list.home; from != list.home && from != "" && isRun(list.units[i:], from) {
				l.from = from
				l.lines("", comment(r.pkg), "from "+oneLine(from)+":") // replaces a remark on each member
			}
		}
		l.list(u.decls, u.depths[u.index])
	}
	return l.b.String()
}

// fewInRun is the maximum number of members from one type that are marked individually.
const fewInRun = 2

// isRun reports whether a list begins with several members of a component that come from one type, and that
// are followed by members from another type, if any.
func isRun(units []unit, from string) bool {
	for i := range units {
		m := units[i].decls[0].first()
		if m.ComponentRole() == 0 || len(units[i].decls) > 1 {
			return false
		}
		if m.From != from {
			return i > fewInRun && m.From != ""
		}
	}
	return len(units) > fewInRun
}

// unitLength returns the length of a unit at one of its depths.
func (r *Renderer) unitLength(u *unit, at, limit int) int {
	l := lister{r: r, inside: u.inside}
	return l.length(u.decls, u.depths[at], limit)
}

// length returns the size in bytes of declarations at a depth, or limit if they take more.
func (r *Renderer) length(decls []decl, at depth, limit int) int {
	l := lister{r: r}
	return l.length(decls, at, limit)
}

func (l *lister) length(decls []decl, at depth, limit int) int {
	l.limit, l.dense = max(limit, 1), true
	if text, fits := l.list(decls, at); fits {
		return len(text)
	}
	return limit
}
