package modules

import (
	"path"
	"slices"
	"strings"
)

// variants returns the files with declarations to which a subpath refers under any conditions of exports, and in modes of
// resolution that ignore exports.
func (p *pkg) variants(sub string) (files []string) {
	e, star := p.manifest.exports, ""
	if e == nil {
		return nil
	}
	if isSubpaths(e) {
		e, star = matchKey(e, sub)
	}
	anyText(e, func(target string) bool {
		if f, ok := p.exported(strings.ReplaceAll(target, "*", star), typed); ok {
			files = append(files, f)
		}
		return len(files) > maxVariants
	})
	if f, ok := p.directSubpath(sub, typed); ok {
		files = append(files, f)
	}
	return files
}

// maxVariants is the maximum number of files that are read for one specifier.
const maxVariants = 20

// scriptVariant is a script that takes the place of another one on some platforms or in some bundlers.
type scriptVariant struct {
	file string
	// entry is true if it is an entry point under conditions that Node.js does not meet, such as browser.
	entry bool
}

// scriptVariants returns the scripts to which a subpath refers under any conditions of exports, and those that the fields
// browser and react-native of package.json name.
func (p *pkg) scriptVariants(sub string) (all []scriptVariant) {
	add := func(target string, entry bool) {
		if f, ok := p.exported("./"+path.Clean(target), untyped); ok && len(all) < maxVariants {
			all = append(all, scriptVariant{f, entry})
		}
	}
	e, star := p.manifest.exports, ""
	if e != nil && isSubpaths(e) {
		e, star = matchKey(e, sub)
	}
	if e != nil {
		eachTarget(e, false, func(target string, other bool) { add(strings.ReplaceAll(target, "*", star), other) })
	} else if sub == "." {
		add(p.manifest.main, false)
		add(p.manifest.module, false)
	}
	for _, v := range p.manifest.platforms {
		entry := v.kind == text && e == nil && sub == "."
		anyText(v, func(target string) bool {
			add(target, entry)
			return len(all) == maxVariants
		})
	}
	return all
}

// eachTarget calls f for each target in exports. other is true if Node.js does not meet the conditions of the target.
func eachTarget(v *value, other bool, f func(target string, other bool)) {
	if v.kind == text {
		f(v.str, other)
	}
	for _, i := range v.items {
		eachTarget(i, other, f)
	}
	for _, field := range v.fields {
		met, fallback := condition(field.name, typed)
		eachTarget(field.value, other || !met && !fallback && !slices.Contains(bundlerConditions, field.name), f)
	}
}

// bundlerConditions are conditions that bundlers meet for all platforms.
var bundlerConditions = []string{"module", "development", "production"}
