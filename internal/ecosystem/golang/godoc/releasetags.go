package godoc

import (
	"go/build"
	"go/build/constraint"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// releaseTags are the build tags of a Go release that do not depend on the
// platform: go1.N and goexperiment.X.
type releaseTags struct {
	minor       int             // N in go1.N
	experiments map[string]bool // whether each experiment is on by default; nil if unknown
}

// releaseTagsOf returns the tags of the Go release whose standard library is in
// src. For other packages it returns nil, which represents the release that built docent.
func releaseTagsOf(src *Source) *releaseTags {
	if src.Module != "std" {
		return nil
	}
	rest, ok := strings.CutPrefix(src.Version, "go1.")
	if !ok {
		return nil
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	minor, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	tags := &releaseTags{minor: minor}
	if raw, err := readRegular(src.FS, "internal/buildcfg/exp.go", 1<<20); err == nil {
		tags.experiments = defaultExperiments(string(raw))
	}
	return tags
}

var (
	baseline   = lazyregexp.New(`baseline := goexperiment\.Flags\{([^{}]*)\}`)
	experiment = lazyregexp.New(`(?m)^\s*([A-Z]\w*):\s*(\w+),`)
)

// defaultExperiments returns the experiments of a release and whether each is on by
// default, parsed from the source of the release's package internal/buildcfg. The names
// are in lower case. An experiment that depends on the platform gets the value that it
// has in the Go release that built docent. The result is nil if the source does not have
// the expected form.
func defaultExperiments(source string) map[string]bool {
	literal := baseline().FindStringSubmatch(source)
	if literal == nil {
		return nil
	}
	experiments := map[string]bool{}
	for _, m := range experiment().FindAllStringSubmatch(literal[1], -1) {
		name := strings.ToLower(m[1])
		experiments[name] = m[2] == "true" || m[2] != "false" && slices.Contains(build.Default.ToolTags, "goexperiment."+name)
	}
	return experiments
}

// value reports whether tag holds in the release. known is false for tags that
// depend on more than the release.
func (r *releaseTags) value(tag string) (holds, known bool) {
	if n, ok := strings.CutPrefix(tag, "go1."); ok {
		minor, err := strconv.Atoi(n)
		return minor <= r.minor, err == nil
	}
	if name, ok := strings.CutPrefix(tag, "goexperiment."); ok && r.experiments != nil {
		return r.experiments[name], true
	}
	return false, false
}

// apply rewrites a condition so that the Go release that built docent evaluates
// it as r would.
func (r *releaseTags) apply(condition constraint.Expr) constraint.Expr {
	if r == nil || condition == nil {
		return condition
	}
	differs := false
	condition.Eval(func(tag string) bool {
		holds, known := r.value(tag)
		differs = differs || known && holds != target{}.has(tag)
		return false
	})
	if !differs {
		return condition
	}
	return r.rewrite(condition, false)
}

// rewrite is apply for a condition that may be negated. It returns nil for a
// condition that is always true.
func (r *releaseTags) rewrite(condition constraint.Expr, negated bool) constraint.Expr {
	switch x := condition.(type) {
	case *constraint.NotExpr:
		return r.rewrite(x.X, !negated)
	case *constraint.AndExpr:
		return r.both(x.X, x.Y, negated, !negated)
	case *constraint.OrExpr:
		return r.both(x.X, x.Y, negated, negated)
	}
	tag := condition.(*constraint.TagExpr)
	not := &constraint.NotExpr{X: tag}
	holds, known := r.value(tag.Tag)
	switch {
	case known && holds != negated:
		return nil
	case known:
		return &constraint.AndExpr{X: tag, Y: not} // This condition is never true.
	case negated:
		return not
	}
	return tag
}

// both rewrites x and y and combines the results with "and" or "or". negated has the same
// meaning as in rewrite. If conjunction is true, both must hold.
func (r *releaseTags) both(x, y constraint.Expr, negated, conjunction bool) constraint.Expr {
	x, y = r.rewrite(x, negated), r.rewrite(y, negated)
	switch {
	case conjunction:
		return and(x, y)
	case x == nil || y == nil:
		return nil
	}
	return &constraint.OrExpr{X: x, Y: y}
}
