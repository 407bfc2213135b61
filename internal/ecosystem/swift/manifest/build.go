package manifest

import (
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// maxDeclared is the maximum length of each list of objects in a manifest.
const maxDeclared = 10_000

// build sets the fields of the manifest from the Package object that was evaluated.
func (m *Manifest) build(in *interpreter) {
	b := &builder{in}
	pkg := in.pkg
	m.Name = text(pkg.field("name"))
	for _, o := range b.objects(pkg, "products") {
		switch o.ctor {
		case "library", "executable", "plugin":
			m.Products = append(m.Products, Product{Name: b.text(o, "name"), Kind: o.ctor, Targets: b.texts(o, "targets")})
		}
	}
	for _, o := range b.objects(pkg, "targets") {
		if targetTypes[o.ctor] == "" {
			in.problem(o.line, "a target could not be interpreted")
			continue
		}
		t := Target{
			Name: b.text(o, "name"), Kind: o.ctor, Path: b.text(o, "path"), Exclude: b.texts(o, "exclude"), PublicHeaders: b.text(o, "publicHeadersPath"),
			Swift: b.settings(o, "swiftSettings"), C: b.settings(o, "cSettings"), CXX: b.settings(o, "cxxSettings"),
		}
		if l, ok := o.field("sources").(*list); ok {
			t.Sources = append([]string{}, b.list(l, o.line)...)
		}
		for _, r := range b.objects(o, "resources") {
			if name := text(r.first()); name != "" && path.Clean(name) != "." {
				t.Exclude = append(t.Exclude, name)
			}
		}
		t.Dependencies = b.dependencies(o)
		if l, ok := o.field("plugins").(*list); ok {
			t.Plugins = len(l.items) > 0
		}
		if t.Name != "" {
			m.Targets = append(m.Targets, t)
		}
	}
	for _, o := range b.objects(pkg, "dependencies") {
		if o.ctor == "package" {
			m.Dependencies = append(m.Dependencies, b.dependency(o))
		}
	}
	for _, o := range b.objects(pkg, "traits") {
		switch o.ctor {
		case "default":
			m.DefaultTraits = b.texts(o, "enabledTraits")
		case "trait", "":
			t := Trait{Name: b.text(o, "name"), Description: b.text(o, "description"), Enables: b.texts(o, "enabledTraits")}
			if t.Name != "" && len(m.Traits) < maxTraits {
				m.Traits = append(m.Traits, t)
			}
		}
	}
	if l, ok := pkg.field("traits").(*list); ok { // A trait may be given as a string.
		for _, item := range l.items {
			if s, ok := item.(string); ok && len(m.Traits) < maxTraits {
				m.Traits = append(m.Traits, Trait{Name: s})
			}
		}
	}
}

// builder reads the fields of evaluated objects.
type builder struct{ in *interpreter }

// objects returns the objects in a list that is a field of an object.
func (b *builder) objects(o *object, name string) []*object {
	var all []*object
	switch v := o.field(name).(type) {
	case *list:
		for _, item := range v.items {
			switch item := item.(type) {
			case *object:
				if len(all) < maxDeclared {
					all = append(all, item)
				}
			case unknown:
				b.in.problem(o.line, "one of the %s could not be interpreted", name)
			}
		}
	case unknown:
		b.in.problem(o.line, "the %s could not be interpreted", name)
	}
	return all
}

// text returns the string in a field of an object, or "" if there is none.
func (b *builder) text(o *object, name string) string {
	switch v := o.field(name).(type) {
	case string:
		return v
	case unknown:
		b.in.problem(o.line, "the %s of %s could not be interpreted", name, o.ctor)
	}
	return ""
}

func (b *builder) texts(o *object, name string) []string {
	switch v := o.field(name).(type) {
	case *list:
		return b.list(v, o.line)
	case unknown:
		b.in.problem(o.line, "the %s of %s could not be interpreted", name, o.ctor)
	}
	return nil
}

func (b *builder) list(l *list, line int) []string {
	var all []string
	for _, item := range l.items {
		switch v := item.(type) {
		case string:
			all = append(all, v)
		case *object: // The object is a static property of an unknown value, which may be a string.
			b.in.problem(line, "%.60s could not be interpreted", v.ctor)
		case unknown:
			b.in.problem(line, "one of several strings could not be interpreted")
		}
	}
	return all
}

func (b *builder) dependencies(o *object) []TargetDependency {
	var all []TargetDependency
	l, ok := o.field("dependencies").(*list)
	if !ok {
		if _, isUnknown := o.field("dependencies").(unknown); isUnknown {
			b.in.problem(o.line, "the dependencies of a target could not be interpreted")
		}
		return nil
	}
	for _, item := range l.items {
		switch v := item.(type) {
		case string:
			all = append(all, TargetDependency{Name: v})
		case *object:
			d := TargetDependency{Name: b.text(v, "name"), Package: b.text(v, "package"), Condition: b.condition(v.field("condition"))}
			if d.Name != "" {
				all = append(all, d)
				continue
			}
			b.in.problem(v.line, "the dependency %.60s could not be interpreted", v.ctor)
		case unknown:
			b.in.problem(o.line, "a dependency of a target could not be interpreted")
		}
	}
	return all
}

func (b *builder) settings(o *object, name string) []Setting {
	var all []Setting
	for _, s := range b.objects(o, name) {
		set := Setting{Kind: s.ctor, Name: text(s.first()), Value: text(s.field("to"))}
		for _, v := range s.values {
			if c := b.condition(v); c != nil {
				set.Condition = c
			}
		}
		all = append(all, set)
	}
	return all
}

// condition reads .when(platforms:configuration:traits:). It returns nil for
// other values.
func (b *builder) condition(v value) *Condition {
	o, ok := v.(*object)
	if !ok || o.ctor != "when" {
		return nil
	}
	c := &Condition{Traits: b.texts(o, "traits")}
	for _, p := range b.objects(o, "platforms") {
		if p.ctor == "custom" {
			c.Platforms = append(c.Platforms, text(p.first()))
		} else {
			c.Platforms = append(c.Platforms, p.ctor)
		}
	}
	if p, ok := o.field("configuration").(*object); ok {
		c.Configuration = p.ctor
	}
	return c
}

// dependency reads .package(…).
func (b *builder) dependency(o *object) Dependency {
	d := Dependency{URL: b.text(o, "url"), Path: b.text(o, "path"), ID: b.text(o, "id"), Name: b.text(o, "name")}
	if l, ok := o.field("traits").(*list); ok {
		d.Traits = []string{}
		for _, item := range l.items {
			switch t := item.(type) {
			case string:
				d.Traits = append(d.Traits, t)
			case *object:
				switch {
				case t.ctor == "defaults" || t.ctor == "default":
					d.Traits = append(d.Traits, "default")
				case b.condition(t.field("condition")) == nil:
					d.Traits = append(d.Traits, b.text(t, "name"))
				}
			}
		}
	}
	for i, v := range o.values {
		if r, ok := requirement(o.labels[i], v); ok {
			d.Requirement = r
		} else if o.labels[i] == "" || o.labels[i] == "from" || o.labels[i] == "exact" {
			b.in.problem(o.line, "the versions of a dependency could not be interpreted")
		}
	}
	return d
}

// requirement reads an argument that specifies the allowed versions. It returns
// false for other arguments.
func requirement(label string, v value) (swiftpm.Requirement, bool) {
	var none swiftpm.Requirement
	if s, ok := v.(string); ok {
		switch version, err := swiftpm.ParseTag(s); {
		case label == "branch":
			return swiftpm.Requirement{Branch: s}, true
		case label == "revision":
			return swiftpm.Requirement{Revision: s}, true
		case err != nil:
		case label == "from":
			return swiftpm.UpToNextMajor(version), true
		case label == "exact":
			return swiftpm.Exactly(version), true
		}
		return none, false
	}
	o, ok := v.(*object)
	if !ok {
		return none, false
	}
	argument := func(label string) (swiftpm.Version, bool) {
		s, ok := o.field(label).(string)
		if !ok {
			s, ok = o.first().(string)
		}
		version, err := swiftpm.ParseTag(s)
		return version, ok && err == nil
	}
	version, known := argument("from")
	switch {
	case o.ctor == "branch":
		return swiftpm.Requirement{Branch: text(o.first())}, true
	case o.ctor == "revision":
		return swiftpm.Requirement{Revision: text(o.first())}, true
	case o.ctor == "range", o.ctor == "closedRange":
		upper, ok := argument("upper")
		lower, okLower := argument("lower")
		if o.ctor == "closedRange" {
			return swiftpm.Through(lower, upper), ok && okLower
		}
		return swiftpm.Between(lower, upper), ok && okLower
	case !known:
		return none, false
	case o.ctor == "upToNextMajor", o.ctor == "from":
		return swiftpm.UpToNextMajor(version), true
	case o.ctor == "upToNextMinor":
		return swiftpm.UpToNextMinor(version), true
	case o.ctor == "exact":
		return swiftpm.Exactly(version), true
	}
	return none, false
}

// Directory returns the first of the usual directories for a target's sources
// that exists, or "" if there is none. isDir reports whether a path below the
// package is a directory.
func (t *Target) Directory(isDir func(path string) bool) string {
	if t.Path != "" {
		return clean(t.Path)
	}
	parents := []string{"Sources", "Source", "src", "srcs"}
	switch t.Kind {
	case "testTarget":
		parents = []string{"Tests", "Sources", "Source", "src", "srcs"}
	case "plugin":
		parents = []string{"Plugins"}
	case "binaryTarget":
		return ""
	}
	for _, parent := range parents {
		if dir := parent + "/" + t.Name; isDir(dir) {
			return dir
		}
	}
	return ""
}

// clean returns a path below the package with forward slashes and without dots.
// It returns "." for the package itself, and "" for a path outside it.
func clean(p string) string {
	var out []string
	for element := range strings.SplitSeq(strings.ReplaceAll(p, `\`, "/"), "/") {
		switch element {
		case "", ".":
		case "..":
			if len(out) == 0 {
				return ""
			}
			out = out[:len(out)-1]
		default:
			out = append(out, element)
		}
	}
	if len(out) == 0 {
		return "."
	}
	return strings.Join(out, "/")
}

// Active returns the definitions, language features and dependencies of a target
// whose conditions hold on a platform with these traits, in a debug build.
func (t *Target) Active(platform string, traits []string) (defines, features, dependencies []string) {
	for _, s := range t.Swift {
		if !s.Condition.Holds(platform, traits, true) {
			continue
		}
		switch s.Kind {
		case "define":
			defines = append(defines, s.Name)
		case "enableExperimentalFeature", "enableUpcomingFeature":
			features = append(features, s.Name)
		}
	}
	for _, d := range t.Dependencies {
		if d.Condition.Holds(platform, traits, true) {
			dependencies = append(dependencies, d.Name)
		}
	}
	return defines, features, dependencies
}

// Holds reports whether a condition holds on a platform, such as "linux" or
// "macOS", with these traits. The build is a release build unless debug is true.
func (c *Condition) Holds(platform string, traits []string, debug bool) bool {
	if c == nil {
		return true
	}
	configuration := "release"
	if debug {
		configuration = "debug"
	}
	fold := func(p string) bool { return strings.EqualFold(p, platform) }
	return (len(c.Platforms) == 0 || slices.ContainsFunc(c.Platforms, fold)) && (c.Configuration == "" || c.Configuration == configuration) &&
		(len(c.Traits) == 0 || slices.ContainsFunc(c.Traits, func(t string) bool { return slices.Contains(traits, t) }))
}
