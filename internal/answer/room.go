package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// This file divides the room of an answer among the requested symbols.

// minShare is the minimum number of bytes for each symbol in an answer about several.
const minShare = 300

// comfortable returns the number of bytes of limit that an answer about several symbols uses,
// because readers skim longer answers. Omitted text is marked, and a symbol that is requested alone
// can use the complete limit.
func comfortable(limit int, requests []Subject) int {
	if len(requests) == 1 {
		return limit
	}
	parts := 0
	for i := range requests {
		parts += requests[i].parts(membersInRoom)
	}
	maximum := min(max(limit*3/8, len(requests)*limit/60), limit*2/3)
	declarations := 0
	for i := range requests {
		declarations += max(requests[i].minRoom(true), requests[i].callRoom())
	}
	return max(limit/5, min(maximum, parts*limit/45), min(declarations, limit/2))
}

// callRoom returns the number of bytes of the comment and the inputs of a call, with the comments on
// their fields, up to maxCallRoom. It returns 0 for a call without a type for its inputs.
func (a *Subject) callRoom() int {
	s := a.Symbol
	inputs := a.ownInputs(s)
	if len(inputs) == 0 {
		return 0
	}
	length := len(s.Signature) + len(s.Doc) + aroundRoom
	for _, t := range inputs {
		length += len(t.Signature) + len(t.Doc)
		members := t.AllMembers()
		for i := range members {
			length += len(members[i].Signature) + len(members[i].Doc) + aroundField
		}
	}
	return min(length*6/5, maxCallRoom)
}

const (
	// maxCallRoom is the maximum number of bytes that a call in an answer about several symbols
	// adds to the room.
	maxCallRoom = 2200
	// aroundField is the number of bytes around a field and its comment.
	aroundField = 8
)

// A type with many members adds membersInRoom parts to the room. If there is too little room, it
// gets membersInShare parts of it.
const (
	membersInRoom  = 5
	membersInShare = 3
)

// parts returns the number of parts of the room that a symbol gets. This is ofType for a type with
// many members if none of them was requested, and otherwise one.
func (a *Subject) parts(ofType int) int {
	if hasManyMembers(a.Symbol) && !a.withMembers {
		return ofType
	}
	return 1
}

// hasManyMembers reports whether a symbol has so many members that readers are mainly interested in
// them.
func hasManyMembers(s *apidoc.Symbol) bool { return s.NumMembers() > few }

// few is the maximum number of members of a type for which readers are more interested in the
// comment than in the members.
const few = 3

// shareRoom returns the text on each symbol, and what the texts show. Together, the texts take at most room bytes, or up to
// slack more if nothing must be omitted then. Bytes that a symbol does not use are available to the
// others.
func shareRoom(requests []Subject, room, slack int, g Guide) (texts []string, shown shownSet) {
	texts = make([]string, len(requests))
	shares := make([]int, len(requests))
	several := len(requests) > 1
	write := func(limits []int) (total int) {
		shown = newShown(renderers(requests))
		for i := range requests {
			if typeAsked(requests, i) < 0 {
				shown.add(requests[i].Symbol)
			}
		}
		last := 0 // index of the symbol whose text was written last
		for i := range requests {
			each := &requests[i]
			texts[i] = ""
			if index := typeAsked(requests, i); index >= 0 {
				texts[i] = each.inPlace(texts[index], limits[i], shown)
			}
			if texts[i] != "" {
				last = i
				total += len(texts[i]) + 1
				continue
			}
			above := each.groupShown(shown, requests, i)
			if above == "" {
				texts[i] = each.within(limits[i], room, several, shown, g)
			} else if where := ": above, with " + above + "\n"; i > 0 && strings.HasSuffix(texts[last], where) {
				before := len(texts[last])
				texts[last] = strings.TrimSuffix(texts[last], where) + ", " + symbolTitle(each) + where
				total += len(texts[last]) - before
				continue
			} else {
				texts[i] = "## " + symbolTitle(each) + where
			}
			last = i
			total += len(texts[i]) + 1
		}
		return total
	}
	for i := range shares {
		shares[i] = room
	}
	if total := write(shares); room == 0 || total <= room+slack {
		return texts, shown
	}
	// Short symbols get as much as they need. The others get their declarations and equal parts of
	// the remaining room.
	lengths := make([]int, len(requests))
	least := make([]int, len(requests))
	remaining := room
	for i := range texts {
		lengths[i] = len(texts[i]) + 1
	}
	for _, comments := range []bool{true, false} {
		remaining = room
		for i := range least {
			least[i] = min(requests[i].minRoom(comments), lengths[i])
			remaining -= least[i]
		}
		if remaining >= 0 {
			break
		}
	}
	if remaining < 0 {
		clear(least)
		remaining = room
	}
	order := make([]int, len(requests))
	parts := 0
	for i := range order {
		order[i] = i
		parts += requests[i].parts(membersInShare)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return lengths[a]*requests[b].parts(membersInShare) - lengths[b]*requests[a].parts(membersInShare)
	})
	for _, i := range order {
		share := min(remaining*requests[i].parts(membersInShare)/parts, lengths[i]-least[i])
		shares[i] = least[i] + share
		remaining -= share
		parts -= requests[i].parts(membersInShare)
	}
	for i := range shares {
		shares[i]-- // line break between two symbols
	}
	// If a text is truncated at the end of a sentence, some room is unused. It is given to the
	// truncated symbols, beginning with those that need only little more.
	spare := room - write(shares)
	lacks := func(i int) int { return lengths[i] - 1 - len(texts[i]) }
	slices.SortStableFunc(order, func(a, b int) int { return lacks(a) - lacks(b) })
	again := false
	for _, i := range order {
		if more := min(lacks(i), spare); more > 0 {
			shares[i] = max(shares[i], len(texts[i])+more)
			spare -= more
			again = true
		}
	}
	if again {
		write(shares)
	}
	return texts, shown
}

// minRoom returns the number of bytes that a symbol needs to show its declaration, its values if it is
// an enumeration, and the needed types that few other calls take, if these are not very long. comments
// is true if the comments within declarations are shown in short.
func (a *Subject) minRoom(comments bool) int {
	const maximum = 1000
	length := min(len(a.inRoom(a.Symbol, comments).Text), maximum) + min(a.minOfNeeded(a.Symbol, comments), maximum)
	if with := a.goesWith(a.Symbol); isEnumeration(with) {
		length += min(a.length(with, depth{docs: clause}, maximum), maximum)
	}
	length = length*4/3 + omissionsRoom
	if !inComments(a.Symbol.Doc) || !a.isNamed(a.Symbol) {
		length += headingRoom
	}
	return length
}

// headingRoom is the room in bytes for a heading and the beginning of a comment that is not shown
// within the code.
const headingRoom = 100

// inRoom returns a declaration with short comments or without comments.
func (r *Renderer) inRoom(s *apidoc.Symbol, comments bool) *apidoc.Decl {
	if comments {
		return r.firstClauses(r.concise(s))
	}
	return withoutComments(r.concise(s))
}

// minOfNeeded returns the size in bytes of the declarations of the types that calls of s take. It does
// not count types that many calls take. comments is true if comments are shown in short.
func (r *Renderer) minOfNeeded(s *apidoc.Symbol, comments bool) (length int) {
	if s.IsType() {
		return 0
	}
	takes, _ := r.callTypes(s)
	for _, t := range takes {
		if !r.isCommon(t) {
			length += len(r.inRoom(t, comments).Text)
			members := t.AllMembers()
			for i := range members {
				length += len(r.concise(&members[i]).Text)
				if comments && members[i].IsField() {
					length += min(len(members[i].Doc), maxClause)
				}
			}
		}
	}
	return length
}

// firstClauses returns a declaration in which comments are shortened to their beginnings.
func (r *Renderer) firstClauses(d *apidoc.Decl) *apidoc.Decl {
	short, _ := r.clauseComments(d)
	return short
}

// within returns the text on a symbol in at most limit bytes. It shortens nothing if the complete
// symbol fits. heading is true if the answer is about several symbols, which need headings.
func (a *Subject) within(limit, maximum int, heading bool, shown shownSet, g Guide) string {
	if !heading || limit <= 0 {
		return a.symbol(limit, 0, heading, shown, g)
	}
	before := shown.clone()
	if limit < maximum {
		if text := a.symbol(maximum, 0, heading, shown, g); len(text) <= limit {
			return text
		}
		shown.restore(before)
	}
	text := a.symbol(limit, 0, heading, shown, g)
	if unused := limit - len(text); unused > minShare && strings.Contains(text, omissions+restOfComment) {
		shown.restore(before)
		text = a.symbol(limit, unused, heading, shown, g)
	}
	return text
}
