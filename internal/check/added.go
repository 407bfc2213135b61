package check

import (
	"context"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// In some languages code can add members to values. To find out, all code of a project is searched,
// so this is done once, for the findings that depend on it, after everything else is decided.

// maxSearches is the maximum number of members that are searched for in all code of a project and its
// packages. Others remain undecided.
const maxSearches = 100

// additions are members that code may add to values. The finding that has them holds only if no code
// does.
type additions struct {
	assigner ecosystem.Assigner
	dir      string // the project
	members  []ecosystem.Member
	counted  bool // whether the use already counts as undecided
}

// dropAdded removes the findings about members that code may add.
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
