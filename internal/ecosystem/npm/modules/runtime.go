package modules

// Scripts is the JavaScript of the packages that a project imports, which may export names that the declarations lack.
type Scripts struct{ r *Reader }

// NewScripts returns the JavaScript that a project imports. The reader cannot be used for declarations any more.
func (r *Reader) NewScripts() *Scripts {
	r.scripts = true
	return &Scripts{r}
}

// MayExport reports whether the module to which a specifier refers may export a name.
func (s *Scripts) MayExport(spec, name string) bool {
	m := s.r.moduleOf(&module{pkg: s.r.main, path: "package.json"}, spec)
	return m == nil || s.r.export(m, name) != nil || !s.complete(m, 0)
}

// complete reports whether all exports of a module are known.
func (s *Scripts) complete(m *module, depth int) bool {
	if m.file == nil || len(m.file.Warnings) > 0 || depth > maxNesting || s.r.exportsResult(m) {
		return false
	}
	if m.equals != nil {
		e := s.r.target(m.equals)
		return e != nil && (e.namespaceOf == nil || s.complete(e.namespaceOf, depth+1))
	}
	for _, spec := range m.stars {
		if other := s.r.moduleOf(m, spec); other == nil || !s.complete(other, depth+1) {
			return false
		}
	}
	return len(m.stars) > 0 || len(m.scope.exports.order) > 0
}
