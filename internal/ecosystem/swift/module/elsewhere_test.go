package module

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// TestOwnPackage reads one of the user's own packages.
func TestOwnPackage(t *testing.T) {
	p := packageOf("package struct P { package init() {}; var hidden = 1 }\npublic extension P { package func f() {} }\n")
	if got := lines(read(t, p).Symbols, 0); len(got) > 0 {
		t.Errorf("another's package shows %q", got)
	}
	p.Own = true
	want := []string{"struct P", "  init()", "  func f()"}
	if got := lines(read(t, p).Symbols, 0); !slices.Equal(got, want) {
		t.Errorf("the user's own package shows %q, want %q", got, want)
	}
}

// TestOtherPlatforms reads one source for several platforms, each of which has its own
// declarations.
func TestOtherPlatforms(t *testing.T) {
	p := packageOf(`#if os(macOS)
public func mac() {}
#elseif os(Windows)
public func windows() {}
#elseif canImport(UIKit)
public func uikit() {}
#else
public func other() {}
#endif
@available(macOS 12, iOS 15, *) public struct S { public func f() {}; @available(macOS 13, *) public func g() {} }
`)
	for platform, want := range map[string][]string{
		"darwin/arm64":        {"func mac()", "@available(macOS 12, *) | struct S", "  func f()", "  @available(macOS 13, *) | func g()"},
		"Windows/x86_64":      {"func windows()", "struct S", "  func f()", "  func g()"},
		"iOS/arm64/simulator": {"func uikit()", "@available(iOS 15, *) | struct S", "  func f()", "  func g()"},
		"linux/arm64":         {"func other()", "struct S", "  func f()", "  func g()"},
	} {
		p.Platform = platform
		if got := lines(read(t, p).Symbols, 0); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", platform, got, want)
		}
	}
}

// TestRefs checks which types the names in signatures refer to.
func TestRefs(t *testing.T) {
	p := read(t, packageOf(`
public struct Outer { public struct Options { public init() {} }; public func run(_ o: Options) -> Outer {} ; public enum Error {} }
public struct Other { public struct Options {} ; public func go(_ o: Outer.Options, _ e: Error) {} }
extension Outer { public func fail() -> Error {} }
public struct Own { public enum Error: Error {}; public struct Value: Value {} }
public struct Value {}
public struct Box<Value> { public func get(_ v: Value) -> Value {} }
`))
	for path, want := range map[string][]apidoc.Ref{
		"Outer.run(_:)":  {{Name: "Options", Path: "Outer.Options"}},
		"Other.go(_:_:)": {{Name: "Error", Package: "Swift", Path: "Error"}},
		"Outer.fail()":   {{Name: "Error", Path: "Outer.Error"}},
		"Own.Error":      {{Name: "Error", Package: "Swift", Path: "Error"}},
		"Own.Value":      {{Name: "Value", Path: "Value"}},
		"Box.get(_:)":    {{Name: "Value", Path: "Box.Value"}},
	} {
		s, err := naming.Find(p, path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Refs, want) {
			t.Errorf("%s refers to %v, want %v", path, s.Refs, want)
		}
	}
}

// TestImported infers types from C functions and constants.
func TestImported(t *testing.T) {
	p := packageOf(`-- M/a.swift --
import CLib
public enum E {
  public static let add = c_add, each = c_each, limit = C_LIMIT, name = C_NAME, level = CLib.c_level, free = c_free, make = c_make
  public static let unknown = c_callback, renamed = c_renamed, other = c_other, size = c_size, pairs = c_pairs
}
`)
	p.Targets = append(p.Targets, Target{Name: "CLib", C: true, Files: []string{"CLib/include/c.h"}})
	files, ok := p.Root.(fstest.MapFS)
	if !ok {
		t.Fatal("the files are no map")
	}
	files["CLib/include/c.h"] = &fstest.MapFile{Data: []byte(`
#define C_LIMIT (-12)
#define C_NAME "c"
typedef struct c_pair_s { int a, b; } c_pair;
typedef struct c_hidden c_hidden_t;
typedef unsigned int c_count;
enum c_kind { C_ONE };
extern const unsigned long c_level;
#define C_OPERATION(type, name) type c_##name(type a, type b);
C_OPERATION(unsigned char, add)
void c_each(const c_pair *_Nonnull first, struct c_pair_s *second, const char *_Nullable name, c_count n);
void c_free(c_hidden_t *_Nonnull h, struct c_nowhere *other, const void *raw);
c_hidden_t *c_make(enum c_kind kind, int_least8_t width, long double);
void c_callback(void (*f)(int));
int c_renamed(void) __attribute__((swift_name("renamed()")));
other_t c_other(void);
size_t c_size(void);
int c_pairs(c_pair **all);
`)}
	out := read(t, p)
	want := `enum E
  static let add: @Sendable (UInt8, UInt8) -> UInt8
  static let each: @Sendable (UnsafePointer<c_pair>, UnsafeMutablePointer<c_pair_s>?, UnsafePointer<CChar>?, c_count) -> Void
  static let limit: Int32
  static let name: String
  static let level: UInt
  static let free: @Sendable (OpaquePointer, OpaquePointer?, UnsafeRawPointer?) -> Void
  static let make
  static let unknown
  static let renamed
  static let other
  static let size: @Sendable () -> Int
  static let pairs`
	if got := strings.Join(lines(out.Symbols, 0), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestAliasOfAType checks that the type for which an alias from another module stands
// is named.
func TestAliasOfAType(t *testing.T) {
	out := read(t, packageOf("-- M/a.swift --\nimport Inner\npublic typealias Deque<T> = Inner.Deque<T>\n-- Inner/b.swift --\n/// Holds things.\npublic struct Deque<T>: Hashable { public init() {} }\n"))
	if doc := out.Symbols[0].Doc; doc != "Holds things.\n\n**Stands for:** `struct Deque<T> : Hashable`" {
		t.Errorf("%q", doc)
	}
}

// TestHeaders reads a C module, both directly and as re-exported by another module.
func TestHeaders(t *testing.T) {
	p := packageOf("-- M/a.swift --\n@_exported import C\npublic func f() {}\n")
	p.Targets = append(p.Targets, Target{Name: "C", C: true, Products: []string{"C"}, Files: []string{"C/include/c.h"}})
	files, ok := p.Root.(fstest.MapFS)
	if !ok {
		t.Fatal("the files are no map")
	}
	files["C/include/c.h"] = &fstest.MapFile{Data: []byte("/// Adds.\nint c_add(int a, int b);\n")}
	out := read(t, p)
	if s := out.At("c_add"); s == nil || s.Doc != "Adds." {
		t.Errorf("the module that re-exports it lists %q", lines(out.Symbols, 0))
	}
	p.Module = "C"
	out = read(t, p)
	if s := out.At("c_add"); s == nil || len(out.Advice) != 1 || len(out.Subpackages) != 1 || out.Subpackages[0].Name != "M" {
		t.Errorf("the module lists %q and advises %q; the others are %v", lines(out.Symbols, 0), out.Advice, out.Subpackages)
	}
}

// TestInterface reads the interface file that the compiler writes for a module whose
// sources are missing.
func TestInterface(t *testing.T) {
	p := packageOf(`-- M/M.swiftinterface --
// swift-interface-format-version: 1.0
// swift-module-flags: -module-name M
import Swift
@frozen public struct S : Swift.Hashable {
  public let x: Swift.Int
  @inlinable public init(x: Swift.Int) { self.x = x }
  public static func == (a: M.S, b: M.S) -> Swift.Bool
  public func hash(into hasher: inout Swift.Hasher)
}
extension M.S : Swift.Sendable {}
`)
	want := []string{"struct S : Hashable, Sendable", "  let x: Swift.Int", "  init(x: Swift.Int)", "  static func == (a: M.S, b: M.S) -> Swift.Bool", "  func hash(into hasher: inout Swift.Hasher)"}
	if got := lines(read(t, p).Symbols, 0); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
