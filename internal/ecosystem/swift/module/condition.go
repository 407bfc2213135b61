package module

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// platform contains the values that conditions test.
type platform struct {
	os, arch        string // names in os() and arch()
	environment     string // value of targetEnvironment(), such as "simulator" or "macCatalyst"
	swift, compiler []int
	release         bool
	traits          []string
}

// These are the newest versions of the language and the compiler that docent supports.
var (
	newestSwift    = []int{6, 3}
	newestCompiler = []int{6, 3, 1}
)

// systems maps lower-case names of operating systems, including Go's, to the names used in os().
var systems = map[string]string{
	"linux": "Linux", "macos": "macOS", "macosx": "macOS", "osx": "macOS", "darwin": "macOS", "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS",
	"visionos": "visionOS", "xros": "visionOS", "windows": "Windows", "android": "Android", "freebsd": "FreeBSD", "openbsd": "OpenBSD", "wasi": "WASI", "wasip1": "WASI",
	"maccatalyst": "iOS",
}

// architectures maps names of architectures, including Go's, to the names used in
// arch().
var architectures = map[string]string{
	"amd64": "x86_64", "x86_64": "x86_64", "arm64": "arm64", "aarch64": "arm64", "386": "i386", "i386": "i386", "arm": "arm", "riscv64": "riscv64",
	"ppc64le": "powerpc64le", "s390x": "s390x", "wasm": "wasm32", "wasm32": "wasm32",
}

// newPlatform parses a platform such as "Linux/x86_64", "macOS/arm64" or "iOS/arm64/simulator".
func newPlatform(p *Package) platform {
	parts := append(strings.SplitN(p.Platform, "/", 3), "", "", "")
	out := platform{os: systems[strings.ToLower(parts[0])], arch: architectures[strings.ToLower(parts[1])], environment: parts[2], release: p.Release, traits: p.Traits}
	if strings.EqualFold(parts[0], "macCatalyst") {
		out.environment = "macCatalyst"
	}
	out.os = cmp.Or(out.os, "Linux")
	out.arch = cmp.Or(out.arch, "x86_64")
	out.swift, out.compiler = version(p.Swift), version(p.Compiler)
	if out.swift == nil {
		out.swift = newestSwift
	}
	if out.compiler == nil {
		out.compiler = newestCompiler
	}
	return out
}

// apple reports whether it is one of Apple's platforms.
func (p *platform) apple() bool {
	switch p.os {
	case "macOS", "iOS", "tvOS", "watchOS", "visionOS":
		return true
	}
	return false
}

// version parses numbers separated by dots. It returns nil if there are none.
func version(text string) []int {
	var all []int
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			break
		}
		all = append(all, n)
	}
	return all
}

// conditions evaluates #if conditions for the files of one module.
type conditions struct {
	platform *platform
	defines  []string
	features []string
	// canImport reports whether the package or a dependency contains a module.
	canImport func(name string) bool
	known     map[*source.Condition]bool
}

// hold reports whether all conditions hold.
func (c *conditions) hold(all []*source.Condition) bool {
	return !slices.ContainsFunc(all, func(cond *source.Condition) bool { return !c.holds(cond) })
}

// holds reports whether a clause of an #if is compiled.
func (c *conditions) holds(cond *source.Condition) bool {
	if v, ok := c.known[cond]; ok {
		return v
	}
	v := c.decide(cond)
	c.known[cond] = v
	return v
}

func (c *conditions) decide(cond *source.Condition) bool {
	if cond.Expr != nil && !c.expr(cond.Expr) {
		return false
	}
	for before := cond.Before; before != nil; before = before.Before {
		if before.Expr == nil || c.expr(before.Expr) {
			return false
		}
	}
	return true
}

// expr evaluates an expression. The value of an expression that cannot be parsed is false.
func (c *conditions) expr(e *source.ConditionExpr) bool {
	if e == nil {
		return false
	}
	switch e.Op {
	case source.Flag:
		return c.flag(e.Name)
	case source.Test:
		return c.test(e.Name, strings.TrimSpace(e.Arg))
	case source.Not:
		return !c.expr(e.Left)
	case source.And:
		return c.expr(e.Left) && c.expr(e.Right)
	case source.Or:
		return c.expr(e.Left) || c.expr(e.Right)
	}
	return false
}

func (c *conditions) flag(name string) bool {
	switch name {
	case "true":
		return true
	case "false":
		return false
	case "DEBUG":
		return !c.platform.release
	case "SWIFT_PACKAGE":
		return true
	}
	if feature, ok := strings.CutPrefix(name, "$"); ok {
		return c.feature(feature)
	}
	return slices.Contains(c.defines, name) || slices.Contains(c.platform.traits, name)
}

func (c *conditions) test(name, arg string) bool {
	p := c.platform
	switch name {
	case "os":
		switch arg {
		case "OSX":
			arg = "macOS"
		case "xrOS":
			arg = "visionOS"
		}
		return arg == p.os
	case "arch":
		return arg == p.arch
	case "targetEnvironment":
		return arg == p.environment && arg != "" || arg == "macabi" && p.environment == "macCatalyst"
	case "swift":
		return compares(p.swift, arg)
	case "compiler":
		return compares(p.compiler, arg)
	case "canImport":
		return c.importable(arg)
	case "hasFeature":
		return c.feature(arg)
	case "hasAttribute":
		return true
	case "_endian":
		return arg == "little" && p.arch != "s390x"
	case "_pointerBitWidth":
		switch p.arch {
		case "i386", "arm", "wasm32":
			return arg == "_32"
		}
		return arg == "_64"
	case "_runtime":
		return arg == "_ObjC" == p.apple() && (arg == "_ObjC" || arg == "_Native") || arg == "_multithreaded" && p.os != "WASI"
	case "_hasAtomicBitWidth":
		return arg == "_8" || arg == "_16" || arg == "_32" || arg == "_64" || arg == "_128"
	case "objectFormat":
		switch {
		case p.apple():
			return arg == "MachO"
		case p.os == "Windows":
			return arg == "COFF"
		case p.os == "WASI":
			return arg == "Wasm"
		}
		return arg == "ELF"
	case "_ptrauth":
		return false
	}
	return false
}

// compares reports whether a version passes a test such as ">=5.9" or "<6".
func compares(v []int, arg string) bool {
	less := strings.HasPrefix(arg, "<")
	if !less && !strings.HasPrefix(arg, ">=") {
		return false
	}
	want := version(strings.TrimSpace(strings.TrimLeft(arg, "<>=")))
	// Missing components of a version are zero.
	for i := range max(len(v), len(want)) {
		var a, b int
		if i < len(v) {
			a = v[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if a != b {
			return less == (a < b)
		}
	}
	return !less
}

// importable reports whether canImport holds. It ignores submodules and versions.
func (c *conditions) importable(arg string) bool {
	name, _, _ := strings.Cut(arg, ",")
	name, _, _ = strings.Cut(strings.TrimSpace(name), ".")
	return c.platform.has(name) || c.canImport != nil && c.canImport(name)
}

// modeFeatures maps features to the lowest language mode that enables them.
var modeFeatures = map[string]int{
	"ConciseMagicFile": 6, "ForwardTrailingClosures": 6, "StrictConcurrency": 6, "BareSlashRegexLiterals": 6, "ImportObjcForwardDeclarations": 6,
	"DisableOutwardActorInference": 6, "InternalImportsByDefault": 99, "IsolatedDefaultValues": 6, "GlobalConcurrency": 6, "RegionBasedIsolation": 6,
	"InferSendableFromCaptures": 6, "ImplicitOpenExistentials": 6, "DeprecateApplicationMain": 6, "DynamicActorIsolation": 6, "GlobalActorIsolatedTypesUsability": 6,
	"NonfrozenEnumExhaustivity": 6, "ExistentialAny": 99, "MemberImportVisibility": 99, "NonisolatedNonsendingByDefault": 99,
}

// feature reports whether hasFeature holds. A feature that has become part of the
// language is enabled.
func (c *conditions) feature(name string) bool {
	if slices.ContainsFunc(c.features, func(f string) bool { return f == name || strings.HasPrefix(f, name+"=") }) {
		return true
	}
	if mode, ok := modeFeatures[name]; ok {
		return c.platform.swift[0] >= mode
	}
	_, ok := newestFeatures[name]
	return ok
}

// newestFeatures are the features of the newest compiler that docent supports.
var newestFeatures = map[string]struct{}{
	"AsyncAwait": {}, "Actors": {}, "EffectfulProp": {}, "MarkerProtocol": {}, "GlobalActors": {}, "SendableCompletionHandlers": {}, "BuiltinTypes": {},
	"PrimaryAssociatedTypes2": {}, "UnavailableFromAsync": {}, "NoAsyncAvailability": {}, "ParameterPacks": {}, "Macros": {}, "FreestandingMacros": {}, "AttachedMacros": {},
	"ExtensionMacros": {}, "MoveOnly": {}, "NoncopyableGenerics": {}, "TypedThrows": {}, "SendingArgsAndResults": {}, "OptionalIsolatedParameters": {},
	"BorrowingSwitch": {}, "ConformanceSuppression": {}, "BitwiseCopyable": {}, "NonescapableTypes": {}, "IsolatedAny": {}, "IsolatedAny2": {}, "Extern": {},
	"ExpressionMacroDefaultArguments": {}, "AssociatedTypeImplements": {}, "InlineArrayTypeSugar": {}, "ValueGenerics": {}, "IsolatedDeinit": {},
	"LifetimeDependenceMutableAccessors": {}, "GeneralizedIsSameMetaTypeBuiltin": {},
}

// conditionText returns the conditions under which a declaration exists, in the
// syntax of #if.
func conditionText(all []*source.Condition) string {
	var parts []string
	add := func(text string, not bool) {
		text = strings.Join(strings.Fields(text), " ")
		switch {
		case not && strings.ContainsAny(text, "&| "):
			text = "!(" + text + ")"
		case not:
			text = "!" + text
		}
		if text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	for _, c := range all {
		var before []string
		for b := c.Before; b != nil && c.Expr == nil; b = b.Before {
			before = append(before, b.Text)
		}
		for _, text := range slices.Backward(before) {
			add(text, true)
		}
		add(c.Text, false)
	}
	if len(parts) > 1 {
		for i, p := range parts {
			if strings.Contains(p, "||") && !strings.HasPrefix(p, "!(") {
				parts[i] = "(" + p + ")"
			}
		}
	}
	return strings.Join(parts, " && ")
}
