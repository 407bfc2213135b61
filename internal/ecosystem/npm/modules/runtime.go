package modules

import (
	"slices"
	"strings"
)

// Scripts is the JavaScript of the packages that a project imports, which may export names that the declarations lack.
type Scripts struct{ r *Reader }

// NewScripts returns the JavaScript that a project imports. The reader cannot be used for declarations any more.
func (r *Reader) NewScripts() *Scripts {
	r.scripts = true
	return &Scripts{r}
}

// MayExport reports whether the module to which a specifier refers may export a name, on any platform.
func (s *Scripts) MayExport(spec, name string) bool {
	m := s.r.moduleOf(&module{pkg: s.r.main, path: "package.json"}, spec)
	if m == nil || s.r.export(m, name) != nil || !s.complete(m, map[*module]bool{}) {
		return true
	}
	_, sub := splitSpecifier(spec)
	return m.pkg != nil && m.pkg != s.r.main && slices.ContainsFunc(m.pkg.scriptVariants(sub), func(v scriptVariant) bool {
		other := s.r.load(m.pkg, v.file)
		if other == nil || other == m {
			return false
		}
		s.r.combine(other)
		return s.r.export(other, name) != nil || v.entry && !s.complete(other, map[*module]bool{})
	})
}

// complete reports whether all exports of a module are known. It reads each module once, because modules may
// export each other's names.
func (s *Scripts) complete(m *module, seen map[*module]bool) bool {
	if seen[m] {
		return true
	}
	seen[m] = true
	if s.r.ctx.Err() != nil || m.file == nil || len(m.file.Warnings) > 0 || s.r.exportsResult(m) {
		return false
	}
	if m.equals != nil {
		e := s.r.target(m.equals)
		return e != nil && (e.namespaceOf == nil || s.complete(e.namespaceOf, seen))
	}
	for _, spec := range m.stars {
		if other := s.r.moduleOf(m, spec); other == nil || !s.complete(other, seen) {
			return false
		}
	}
	// A module without exports may have only types in its source.
	return len(m.stars) > 0 || len(m.scope.exports.order) > 0 || m.file.Module && !strings.Contains(m.file.Source, "exports")
}
