package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// ratio counts the correct items of a total.
type ratio struct{ right, total int }

func (r *ratio) count(right bool) bool {
	r.total++
	if right {
		r.right++
	}
	return right
}

func (r *ratio) String() string {
	if r.total == 0 {
		return "    -"
	}
	return fmt.Sprintf("%6.2f", 100*float64(r.right)/float64(r.total))
}

// The columns of the table. The column before and the column after inherited members are
// precisions. inferred counts the correct types among the inferred ones, and stated is the share of
// types that are inferred at all. parts counts the parts of callable declarations, bases the
// conformances whose names refer to the right symbol, and resolved all names in declarations whose
// targets are known.
const (
	recall = iota
	precision
	shown
	declarations
	conformances
	extraConformances
	relations
	extraRelations
	inherited
	extraInherited
	docs
	availability
	inferred
	stated
	partsOfCalls
	partsOfBases
	resolved
	columns
)

var header = [columns]string{"symbols", "precis", "shown", "declar", "conform", "precis", "relat", "precis", "inherit", "precis", "docs", "avail", "infer", "stated", "parts", "bases", "refs"}

// goals are the minimum percentages for a package; 0 if there is no goal.
var goals = [columns]float64{recall: 96, precision: 96, shown: 96, declarations: 96, conformances: 96, docs: 96, partsOfCalls: 99, partsOfBases: 98, resolved: 98}

// score compares one package.
type score struct {
	part        [columns]ratio
	symbols     int
	differences []string
}

func (s *score) line(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %6d", name, s.symbols)
	for i := range s.part {
		fmt.Fprintf(&b, " %7s", &s.part[i])
	}
	return b.String()
}

func (s *score) low() bool {
	for i, goal := range goals {
		if p := s.part[i]; p.total > 0 && 100*float64(p.right) < goal*float64(p.total) {
			return true
		}
	}
	return false
}

func (s *score) add(o *score) {
	s.symbols += o.symbols
	for i, p := range o.part {
		s.part[i].right += p.right
		s.part[i].total += p.total
	}
}

func (s *score) differ(format string, args ...any) {
	s.differences = append(s.differences, fmt.Sprintf(format, args...))
}

func (s *score) print(limit int) {
	for i, d := range s.differences {
		if i == limit {
			fmt.Printf("   … %d more\n", len(s.differences)-limit)
			break
		}
		fmt.Println("  ", d)
	}
}

// compare compares one module with the compiler's results.
func (s *score) compare(want []*row, got *module.Graph, p *apidoc.Package) {
	ours := map[string][]*module.Node{}
	for i := range got.Symbols {
		n := &got.Symbols[i]
		ours[n.Path] = append(ours[n.Path], n)
	}
	documented := map[string][]string{}
	for sym := range p.All {
		documented[sym.Path] = append(documented[sym.Path], sym.Signature)
	}
	matched := map[*module.Node]bool{}
	listed := map[string]bool{}
	for _, r := range want {
		if r.Relation != "symbol" {
			continue
		}
		listed[r.Path] = true
		s.symbols++
		n := pick(r, ours[r.Path], matched)
		if !s.part[recall].count(n != nil) {
			s.differ("missing %s %s (%s %s:%d)", r.Module, r.Path, r.Kind, r.File, r.Line)
			s.part[shown].count(false)
			continue
		}
		matched[n] = true
		if !s.part[shown].count(len(documented[r.Path]) > 0) {
			s.differ("not shown %s %s", r.Module, r.Path)
		}
		s.node(r, n)
	}
	for i := range got.Symbols {
		if n := &got.Symbols[i]; !s.part[precision].count(matched[n]) {
			s.differ("extra %s %s (%s %s:%d)", got.Module, n.Path, n.Kind, n.File, n.Line)
		}
	}
	s.relations(want, got, listed)
}

// pick returns our symbol for a row. If there are several, it prefers the one in the same place, or
// else with the same declaration.
func pick(r *row, candidates []*module.Node, matched map[*module.Node]bool) *module.Node {
	var best *module.Node
	minimum := 0
	for _, n := range candidates {
		if matched[n] || n.Kind != r.Kind {
			continue
		}
		points := 1
		if n.File == r.File && n.Line == r.Line {
			points += 2
		}
		if normal(n.Declaration, n.Kind, parent(n.Path)) == normal(r.Declaration, r.Kind, parent(r.Path)) {
			points++
		}
		if points > minimum {
			best, minimum = n, points
		}
	}
	return best
}

// parent returns the path of the type that a member is in.
func parent(path string) string {
	if i := strings.IndexByte(path, '('); i > 0 {
		path = path[:i]
	}
	if typ := strings.TrimRight(path, "./=-+!*%<>&|^~?√"); len(typ) < len(path) {
		return typ // the rest is an operator
	}
	return path[:max(0, strings.LastIndexByte(path, '.'))]
}

// node compares one symbol with its row.
func (s *score) node(r *row, n *module.Node) {
	a, z := normal(n.Declaration, n.Kind, parent(n.Path)), normal(r.Declaration, r.Kind, parent(r.Path))
	equal := a == z || strings.ReplaceAll(a, "throws(", "throws\x00(") == z
	switch n.Type {
	case module.Written:
		if !s.part[declarations].count(equal) {
			s.differ("declaration of %s (%s:%d)\n      ours   %s\n      theirs %s\n      ours   %s\n      theirs %s", r.Path, r.File, r.Line, oneLine(n.Declaration), oneLine(r.Declaration), a, z)
		}
	default:
		s.part[stated].count(n.Type == module.Inferred)
		if n.Type == module.Unknown {
			s.differ("no type of %s (%s:%d), theirs %s", r.Path, r.File, r.Line, oneLine(r.Declaration))
			break
		}
		if !s.part[inferred].count(equal) {
			s.differ("inferred type of %s (%s:%d)\n      ours   %s\n      theirs %s", r.Path, r.File, r.Line, oneLine(n.Declaration), oneLine(r.Declaration))
		}
	}
	if r.Doc != "" || n.Doc != "" {
		hash := ""
		if n.Doc != "" {
			sum := sha256.Sum256([]byte(n.Doc))
			hash = hex.EncodeToString(sum[:])[:12]
		}
		if !s.part[docs].count(hash == r.Doc) {
			s.differ("comment of %s (%s:%d): ours %q", r.Path, r.File, r.Line, n.Doc)
		}
	}
	if len(r.Availability) > 0 || len(n.Availability) > 0 {
		var all []string
		for _, a := range n.Availability {
			if a.NoAsync && availabilityText(a) == availabilityText(source.Availability{Domain: a.Domain}) {
				continue // symbol graphs do not contain it
			}
			all = append(all, words(availabilityText(a)))
		}
		theirs := make([]string, len(r.Availability))
		for i, a := range r.Availability {
			theirs[i] = words(a)
		}
		slices.Sort(all)
		slices.Sort(theirs)
		if !s.part[availability].count(slices.Equal(all, theirs)) {
			s.differ("availability of %s (%s:%d)\n      ours   %q\n      theirs %q", r.Path, r.File, r.Line, all, r.Availability)
		}
	}
	if (r.Access == "open") != n.Open {
		s.differ("access of %s (%s:%d): open is %v", r.Path, r.File, r.Line, n.Open)
	}
}

// availabilityText returns an availability in the form of the rows: "macOS introduced 12.0
// deprecated 14".
func availabilityText(a source.Availability) string {
	text := a.Domain
	if a.Introduced != "" {
		text += " introduced " + a.Introduced
	}
	if a.IsDeprecated || a.Deprecated != "" {
		text += " deprecated " + a.Deprecated
	}
	if a.Obsoleted != "" {
		text += " obsoleted " + a.Obsoleted
	}
	if a.Renamed != "" {
		text += " renamed " + a.Renamed
	}
	if a.Unavailable {
		text += " unavailable"
	}
	return text
}

// words sorts the parts of an availability after its domain.
func words(a string) string {
	parts := strings.Fields(a)
	var all []string
	for _, p := range parts[1:] {
		switch p {
		case "introduced", "deprecated", "obsoleted", "renamed", "unavailable":
			all = append(all, p)
		default:
			if len(all) > 0 {
				all[len(all)-1] += " " + p
			}
		}
	}
	slices.Sort(all)
	return parts[0] + " " + strings.Join(all, " ")
}

// relations compares conformances and other relations, and inherited members. Relations of types
// from a module without sources are skipped.
func (s *score) relations(want []*row, got *module.Graph, listed map[string]bool) {
	known := func(r *row) bool {
		path := r.Path
		if r.Relation == string(module.InheritedMember) {
			path = parent(path)
		}
		return listed[path] || r.Extends != ""
	}
	ours := map[string]int{}
	paths := map[string]bool{}
	for _, rel := range got.Relations {
		ours[key(string(rel.Kind), rel.Path, rel.Target, rel.Where)]++
	}
	theirs := map[string]int{}
	for _, r := range want {
		if r.Relation == "symbol" {
			continue
		}
		target := r.Target
		if r.Relation == string(module.InheritedMember) {
			target = r.Origin
		}
		k := key(r.Relation, r.Path, target, r.Where)
		theirs[k]++
		if !known(r) {
			paths[r.Path] = true
			continue
		}
		if !s.part[column(r.Relation, false)].count(theirs[k] <= ours[k]) {
			s.differ("missing %s: %s", r.Module, k)
		}
	}
	for _, rel := range got.Relations {
		k := key(string(rel.Kind), rel.Path, rel.Target, rel.Where)
		if !s.part[column(string(rel.Kind), true)].count(theirs[k] >= ours[k]) {
			s.differ("extra %s: %s", got.Module, k)
		}
	}
}

func column(relation string, extra bool) int {
	c := relations
	switch relation {
	case string(module.ConformsTo):
		c = conformances
	case string(module.InheritedMember):
		c = inherited
	}
	if extra {
		c++
	}
	return c
}

// key identifies a relation. The order of constraints does not matter.
func key(kind, path, target string, where []string) string {
	var all []string
	for _, w := range where {
		if c := constraint(lastNames(tokens(w))); c != "" {
			all = append(all, c)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	text := kind + " " + path + " " + target
	if len(all) > 0 {
		text += " where " + strings.Join(all, ", ")
	}
	return text
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return s[:min(len(s), 500)]
}
