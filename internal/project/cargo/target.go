package cargo

import (
	"strings"
)

// Target is a target triple with the values that cfg(…) can test.
type Target struct {
	Triple string
	values map[string][]string // conditions with values
	names  map[string]bool     // conditions without values
}

// TripleFor returns the usual target triple for an operating system and an architecture specified
// by their names in Go, or "" if it is unknown.
func TripleFor(goos, goarch string) string {
	arch := map[string]string{
		"amd64": "x86_64", "arm64": "aarch64", "386": "i686", "arm": "armv7", "riscv64": "riscv64gc", "ppc64le": "powerpc64le",
		"s390x": "s390x", "wasm": "wasm32", "loong64": "loongarch64", "mips64le": "mips64el",
	}[goarch]
	system := map[string]string{
		"linux": "unknown-linux-gnu", "darwin": "apple-darwin", "windows": "pc-windows-msvc", "freebsd": "unknown-freebsd",
		"netbsd": "unknown-netbsd", "openbsd": "unknown-openbsd", "dragonfly": "unknown-dragonfly", "android": "linux-android",
		"ios": "apple-ios", "js": "unknown-unknown", "wasip1": "wasip1", "illumos": "unknown-illumos", "solaris": "pc-solaris",
	}[goos]
	switch {
	case arch == "" || system == "":
		return ""
	case goarch == "arm" && goos == "linux":
		system += "eabihf"
	}
	return arch + "-" + system
}

// NewTarget returns the target of a triple.
func NewTarget(triple string) *Target {
	t := &Target{Triple: triple, values: map[string][]string{}, names: map[string]bool{"panic": true}}
	parts := strings.Split(triple, "-")
	arch := parts[0]
	rest := triple[len(arch):]
	set := func(key, value string) { t.values[key] = append(t.values[key], value) }
	width, endian := "64", "little"
	switch {
	case strings.HasPrefix(arch, "i") && strings.HasSuffix(arch, "86"):
		arch, width = "x86", "32"
	case strings.HasPrefix(arch, "armv") || strings.HasPrefix(arch, "thumb") || arch == "arm" || arch == "armeb":
		arch, width = "arm", "32"
	case strings.HasPrefix(arch, "aarch64"), strings.HasPrefix(arch, "arm64"):
		arch = "aarch64"
	case strings.HasPrefix(arch, "riscv32"):
		arch, width = "riscv32", "32"
	case strings.HasPrefix(arch, "riscv64"):
		arch = "riscv64"
	case strings.HasPrefix(arch, "powerpc64"):
		if arch == "powerpc64" {
			endian = "big"
		}
		arch = "powerpc64"
	case arch == "powerpc":
		width, endian = "32", "big"
	case arch == "s390x", arch == "sparc64", arch == "sparcv9", arch == "mips64":
		endian = "big"
	case arch == "wasm32", arch == "mipsel":
		width = "32"
	case arch == "mips":
		width, endian = "32", "big"
	}
	set("target_arch", arch)
	set("target_pointer_width", width)
	set("target_endian", endian)
	for _, w := range []string{"8", "16", "32", "64", "ptr"} {
		if w != "64" || width == "64" || arch == "x86" || arch == "arm" {
			set("target_has_atomic", w)
		}
	}
	vendor := "unknown"
	for _, v := range []string{"apple", "pc", "uwp", "fortanix", "nintendo", "sony"} {
		if strings.Contains(rest, "-"+v) {
			vendor = v
		}
	}
	set("target_vendor", vendor)
	system, family, env := systemOf(rest)
	set("target_os", system)
	set("target_env", env)
	if family != "" {
		set("target_family", family)
		t.names[family] = true
	}
	if strings.HasPrefix(arch, "wasm") {
		set("target_family", "wasm")
	}
	set("panic", "unwind")
	t.names["debug_assertions"] = true
	return t
}

// systemOf returns the operating system, family and environment for the part of
// a triple after the architecture.
func systemOf(rest string) (system, family, env string) {
	for _, s := range []struct{ text, system, family string }{
		{"windows", "windows", "windows"}, {"android", "android", "unix"}, {"linux", "linux", "unix"}, {"darwin", "macos", "unix"},
		{"ios", "ios", "unix"}, {"tvos", "tvos", "unix"}, {"watchos", "watchos", "unix"}, {"visionos", "visionos", "unix"},
		{"freebsd", "freebsd", "unix"}, {"netbsd", "netbsd", "unix"}, {"openbsd", "openbsd", "unix"}, {"dragonfly", "dragonfly", "unix"},
		{"solaris", "solaris", "unix"}, {"illumos", "illumos", "unix"}, {"emscripten", "emscripten", "unix"}, {"wasi", "wasi", ""},
		{"uefi", "uefi", ""}, {"fuchsia", "fuchsia", "unix"}, {"redox", "redox", "unix"}, {"haiku", "haiku", "unix"}, {"hermit", "hermit", ""},
	} {
		if strings.Contains(rest, s.text) {
			system, family = s.system, s.family
			break
		}
	}
	if system == "" {
		return "none", "", ""
	}
	if strings.HasSuffix(rest, "unknown-unknown") {
		return "unknown", "", ""
	}
	for _, e := range []string{"gnu", "musl", "msvc", "uclibc", "sgx", "ohos", "newlib"} {
		if strings.Contains(rest, e) {
			return system, family, e
		}
	}
	return system, family, ""
}

// maxNesting is the maximum nesting depth of cfg(…).
const maxNesting = 64

// Matches reports whether a dependency applies to the target. s is a triple or
// cfg(…). A malformed s matches nothing.
func (t *Target) Matches(s string) bool {
	inner, ok := strings.CutPrefix(strings.TrimSpace(s), "cfg(")
	if !ok {
		return s == t.Triple
	}
	value, rest, ok := t.cfg(inner, 0)
	return ok && value && strings.TrimSpace(rest) == ")"
}

// cfg evaluates the predicate at the beginning of s. It returns the value and the rest of s. ok is
// false if the predicate is invalid.
func (t *Target) cfg(s string, depth int) (value bool, rest string, ok bool) {
	if depth > maxNesting {
		return false, s, false
	}
	s = strings.TrimLeft(s, " \t\r\n")
	end := 0
	for end < len(s) && (s[end] == '_' || s[end] == '-' || s[end] >= '0' && s[end] <= '9' || s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z') {
		end++
	}
	name := s[:end]
	s = strings.TrimLeft(s[end:], " \t\r\n")
	switch {
	case name == "":
		return false, s, false
	case strings.HasPrefix(s, "("):
		return t.combined(name, s[1:], depth)
	case strings.HasPrefix(s, "="):
		s = strings.TrimLeft(s[1:], " \t\r\n")
		if !strings.HasPrefix(s, `"`) {
			return false, s, false
		}
		literal, after, found := strings.Cut(s[1:], `"`)
		if !found {
			return false, s, false
		}
		for _, v := range t.values[name] {
			value = value || v == literal
		}
		return value, after, true
	}
	return name == "true" || name != "false" && t.names[name], s, true
}

// combined evaluates all(…), any(…) or not(…). s begins after the opening parenthesis. ok is false
// if the predicate is invalid.
func (t *Target) combined(name, s string, depth int) (value bool, rest string, ok bool) {
	all, any, count := true, false, 0
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		if after, found := strings.CutPrefix(s, ")"); found {
			rest = after
			break
		}
		var v bool
		if v, s, ok = t.cfg(s, depth+1); !ok {
			return false, s, false
		}
		all, any = all && v, any || v
		count++
		s = strings.TrimLeft(s, " \t\r\n")
		if after, found := strings.CutPrefix(s, ","); found {
			s = after
		} else if !strings.HasPrefix(s, ")") {
			return false, s, false
		}
	}
	switch name {
	case "all":
		return all, rest, true
	case "any":
		return any, rest, true
	case "not":
		return !all, rest, count == 1
	}
	return false, rest, false
}
