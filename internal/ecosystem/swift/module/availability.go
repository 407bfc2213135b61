package module

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// macro is the prefix of a compiler feature that defines an availability macro.
const macro = "AvailabilityMacro="

// availabilityOf returns the availability that attributes specify. It expands
// the macros that the manifest defines.
func (u *unit) availabilityOf(d *source.Decl) []source.Availability {
	if d.Attribute("available") == nil {
		return nil
	}
	var all []source.Availability
	for _, a := range d.Availability() {
		if !u.hold(a.Conditions) {
			continue
		}
		if expanded := u.availabilityMacro(a.Domain, a.Introduced); expanded != nil {
			for _, x := range expanded {
				all = merge(all, x)
			}
			continue
		}
		if a.Domain == "*" && a.Introduced == "" && !a.IsDeprecated && !a.Unavailable && !a.NoAsync && a.Obsoleted == "" {
			continue
		}
		if a.Domain == "swift" {
			a.Domain = "Swift"
		}
		all = merge(all, a)
	}
	return all
}

// availabilityMacro returns the availability that a macro represents, or nil if the macro is not
// defined.
func (u *unit) availabilityMacro(name, version string) []source.Availability {
	if u.macros == nil {
		u.macros = map[string][]source.Availability{}
		for _, f := range u.target.Features {
			if rest, ok := strings.CutPrefix(f, macro); ok {
				key, list, _ := strings.Cut(rest, ":")
				u.macros[strings.Join(strings.Fields(key), " ")] = source.ParseAvailability(strings.TrimSpace(list) + ", *")
			}
		}
	}
	key := name
	if version != "" {
		key += " " + version
	}
	return u.macros[key]
}

// merge adds an availability to all. If there are several for one platform, it
// keeps the one that was introduced in the latest version, or else the last
// one.
func merge(all []source.Availability, a source.Availability) []source.Availability {
	for i := range all {
		have := &all[i]
		if have.Domain != a.Domain {
			continue
		}
		if a.Introduced != "" && (have.Introduced == "" || compares(version(a.Introduced), ">="+have.Introduced)) {
			have.Introduced = a.Introduced
		}
		if a.Obsoleted != "" {
			have.Obsoleted = a.Obsoleted
		}
		if a.Deprecated != "" {
			have.Deprecated = a.Deprecated
		}
		if a.Message != "" {
			have.Message = a.Message
		}
		if a.Renamed != "" {
			have.Renamed = a.Renamed
		}
		have.IsDeprecated = have.IsDeprecated || a.IsDeprecated
		have.Unavailable = have.Unavailable || a.Unavailable
		have.NoAsync = have.NoAsync || a.NoAsync
		return all
	}
	return append(all, a)
}

// availability returns the availability of an entity, including restrictions of its enclosing type.
func (e *entity) availability() []source.Availability {
	f := e.fact()
	if f.availability {
		return f.available
	}
	f.availability = true
	if e.decl == nil {
		return nil
	}
	all := e.unit.availabilityOf(e.decl)
	if e.ext != nil {
		all = inherit(all, e.ext.unit.availabilityOf(e.ext.decl))
	}
	if e.parent != nil && e.ext == nil {
		all = inherit(all, e.parent.availability())
	}
	f.available = all
	return all
}

// inherit completes the availability of an inner declaration with the
// availability of the outer one.
func inherit(all, outer []source.Availability) []source.Availability {
	if len(outer) == 0 {
		return all
	}
	all = slices.Clone(all)
	for _, o := range outer {
		i := slices.IndexFunc(all, func(a source.Availability) bool { return a.Domain == o.Domain })
		if i < 0 {
			all = append(all, o)
			continue
		}
		a := &all[i]
		a.Introduced = cmp.Or(a.Introduced, o.Introduced)
		if a.Deprecated == "" && !a.IsDeprecated {
			a.Deprecated, a.IsDeprecated, a.Message, a.Renamed = o.Deprecated, o.IsDeprecated, o.Message, o.Renamed
		}
		a.Obsoleted = cmp.Or(a.Obsoleted, o.Obsoleted)
		a.Unavailable = a.Unavailable || o.Unavailable
		a.NoAsync = a.NoAsync || o.NoAsync
	}
	return all
}
