package module

import (
	"strings"
	"testing"
)

// TestConditions_OfPlatforms checks on which platforms a declaration in #if is shown, and
// where else.
func TestConditions_OfPlatforms(t *testing.T) {
	platforms := []string{"linux/amd64", "macOS/arm64", "iOS/arm64/simulator", "macCatalyst/arm64", "windows/amd64", "wasi/wasm", "android/arm", "linux/s390x"}
	for condition, want := range map[string]string{
		"os(Linux)":            "linux/amd64 linux/s390x",
		"os(macOS) || os(OSX)": "macOS/arm64",
		"os(iOS) && !targetEnvironment(macCatalyst)":      "iOS/arm64/simulator",
		"targetEnvironment(macCatalyst)":                  "macCatalyst/arm64",
		"targetEnvironment(macabi)":                       "macCatalyst/arm64",
		"targetEnvironment(simulator)":                    "iOS/arm64/simulator",
		"os(visionOS) || os(xrOS)":                        "",
		"arch(x86_64)":                                    "linux/amd64 windows/amd64",
		"arch(arm64) && _runtime(_ObjC)":                  "macOS/arm64 iOS/arm64/simulator macCatalyst/arm64",
		"_runtime(_Native)":                               "linux/amd64 windows/amd64 wasi/wasm android/arm linux/s390x",
		"_endian(big)":                                    "",
		"!_endian(little)":                                "linux/s390x",
		"_pointerBitWidth(_32)":                           "wasi/wasm android/arm",
		"objectFormat(ELF)":                               "linux/amd64 android/arm linux/s390x",
		"objectFormat(MachO)":                             "macOS/arm64 iOS/arm64/simulator macCatalyst/arm64",
		"objectFormat(COFF) || objectFormat(Wasm)":        "windows/amd64 wasi/wasm",
		"canImport(Darwin)":                               "macOS/arm64 iOS/arm64/simulator macCatalyst/arm64",
		"canImport(UIKit)":                                "iOS/arm64/simulator macCatalyst/arm64",
		"canImport(AppKit) || canImport(Cocoa.Something)": "macOS/arm64",
		"canImport(Glibc)":                                "linux/amd64 linux/s390x",
		"canImport(WinSDK)":                               "windows/amd64",
		"canImport(WASILibc)":                             "wasi/wasm",
		"!canImport(Dispatch)":                            "wasi/wasm",
		"canImport(Other, _version: 3)":                   strings.Join(platforms, " "),
		"canImport(Nowhere)":                              "",
		"swift(>=5.9) && compiler(<99.1) && swift(<7)":    strings.Join(platforms, " "),
		"swift(<5.9) || compiler(>6) || swift(6)":         "",
		"hasFeature(TypedThrows) && $Macros && !hasFeature(ExistentialAny)": strings.Join(platforms, " "),
		"hasFeature(Nothing) || $Nothing":                                   "",
		"true && !false && DEBUG && SWIFT_PACKAGE":                          strings.Join(platforms, " "),
		"hasAttribute(available) && !_ptrauth(_arm64e)":                     strings.Join(platforms, " "),
		"somethingNew(x)":                   "",
		"1 + 2":                             "",
		"os(Linux) || os(macOS) && os(iOS)": "linux/amd64 linux/s390x",
		"(os(Linux) || os(macOS)) && !arch(x86_64)": "macOS/arm64 linux/s390x",
	} {
		var got []string
		for _, name := range platforms {
			p := packageOf("-- M/a.swift --\nimport Other\n#if " + condition + "\npublic func f() {}\n#endif\n-- Other/o.swift --\npublic func o() {}\n")
			p.Platform = name
			if len(read(t, p).Symbols) > 0 {
				got = append(got, name)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("#if %s: shown on %q, want %q", condition, s, want)
		}
	}
}

// TestConditions_OfSettings checks conditions on the language mode, traits, definitions
// and the configuration.
func TestConditions_OfSettings(t *testing.T) {
	for condition, want := range map[string]string{
		"swift(>=6)": "no yes", "hasFeature(StrictConcurrency)": "no yes", "compiler(>=6.2)": "no yes", "DEBUG": "no yes", "Leaves": "yes no", "FLAG": "yes no", "$Lifetimes && hasFeature(Strict)": "yes no",
	} {
		old := packageOf("-- M/a.swift --\n#if " + condition + "\npublic func f() {}\n#endif\n")
		current := packageOf("-- M/a.swift --\n#if " + condition + "\npublic func f() {}\n#endif\n")
		old.Swift, old.Compiler, old.Release, old.Traits = "5", "6.1", true, []string{"Leaves"}
		old.Targets[0].Defines, old.Targets[0].Features = []string{"FLAG"}, []string{"Lifetimes", "Strict=minimal"}
		var got []string
		for _, p := range []Package{old, current} {
			answer := "no"
			if len(read(t, p).Symbols) > 0 {
				answer = "yes"
			}
			got = append(got, answer)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("#if %s: %s, want %s", condition, s, want)
		}
	}
}

func TestAvailability_OfDeclarations(t *testing.T) {
	const text = `
@available(macOS 12, iOS 15, *) public struct S {
  public func inherited() {}
  @available(macOS 13, *) public func later() {}
  @available(macOS, deprecated: 14, message: "Use later().") public func old() {}
  @available(*, deprecated, renamed: "later()") public func renamed() {}
}
@available(iOS 17, *) extension S { public func onPhones() {} }
@available(Kit 2, *) public func byMacro() {}
@available(swift, obsoleted: 5) public func obsolete() {}
@available(swift, introduced: 5.5) public func modern() {}
#if os(macOS)
@available(macOS 26, *)
#else
@available(iOS 26, *)
#endif
public func either() {}
@available(macOS 13, *) @available(macOS 14, *) public func twice() {}
@available(macOS, introduced: 12, deprecated: 13, obsoleted: 15) public func gone() {}
`
	p := packageOf("-- M/a.swift --\n" + text)
	p.Platform, p.Targets[0].Features = "macOS/arm64", []string{"AvailabilityMacro=Kit 2:macOS 11.5, iOS 14.5"}
	got := strings.Join(lines(read(t, p).Symbols, 0), "\n")
	const want = `@available(macOS 12, *) | struct S
  func inherited()
  @available(macOS 13, *) | func later()
  func old() (deprecated: Since macOS 14. Use later().)
  func renamed() (deprecated: Use later().)
  func onPhones()
@available(macOS 11.5, *) | func byMacro()
func modern()
@available(macOS 26, *) | func either()
@available(macOS 14, *) | func twice()
@available(macOS 12, *) | @available(macOS, obsoleted: 15) | func gone() (deprecated: Since macOS 13.)`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
