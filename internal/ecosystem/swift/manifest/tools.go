package manifest

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

var toolsLine = lazyregexp.New(`(?i)^//\s*swift-tools-version\s*:\s*(\d+(?:\.\d+){0,2})`)

// oldest is the tools version of a manifest that does not state one.
var oldest = swiftpm.Version{Major: 3, Minor: 1}

// ToolsVersion returns the tools version in the comment at the start of a
// manifest, or 3.1 if there is none.
func ToolsVersion(text string) swiftpm.Version {
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := toolsLine().FindStringSubmatch(line)
		if m == nil {
			// Since Swift 6, other comments may precede it.
			if strings.HasPrefix(line, "//") {
				continue
			}
			break
		}
		return parseTools(m[1])
	}
	return oldest
}

// parseTools parses one to three numbers.
func parseTools(s string) swiftpm.Version {
	var v swiftpm.Version
	parts := strings.Split(s, ".")
	for i, into := range []*uint64{&v.Major, &v.Minor, &v.Patch} {
		if i < len(parts) {
			n, err := strconv.ParseUint(parts[i], 10, 32)
			if err != nil {
				return oldest
			}
			*into = n
		}
	}
	return v
}

var versioned = lazyregexp.New(`^Package@swift-(\d+)(?:\.(\d+))?(?:\.(\d+))?\.swift$`)

// Names returns the names of the manifests of a package, including those for
// particular versions of Swift.
func Names(root fs.FS) []string {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if e.Name() == "Package.swift" || versioned().MatchString(e.Name()) {
			all = append(all, e.Name())
		}
	}
	return all
}

// Choose returns the name of the manifest that SwiftPM uses with a compiler
// version, or "" if there is none. read returns the text of a manifest.
func Choose(names []string, compiler swiftpm.Version, read func(name string) (string, error)) string {
	best, bestVersion := "", swiftpm.Version{}
	regular := false
	for _, name := range names {
		m := versioned().FindStringSubmatch(name)
		if m == nil {
			regular = regular || name == "Package.swift"
			continue
		}
		v := versionOf(m)
		switch {
		case v == compiler, v.Major == compiler.Major && v.Minor == compiler.Minor && m[3] == "" && m[2] != "":
			// A manifest for exactly this version does not need a comparison.
			return name
		case v.Compare(compiler) <= 0 && (best == "" || v.Compare(bestVersion) > 0):
			best, bestVersion = name, v
		}
	}
	switch {
	case best == "" && regular:
		return "Package.swift"
	case best == "" || !regular:
		return best
	}
	plain, special := oldest, oldest
	if text, err := read("Package.swift"); err == nil {
		plain = ToolsVersion(text)
	}
	if text, err := read(best); err == nil {
		special = ToolsVersion(text)
	}
	if special.Compare(plain) > 0 || plain.Compare(compiler) > 0 {
		return best
	}
	return "Package.swift"
}

func versionOf(m []string) swiftpm.Version {
	parts := slices.DeleteFunc(slices.Clone(m[1:]), func(part string) bool { return part == "" })
	return parseTools(strings.Join(parts, "."))
}
