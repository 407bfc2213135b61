package godoc

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	// maxOtherSize is the maximum size, in bytes, of the files for other
	// platforms that are read to find where symbols exist. The few packages
	// that exceed it list system calls and constants for each system.
	maxOtherSize = 1 << 20
	// maxOtherTargets is the maximum number of platforms, and of sets of build tags, that are read to find
	// symbols missing on the chosen platform.
	maxOtherTargets = 6
)

// presence maps each symbol's path to the conditions of the files that declare
// it. A nil condition always holds.
type presence struct {
	files map[string][]constraint.Expr
	// worded caches the descriptions of conditions by their text.
	worded map[string]string
}

// add records the declarations of a package's files: functions, methods, types,
// constants and variables, but not members of types.
func (p presence) add(condition constraint.Expr, file *ast.File) {
	note := func(path string) {
		if last := path[strings.LastIndexByte(path, '.')+1:]; token.IsExported(last) {
			p.files[path] = append(p.files[path], condition)
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv == nil:
				note(d.Name.Name)
			case len(d.Recv.List) == 1:
				if owner := typeName(d.Recv.List[0].Type); token.IsExported(owner) {
					note(owner + "." + d.Name.Name)
				}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					note(spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						note(name.Name)
					}
				}
			}
		}
	}
}

// on reports whether a symbol exists on t.
func (p presence) on(t target, path string) bool {
	return slices.ContainsFunc(p.files[path], t.matches)
}

// condition describes where a symbol exists, or "" if it exists everywhere.
func (p presence) condition(path string) string {
	var union constraint.Expr
	var parts []string
	for _, c := range p.files[path] {
		if c == nil {
			return ""
		}
		if part := c.String(); !slices.Contains(parts, part) {
			parts = append(parts, part)
			if union == nil {
				union = c
			} else {
				union = &constraint.OrExpr{X: union, Y: c}
			}
		}
	}
	if union == nil {
		return ""
	}
	key := strings.Join(parts, "\n")
	words, ok := p.worded[key]
	if !ok {
		switch {
		case everywhere(union):
		case len(parts) > 2:
			words = systems(union)
		default:
			words = union.String()
		}
		p.worded[key] = words
	}
	return words
}

// systems describes a condition by the operating systems on which it holds,
// with their architectures if it holds only on some of these.
func systems(condition constraint.Expr) string {
	var all []string
	holds, fails := map[string][]string{}, map[string]bool{}
	for t := range everyTarget {
		switch {
		case t.noCgo:
		case kin[t.os] != "" && target{os: kin[t.os], arch: t.arch}.matches(condition): // The description of the other system includes this one.
		case t.matches(condition):
			if !slices.Contains(all, t.os) {
				all = append(all, t.os)
			}
			holds[t.os] = append(holds[t.os], t.arch)
		default:
			fails[t.os] = true
		}
	}
	for i, goos := range all {
		switch {
		case !fails[goos]:
		case len(holds[goos]) == 1:
			all[i] = goos + " && " + holds[goos][0]
		default:
			slices.Sort(holds[goos])
			all[i] = goos + " && (" + strings.Join(holds[goos], " || ") + ")"
		}
		if fails[goos] && len(all) > 1 {
			all[i] = "(" + all[i] + ")"
		}
	}
	return strings.Join(all, " || ")
}

// locateSymbols records on which platforms and with which build tags each symbol exists, and finds
// those that do not exist by default on the current platform. here are the files of the current
// platform, and all the files of every platform.
func (u *unit) locateSymbols(here []*parsed, all []*goFile) error {
	if !slices.ContainsFunc(all, func(f *goFile) bool { return f.condition != nil }) &&
		!slices.ContainsFunc(here, func(p *parsed) bool { return p.condition != nil }) {
		return nil
	}
	known := presence{files: map[string][]constraint.Expr{}, worded: map[string]string{}}
	read := map[*goFile]bool{}
	for _, p := range here {
		read[p.goFile] = true
	}
	var others []*goFile
	size := 0
	var targets []target
	for _, f := range all {
		if read[f] {
			continue
		}
		if t, ok := u.target.withTags(f.condition); ok {
			if !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		} else if !somewhere(f.condition) {
			continue
		}
		others = append(others, f)
		size += len(f.raw)
	}
	if size > maxOtherSize {
		u.warn(fmt.Sprintf("this documentation is for %s on %s; other platforms have additional symbols; to see them, request a platform", u.src.ImportPath, u.target))
		return nil
	}
	elsewhere, err := parseFiles(u.ctx, token.NewFileSet(), others)
	if err != nil {
		return err
	}
	for _, p := range slices.Concat(here, elsewhere) {
		if p.syntax != nil && p.syntax.Name.Name == u.scope.name {
			known.add(p.condition, p.syntax)
		}
	}
	documented := map[string]bool{}
	for s := range u.pkg.All {
		documented[s.Path] = true
		if s.From == "" && len(known.files[s.Path]) > 0 {
			s.Constraint = known.condition(s.Path)
		}
	}
	missing := map[string]bool{}
	for path := range known.files {
		// go/doc omits functions whose result is a type that only other platforms declare.
		if !documented[path] || !known.on(u.target, path) {
			missing[path] = true
		}
	}
	slices.SortStableFunc(targets, func(a, b target) int { return strings.Count(a.tags, ",") - strings.Count(b.tags, ",") })
	return u.addElsewhere(known, missing, all, slices.AppendSeq(targets, everyTarget))
}

// addElsewhere reads the package for the given targets until all missing symbols
// have been found. Of the remaining ones, only the names are known.
func (u *unit) addElsewhere(known presence, missing map[string]bool, all []*goFile, targets []target) error {
	read := map[bool]int{} // number of targets, by whether they have build tags
	for _, t := range targets {
		if len(missing) == 0 {
			break
		}
		if read[t.tags != ""] == maxOtherTargets {
			continue
		}
		helps := false
		for path := range missing {
			helps = helps || known.on(t, path)
		}
		if !helps {
			continue
		}
		read[t.tags != ""]++
		files, err := parseFiles(u.ctx, u.fset, matching(all, t))
		if err != nil {
			return err
		}
		syntax := filesOf(files, u.scope.name)
		if len(syntax) == 0 {
			continue
		}
		other := u.unit(t, syntax)
		take := func(s apidoc.Symbol) {
			if missing[s.Path] {
				delete(missing, s.Path)
				s.Constraint, s.Group = known.condition(s.Path), 0
				if t.tags != "" {
					s.Constraint = "-tags " + t.tags + " (off)"
				}
				u.pkg.Elsewhere = append(u.pkg.Elsewhere, s)
			}
		}
		for _, s := range other.symbols() {
			if missing[s.Path] {
				for _, m := range s.Members {
					delete(missing, m.Path)
				}
				take(s)
				continue
			}
			for _, m := range s.Members {
				take(m)
			}
		}
	}
	u.pkg.Hidden = append(u.pkg.Hidden, slices.Sorted(maps.Keys(missing))...)
	return nil
}
