package godoc

import (
	"bytes"
	"fmt"
	"go/build"
	"go/build/constraint"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// target is the platform for which files are chosen. Cgo counts as enabled on
// every platform that supports it: files that import "C" belong to the API,
// too, and nothing is compiled.
type target struct {
	os, arch string
	noCgo    bool
	tags     string // build tags that a user sets, separated by commas
}

func (t target) String() string { return t.os + "/" + t.arch }

// describe returns the target's name for messages.
func (t target) describe() string {
	if t.noCgo {
		return t.String() + " without cgo"
	}
	return t.String()
}

// parseTarget parses "GOOS/GOARCH". If platform is empty, it returns the platform of this program.
func parseTarget(platform string) (target, error) {
	if platform == "" {
		return target{os: runtime.GOOS, arch: runtime.GOARCH}, nil
	}
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok || !knownOS[goos] || !knownArch[goarch] {
		return target{}, &ecosystem.Error{
			Reason: ecosystem.Invalid,
			What:   fmt.Sprintf("%.40q is not a Go platform", platform),
			Next:   `specify GOOS/GOARCH, for example "linux/amd64" or "windows/arm64"`,
		}
	}
	return target{os: goos, arch: goarch}, nil
}

// has reports whether a build tag is satisfied on t, given the Go release and the experiments of
// the toolchain that built this program.
func (t target) has(tag string) bool {
	switch tag {
	case t.os, t.arch, build.Default.Compiler:
		return true
	case "unix":
		return unixOS[t.os]
	case "cgo":
		return !t.noCgo
	case kin[t.os]:
		return true
	}
	return t.tags != "" && slices.Contains(strings.Split(t.tags, ","), tag) || slices.Contains(build.Default.ReleaseTags, tag) || slices.Contains(build.Default.ToolTags, tag)
}

// matches reports whether a file with the given build condition is part of its package on t. A nil
// condition always holds.
func (t target) matches(condition constraint.Expr) bool {
	return condition == nil || condition.Eval(t.has)
}

// everyTarget yields every platform that Go supports, common ones first, all
// with cgo and then all without.
func everyTarget(yield func(target) bool) {
	for _, noCgo := range []bool{false, true} {
		for platform := range strings.FieldsSeq(ports) {
			goos, goarch, _ := strings.Cut(platform, "/")
			if !yield(target{os: goos, arch: goarch, noCgo: noCgo}) {
				return
			}
		}
	}
}

// somewhere reports whether condition holds on at least one platform. If it
// does not, it requires tags that only a user can set, such as "ignore".
func somewhere(condition constraint.Expr) bool {
	if condition == nil {
		return true
	}
	for t := range everyTarget {
		if t.matches(condition) {
			return true
		}
	}
	return false
}

// isUserTag reports whether users set a build tag with the option -tags. They do not set those of
// toolchains, or ignore, which by convention excludes a file from its package.
func isUserTag(tag string) bool {
	switch tag {
	case "ignore", "gc", "gccgo", "cgo", "unix":
		return false
	}
	return !knownOS[tag] && !knownArch[tag] && !strings.HasPrefix(tag, "go1.") && !strings.HasPrefix(tag, "goexperiment.")
}

// withTags returns t with the build tags that a condition requires, if a user can set them so that
// the condition holds.
func (t target) withTags(condition constraint.Expr) (tagged target, ok bool) {
	if condition == nil || somewhere(condition) {
		return t, false
	}
	t.tags = strings.Join(userTags(condition, false), ",")
	if t.matches(condition) {
		return t, true
	}
	return t, false
}

// userTags returns the build tags in a condition, which may be negated, that users set to satisfy it.
func userTags(condition constraint.Expr, negated bool) []string {
	switch x := condition.(type) {
	case *constraint.NotExpr:
		return userTags(x.X, !negated)
	case *constraint.AndExpr:
		return append(userTags(x.X, negated), userTags(x.Y, negated)...)
	case *constraint.OrExpr:
		return append(userTags(x.X, negated), userTags(x.Y, negated)...)
	case *constraint.TagExpr:
		if !negated && isUserTag(x.Tag) {
			return []string{x.Tag}
		}
	}
	return nil
}

// IsElsewhere reports whether a source file is built on other platforms or with build tags that a
// user sets, but not by default on the platform of this program.
func IsElsewhere(name string, src []byte) bool {
	condition := fileCondition(name, src)
	host, err := parseTarget("")
	if err != nil || host.matches(condition) {
		return false
	}
	_, tagged := host.withTags(condition)
	return tagged || somewhere(condition)
}

// IsUnsupported reports whether a source file is built only on platforms that only forks of Go support, such as z/OS, or
// only by TinyGo. Their standard libraries have additional declarations.
func IsUnsupported(name string, src []byte) bool {
	condition := fileCondition(name, src)
	if condition == nil || somewhere(condition) {
		return false
	}
	if slices.Contains(userTags(condition, false), "tinygo") {
		return true
	}
	for goos := range knownOS {
		for goarch := range knownArch {
			if (target{os: goos, arch: goarch}).matches(condition) {
				return true
			}
		}
	}
	return false
}

// everywhere reports whether condition holds on all platforms.
func everywhere(condition constraint.Expr) bool {
	for t := range everyTarget {
		if !t.matches(condition) {
			return false
		}
	}
	return true
}

// possibleWithoutCgo reports whether condition can hold without cgo.
func possibleWithoutCgo(condition constraint.Expr) bool {
	for t := range everyTarget {
		if t.noCgo && t.matches(condition) {
			return true
		}
	}
	return false
}

// fileCondition returns the build condition of a file, from its name and the
// lines above its package clause, or nil if it has none.
func fileCondition(name string, src []byte) constraint.Expr {
	return and(nameCondition(name), lineCondition(src))
}

func and(x, y constraint.Expr) constraint.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return &constraint.AndExpr{X: x, Y: y}
}

// nameCondition parses the suffixes _GOOS, _GOARCH and _GOOS_GOARCH. The part before the first
// underscore is ignored, so linux.go is for all systems. It returns nil if the name has no such
// suffix.
func nameCondition(name string) constraint.Expr {
	name, _, _ = strings.Cut(path.Base(name), ".")
	_, name, ok := strings.Cut(strings.TrimSuffix(name, "_test"), "_")
	if !ok {
		return nil
	}
	parts := strings.Split(name, "_")
	last := parts[len(parts)-1]
	switch {
	case len(parts) >= 2 && knownOS[parts[len(parts)-2]] && knownArch[last]:
		return and(&constraint.TagExpr{Tag: parts[len(parts)-2]}, &constraint.TagExpr{Tag: last})
	case knownOS[last], knownArch[last]:
		return &constraint.TagExpr{Tag: last}
	}
	return nil
}

// maxPlusBuild is the maximum number of "+build" lines in a file.
const maxPlusBuild = 100

// lineCondition parses the "//go:build" line among the comments at the start of
// a file, or the older "// +build" lines, which count only if a blank line
// follows them. Invalid lines are skipped.
func lineCondition(src []byte) constraint.Expr {
	var plus, pending constraint.Expr
	for lines := 0; len(src) > 0; {
		line, rest, _ := bytes.Cut(src, []byte{'\n'})
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
			plus, pending = and(plus, pending), nil
		case bytes.HasPrefix(line, []byte("/*")):
			_, after, closed := bytes.Cut(src, []byte("*/"))
			if !closed {
				return plus
			}
			rest = after
		case !bytes.HasPrefix(line, []byte("//")):
			return plus
		case constraint.IsGoBuild(string(line)):
			if x, err := constraint.Parse(string(line)); err == nil {
				return x
			}
		case lines < maxPlusBuild && constraint.IsPlusBuild(string(line)):
			lines++
			if x, err := constraint.Parse(string(line)); err == nil {
				pending = and(pending, x)
			}
		}
		src = rest
	}
	return plus
}

// ports are the platforms that Go 1.26 compiles for.
const ports = `
	linux/amd64 windows/amd64 darwin/arm64 linux/arm64 darwin/amd64 freebsd/amd64
	js/wasm wasip1/wasm android/arm64 ios/arm64 windows/arm64 openbsd/amd64
	netbsd/amd64 dragonfly/amd64 solaris/amd64 illumos/amd64 aix/ppc64 plan9/amd64
	linux/386 linux/arm linux/loong64 linux/mips linux/mips64 linux/mips64le
	linux/mipsle linux/ppc64 linux/ppc64le linux/riscv64 linux/s390x windows/386
	freebsd/386 freebsd/arm freebsd/arm64 netbsd/386 netbsd/arm netbsd/arm64
	openbsd/386 openbsd/arm openbsd/arm64 openbsd/ppc64 openbsd/riscv64
	android/386 android/amd64 android/arm ios/amd64 plan9/386 plan9/arm`

// These are the systems and architectures recognized in file names, including
// obsolete ones.
var (
	knownOS = set(`aix android darwin dragonfly freebsd hurd illumos ios js linux nacl
		netbsd openbsd plan9 solaris wasip1 windows zos`)
	knownArch = set(`386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64
		mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc
		sparc64 wasm`)
	// kin maps a system to another system whose tag holds on it, too.
	kin    = map[string]string{"android": "linux", "illumos": "solaris", "ios": "darwin"}
	unixOS = set(`aix android darwin dragonfly freebsd hurd illumos ios linux netbsd
		openbsd solaris`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}
