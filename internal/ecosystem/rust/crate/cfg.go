package crate

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// predicate is the condition of a #[cfg].
type predicate struct {
	op    string // "all", "any", "not", or "" for a name or a name with a value
	parts []*predicate
	name  string
	value string
	equal bool // whether the predicate is a name with a value
}

// maxPredicate is the maximum nesting depth of conditions.
const maxPredicate = 30

func parsePredicate(text string, depth int) *predicate {
	m := source.ParseMeta(text)
	if depth > maxPredicate {
		return &predicate{name: "false"}
	}
	switch {
	case m.HasArgs && (m.Path == "all" || m.Path == "any" || m.Path == "not"):
		p := &predicate{op: m.Path}
		for _, part := range source.Split(m.Args) {
			p.parts = append(p.parts, parsePredicate(part, depth+1))
		}
		return p
	case m.Value != "":
		value, _ := source.Unquote(m.Value)
		return &predicate{name: m.Path, value: value, equal: true}
	}
	return &predicate{name: m.Path}
}

// negatesFeature reports whether a feature that is on may make the condition false.
func (c *predicate) negatesFeature(negative bool) bool {
	if c.op == "not" {
		negative = !negative
	}
	return negative && c.equal && c.name == "feature" || slices.ContainsFunc(c.parts, func(part *predicate) bool { return part.negatesFeature(negative) })
}

// platform contains the values that cfg conditions test: the target and the options of the build.
type platform struct {
	flags    map[string]bool
	values   map[string][]string
	features map[string]bool
	declared map[string]bool
	anyFlag  bool // whether unknown options may be on
	// withoutRequested is the same platform without the features that are on only because the question
	// requests them, or nil if there are none.
	withoutRequested *platform
}

func newPlatform(src *Source) *platform {
	p := &platform{
		flags:  map[string]bool{"debug_assertions": true, "doc": true, "true": true, "overflow_checks": true, "ub_checks": true},
		values: map[string][]string{"panic": {"unwind"}}, features: map[string]bool{}, declared: map[string]bool{},
	}
	for _, f := range src.Features {
		p.features[f] = true
		p.declared[f] = true
	}
	for _, f := range src.Declared {
		p.declared[f] = true
	}
	if len(src.Requested) > 0 {
		others := *p // The copy shares flags and values, which are filled in below.
		others.features = maps.Clone(p.features)
		for _, f := range src.Requested {
			delete(others.features, f)
		}
		p.withoutRequested = &others
	}
	parts := strings.Split(src.Target, "-")
	arch, vendor, os, env := parts[0], "unknown", "none", ""
	if len(parts) > 1 {
		vendor = parts[1]
	}
	if len(parts) > 2 {
		os = parts[2]
	}
	if len(parts) > 3 {
		env = parts[3]
	}
	if len(parts) == 3 && (vendor == "linux" || vendor == "none") {
		vendor, os, env = "unknown", parts[1], parts[2]
	}
	abi := ""
	switch {
	case strings.HasSuffix(env, "eabihf"):
		env, abi = strings.TrimSuffix(env, "eabihf"), "eabihf"
	case strings.HasSuffix(env, "eabi"):
		env, abi = strings.TrimSuffix(env, "eabi"), "eabi"
	}
	unix := true
	family := "unix"
	switch os {
	case "darwin":
		os = "macos"
	case "windows":
		unix, family = false, "windows"
	case "none", "uefi", "unknown":
		unix, family = false, ""
	}
	if strings.HasPrefix(arch, "wasm") {
		unix, family = false, "wasm"
	}
	width := "64"
	rustArch := arch
	switch {
	case arch == "i386" || arch == "i586" || arch == "i686":
		rustArch, width = "x86", "32"
	case strings.HasPrefix(arch, "arm64"):
		rustArch = "aarch64"
	case strings.HasPrefix(arch, "arm") || strings.HasPrefix(arch, "thumb"):
		rustArch, width = "arm", "32"
	case arch == "wasm32" || strings.HasPrefix(arch, "riscv32"):
		width = "32"
	}
	if strings.HasPrefix(arch, "riscv") {
		rustArch = arch[:min(len(arch), 7)]
	}
	endian := "little"
	switch arch {
	case "powerpc", "powerpc64", "s390x", "sparc64", "mips", "mips64":
		endian = "big"
	}
	p.flags["unix"], p.flags["windows"] = unix, os == "windows"
	p.values["target_arch"] = []string{rustArch}
	p.values["target_vendor"] = []string{vendor}
	p.values["target_os"] = []string{os}
	p.values["target_env"] = []string{env}
	p.values["target_abi"] = []string{abi}
	p.values["target_family"] = []string{family}
	p.values["target_pointer_width"] = []string{width}
	p.values["target_endian"] = []string{endian}
	p.values["target_has_atomic"] = []string{"8", "16", "32", "64", "ptr"}
	if width == "32" && rustArch != "x86" && rustArch != "arm" && rustArch != "wasm32" {
		p.values["target_has_atomic"] = []string{"8", "16", "32", "ptr"}
	}
	p.values["target_has_atomic_load_store"] = p.values["target_has_atomic"]
	p.values["target_has_atomic_equal_alignment"] = p.values["target_has_atomic"]
	for _, name := range []string{"target_has_atomic", "target_has_atomic_load_store", "target_has_atomic_equal_alignment"} {
		p.flags[name] = true
	}
	p.flags["target_thread_local"] = true
	switch rustArch {
	case "x86_64":
		p.values["target_feature"] = []string{"fxsr", "sse", "sse2"}
	case "aarch64":
		p.values["target_feature"] = []string{"neon"}
	}
	return p
}

// holds reports whether a condition is true for the target and the features.
func (p *platform) holds(c *predicate) bool {
	switch c.op {
	case "all":
		return !slices.ContainsFunc(c.parts, func(part *predicate) bool { return !p.holds(part) })
	case "any":
		return slices.ContainsFunc(c.parts, p.holds)
	case "not":
		return len(c.parts) > 0 && !p.holds(c.parts[0])
	}
	switch {
	case !c.equal:
		return p.flags[c.name]
	case c.name == "feature":
		return p.features[c.value]
	}
	return slices.Contains(p.values[c.name], c.value)
}

// met returns the mark for conditions that are met.
func (p *platform) met(all []*predicate) string {
	if p.withoutRequested != nil && slices.ContainsFunc(all, func(c *predicate) bool { return !p.withoutRequested.holds(c) }) {
		return requestedMark
	}
	return onMark
}

// could reports whether a condition could be true, and whether it could be false, with
// other features or another target.
func (p *platform) could(c *predicate) (hold, fail bool) {
	switch c.op {
	case "all", "any":
		hold, fail = c.op == "all", c.op == "any"
		for _, part := range c.parts {
			h, f := p.could(part)
			if c.op == "all" {
				hold, fail = hold && h, fail || f
			} else {
				hold, fail = hold || h, fail && f
			}
		}
		return hold, fail
	case "not":
		if len(c.parts) == 0 {
			return false, true
		}
		h, f := p.could(c.parts[0])
		return f, h
	}
	switch {
	case c.equal && c.name == "feature":
		return p.declared[c.value], true
	case c.name == "unix", c.name == "windows", strings.HasPrefix(c.name, "target_"):
		return true, true
	}
	now := p.holds(c)
	if p.anyFlag && !now && c.name != "test" && c.name != "doc" && c.name != "false" {
		return true, true
	}
	return now, !now
}

// constraint returns conditions as text for users. It omits parts that do not depend on
// features or the target.
func (p *platform) constraint(all []*predicate) string {
	var parts []string
	for _, c := range all {
		for _, s := range p.parts(c) {
			if !slices.Contains(parts, s) {
				parts = append(parts, s)
			}
		}
	}
	if len(parts) > 1 {
		return "all(" + strings.Join(parts, ", ") + ")"
	}
	return strings.Join(parts, "")
}

// parts splits c into the conditions that must all hold, as text. It omits conditions that do not
// depend on features or the target.
func (p *platform) parts(c *predicate) []string {
	if _, fail := p.could(c); !fail {
		return nil
	}
	if c.op == "not" && p.holds(c) && !c.ofFeature() {
		return nil // true on nearly all targets
	}
	if c.op == "all" {
		var all []string
		for _, part := range c.parts {
			all = append(all, p.parts(part)...)
		}
		return all
	}
	return []string{p.text(c)}
}

// ofFeature reports whether a condition is about features.
func (c *predicate) ofFeature() bool {
	return c.equal && c.name == "feature" || slices.ContainsFunc(c.parts, (*predicate).ofFeature)
}

func (p *platform) text(c *predicate) string {
	if c.op == "" {
		if !c.equal {
			return c.name
		}
		return c.name + ` = "` + c.value + `"`
	}
	var parts []string
	for _, part := range c.parts {
		if hold, fail := p.could(part); c.op == "any" && !hold || c.op == "all" && !fail {
			continue
		}
		parts = append(parts, p.text(part))
	}
	if len(parts) == 1 && c.op != "not" {
		return parts[0]
	}
	return c.op + "(" + strings.Join(parts, ", ") + ")"
}
