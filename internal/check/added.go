package check

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// In some languages, code can add members to values. To find such code, all code of a project is
// searched. Therefore, this is done once, for the findings that depend on it, after all other
// decisions.

// maxSearches is the maximum number of members that are searched for in all code of a project and
// its packages. Uses of further members remain undecided.
const maxSearches = 1000

// additions contains members that code may add to values. A finding with additions is reported only
// if no code adds them.
type additions struct {
	assigner ecosystem.Assigner
	dir      string // directory of the project
	members  []ecosystem.Member
	counted  bool // whether the use has already been counted as undecided
}

// bindings returns the additions that bind the names of a path in a module, or nil if code of the language cannot do so.
// Code of a program that names its own module in a string may bind it, too. own is true if the module belongs to the program.
func (c *fileCheck) bindings(module, path string, own bool) *additions {
	assigner, ok := c.language.(ecosystem.Assigner)
	if !ok {
		return nil
	}
	a := &additions{assigner: assigner, dir: c.dir}
	for name := range strings.SplitSeq(path, ".") {
		a.members = append(a.members, ecosystem.Member{Package: module, Own: own, Root: c.run.dir, Module: !own, Name: name, Value: ecosystem.Result})
		module += "." + name
	}
	return a
}

// dropAdded removes the findings about members that code adds.
func dropAdded(ctx context.Context, reports []Report) {
	type place struct {
		assigner ecosystem.Assigner
		dir      string
	}
	members := map[place][]ecosystem.Member{}
	for i := range reports {
		for k := range reports[i].Findings {
			u := reports[i].Findings[k].unless
			if u == nil {
				continue
			}
			at := place{u.assigner, u.dir}
			for _, m := range u.members {
				if len(members[at]) < maxSearches && !slices.Contains(members[at], m) {
					members[at] = append(members[at], m)
				}
			}
		}
	}
	absent := map[place]map[ecosystem.Member]bool{}
	for at, all := range members {
		absent[at] = map[ecosystem.Member]bool{}
		for i, may := range at.assigner.MayAssign(ctx, at.dir, all) {
			absent[at][all[i]] = !may
		}
	}
	for i := range reports {
		r := &reports[i]
		r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
			u := f.unless
			if u == nil || !slices.ContainsFunc(u.members, func(m ecosystem.Member) bool { return !absent[place{u.assigner, u.dir}][m] }) {
				return false
			}
			if !u.counted {
				r.Undecided++
			}
			return true
		})
	}
}
