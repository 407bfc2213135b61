package header

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// summary formats symbols, one per line: the path and the kind, the declaration, and the
// deprecation and the comment if there are any.
func summary(symbols []apidoc.Symbol) string {
	var b strings.Builder
	for _, s := range symbols {
		b.WriteString(s.Path + " [" + string(s.Kind) + "] " + s.Signature)
		if s.Constraint != "" {
			b.WriteString(" | on " + s.Constraint)
		}
		if s.Deprecated != "" {
			b.WriteString(" | deprecated: " + s.Deprecated)
		}
		if s.Doc != "" {
			b.WriteString(" | " + strings.ReplaceAll(s.Doc, "\n", "/"))
		}
		b.WriteString("\n" + summary(s.Members))
	}
	return b.String()
}

func checkHeaders(t *testing.T, name string, headers [][3]string) {
	t.Helper()
	for _, h := range headers {
		t.Run(h[0], func(t *testing.T) {
			if got, want := summary(read(nil, name, []byte(h[1]), macros{})), strings.TrimPrefix(h[2], "\n"); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func TestRead_Enumerations(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"with a fixed type", `typedef enum : uint8_t { KilnSmall, KilnBig = 1 << 3, KilnNone = -1 } KilnSize;`, `
KilnSize [enum] enum KilnSize : uint8_t
KilnSize.KilnSmall [enum value] KilnSmall
KilnSize.KilnBig [enum value] KilnBig = 1 << 3
KilnSize.KilnNone [enum value] KilnNone = -1
`},
		{"with values that are expressions", `enum kiln_mode { A_ONE, B_TWO = 'x', C_THREE = sizeof(struct { int a, b; }), };`, `
kiln_mode [enum] enum kiln_mode
kiln_mode.A_ONE [enum value] A_ONE
kiln_mode.B_TWO [enum value] B_TWO = 'x'
kiln_mode.C_THREE [enum value] C_THREE = sizeof(struct { int a, b; })
`},
		{"closed, with names for Swift and obsolete values", `typedef NS_CLOSED_ENUM(NSInteger, KilnState) { KilnStateOn NS_SWIFT_NAME(lit), KilnStateOff API_DEPRECATED("gone", macos(10.1, 10.2)) };`, `
KilnState [enum] enum KilnState : NSInteger
KilnState.KilnStateOn [enum value] KilnStateOn | **In Swift:** ` + "`lit`" + `
KilnState.KilnStateOff [enum value] KilnStateOff | deprecated: gone
`},
		{"of errors", `typedef NS_ERROR_ENUM(KilnErrorDomain, KilnError) { KilnErrorHot = 1 };`, `
KilnError [enum] enum KilnError : NSInteger
KilnError.KilnErrorHot [enum value] KilnErrorHot = 1
`},
		{"of options", `typedef CF_OPTIONS(uint32_t, KilnOptions) { KilnOptionA = 1u << 2 } NS_DEPRECATED_IOS(2_0, 9_0, "Use KilnFlags.");`, `
KilnOptions [enum] enum KilnOptions : uint32_t | deprecated: Use KilnFlags.
KilnOptions.KilnOptionA [enum value] KilnOptionA = 1u << 2
`},
		{"strings as extensible enumerations", "typedef NSString *KilnKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(Kiln.Key);\nFOUNDATION_EXPORT KilnKey const KilnKeyName;", `
KilnKey [type] typedef NSString *KilnKey | **In Swift:** ` + "`Kiln.Key`" + `
KilnKeyName [const] KilnKey const KilnKeyName
`},
	})
}

func TestRead_Types(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"fields of all forms", `struct kiln { struct kiln *next; unsigned a:1, b:2; _Alignas(16) char buf[MAX]; int (*fire)(void *, int); int flex[]; };`, `
kiln [struct] struct kiln
kiln.next [field] struct kiln *next
kiln.a [field] unsigned a:1, b:2
kiln.b [field] unsigned a:1, b:2
kiln.buf [field] char buf[MAX]
kiln.fire [field] int (*fire)(void *, int)
kiln.flex [field] int flex[]
`},
		{"a union with a structure", `union kiln_value { int i; struct { int a; union { int c; } deep; } pair; };`, `
kiln_value [union] union kiln_value
kiln_value.i [field] int i
kiln_value.pair [field] struct { … } pair
kiln_value.pair.a [field] int a
kiln_value.pair.deep [field] union { … } deep
kiln_value.pair.deep.c [field] int c
`},
		{"type definitions of types without a name", `typedef struct { int x; } kiln_point, *kiln_point_ref; typedef union { int a; } *kiln_union_ref;`, `
kiln_point [struct] struct kiln_point
kiln_point.x [field] int x
kiln_point_ref [type] typedef struct kiln_point *kiln_point_ref
kiln_union_ref [type] typedef union { … } *kiln_union_ref
kiln_union_ref.a [field] int a
`},
		{"forward declarations", `typedef struct kiln kiln_t; struct only_forward; typedef enum kiln_mode kiln_mode_t;`, `
kiln_t [type] typedef struct kiln kiln_t
kiln_mode_t [type] typedef enum kiln_mode kiln_mode_t
`},
		{"variables", `int (*table[4])(int, char **argv); const char *names[] = {"a", "b"}; extern struct kiln *head, **tail; static const int kA = 3;`, `
table [var] int (*table[4])(int, char **argv)
names [var] const char *names[] = {"a", "b"}
head [var] struct kiln *head, **tail
tail [var] struct kiln *head, **tail
kA [const] const int kA = 3
`},
	})
}

func TestRead_FunctionsAndMacros(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"parameters of all forms", `_Bool f(_Complex double z, int n, int m[n][n], int (*cb)(void *, int), const char *restrict s, ...);`, `
f [func] _Bool f(_Complex double z, int n, int m[n][n], int (*cb)(void *, int), const char *restrict s, ...)
`},
		{"bodies", `inline static __attribute__((always_inline)) int add(int a, int b) { if (a) { return b; } return a + b; } int after(void);`, `
add [func] int add(int a, int b)
after [func] int after(void)
`},
		{"attributes", "int f(void) __attribute__((unavailable(\"no\"))); int g(void) __attribute__((deprecated(\"use j\")));\n[[deprecated(\"use h\")]] int i(void); [[nodiscard]] int j(void); extern \"C\" int k(void);", `
g [func] int g(void) | deprecated: use j
i [func] int i(void) | deprecated: use h
j [func] int j(void)
k [func] int k(void)
`},
		{"availability on one platform", `__attribute__((availability(macos, introduced=10.1, deprecated=10.9, message="old"))) int f(void); int g(void) __attribute__((availability(watchos, unavailable)));`, `
f [func] int f(void) | deprecated: old
g [func] int g(void)
`},
		{"macros", "#define MAX(a, b) ((a) > (b) ? (a) : (b)) // the larger\n#define EMPTY\n#define TEXT \"a \\\" b;\"\n#define LINE '\\n'\n#define WIDE (1 + \\\n  2)\n#define kiln_alias kiln_real\n#define BODY first second\n", `
MAX [macro] #define MAX(a, b) ((a) > (b) ? (a) : (b)) | the larger
TEXT [const] #define TEXT "a \" b;"
LINE [const] #define LINE '\n'
WIDE [const] #define WIDE (1 + 2)
kiln_alias [const] #define kiln_alias kiln_real
`},
		{"conditions", `#if 1
int a(void);
#else
int never(void);
#endif
#if !defined(__cplusplus)
int c(void);
#else
int cpp(void);
#endif
#if defined(FOO) && FOO > 2
int d(void);
#elif 0
int none(void);
#else
int g(void);
#endif
#if TARGET_OS_IOS || TARGET_OS_TV
#ifdef __OBJC__
int h(void);
#endif
#endif
#endif
int i(void);
`, `
a [func] int a(void)
c [func] int c(void)
d [func] int d(void)
g [func] int g(void)
h [func] int h(void) | on iOS or tvOS
i [func] int i(void)
`},
	})
}

func TestRead_ObjectiveC(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"properties", `@interface A : NSObject
@property (nonatomic, strong, nullable, getter=isOn, setter=turn:) NSArray<NSDictionary<NSString *, id> *> *zones API_AVAILABLE(ios(13));
@property (weak) IBOutlet id<KilnDelegate> delegate;
@property int a, b;
@property (nonatomic, copy) NSString *(^make)(int);
@property (readonly) BOOL old DEPRECATED_MSG_ATTRIBUTE("Use a.");
@end`, `
A [class] @interface A : NSObject
A.zones [property] @property (nonatomic, strong, nullable, getter=isOn, setter=turn:) NSArray<NSDictionary<NSString *, id> *> *zones
A.delegate [property] @property (weak) id<KilnDelegate> delegate
A.a [property] @property int a, b
A.b [property] @property int a, b
A.make [property] @property (nonatomic, copy) NSString *(^make)(int)
A.old [property] @property (readonly) BOOL old | deprecated: Use a.
`},
		{"methods", `@interface A
- (void)take:(NSError *_Nullable *_Nullable)error with:(out BOOL *)flag block:(void (NS_NOESCAPE ^)(id obj, BOOL *stop))block;
- noType;
- (void)old NS_DEPRECATED(10_0, 10_5, 2_0, 3_0, "Use new.");
- (instancetype)initWithName:(NSString *)n NS_DESIGNATED_INITIALIZER;
+ (void)load NS_UNAVAILABLE;
- (void)runWithHandler:(void (^)(void))h NS_SWIFT_NAME(run(_:)) NS_SWIFT_DISABLE_ASYNC;
@end`, `
A [class] @interface A
A.take:with:block: [method] - (void)take:(NSError *_Nullable *_Nullable)error with:(out BOOL *)flag block:(void (^)(id obj, BOOL *stop))block
A.noType [method] - noType
A.old [method] - (void)old | deprecated: Use new.
A.initWithName: [method] - (instancetype)initWithName:(NSString *)n
A.runWithHandler: [method] - (void)runWithHandler:(void (^)(void))h | **In Swift:** ` + "`run(_:)`" + `
`},
		{"generic classes, categories and extensions", `@interface B<__covariant K : id<NSCopying>, V> : A<K> <P, Q>
{ @private int _x; @public NSString *y; }
- (V)valueFor:(K)k;
@end
@interface B<K, V> ()
- (void)extended;
@end
@interface B (More) <R>
@property int c;
@end
@implementation B
- (void)hidden { }
@end
int after(void);`, `
B [class] @interface B<__covariant K : id<NSCopying>, V> : A<K> <P, Q>
B.valueFor: [method] - (V)valueFor:(K)k
B.extended [method] - (void)extended
B.c [property] @property int c
after [func] int after(void)
`},
		{"attributes before a class or protocol", `/// Was first.
NS_SWIFT_NAME(Renamed)
@protocol N <NSObject>
@end
NS_SWIFT_UI_ACTOR API_DEPRECATED("Use N.", macos(10.1, 10.2)) @interface M : NSObject @end
@interface Plain : NSObject @end
__attribute__((unavailable)) @interface Gone : NSObject
- (void)g;
@end
NS_SWIFT_NAME(Deep.Name) API_AVAILABLE(ios(13)) @interface O : NSObject @end`, `
N [protocol] @protocol N <NSObject> | Was first.//**In Swift:** ` + "`Renamed`" + `
M [class] @interface M : NSObject | deprecated: Use N.
Plain [class] @interface Plain : NSObject
O [class] @interface O : NSObject | **In Swift:** ` + "`Deep.Name`" + `
`},
		{"protocols, forward declarations and types of blocks", `@protocol P, Q; @class R, S<T>; @import Foundation;
@protocol P <NSObject, Q> @property (readonly) int p; @optional - (void)o; @required + (int)r; @end
typedef void (^Block)(int a, NSString *b);
@compatibility_alias Z M;
typedef NSString *(*Fn)(const char *);`, `
P [protocol] @protocol P <NSObject, Q>
P.p [property] @property (readonly) int p
P.o [method] - (void)o
P.r [class method] + (int)r
Block [type] typedef void (^Block)(int a, NSString *b)
Fn [type] typedef NSString *(*Fn)(const char *)
`},
	})
}

func TestRead_Comments(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"commands of Doxygen", `/** Doc.
 * @li one
 * @arg two
 * \param[in] x The @p x and @c y and \e em @b bold.
 * @returns It.
 * @throws nothing
 * @see other @endlink
 * @deprecated Use g.
 * @since 1.0
 * @warning Hot. */
int f(int x);`, `
f [func] int f(int x) | deprecated: Use g. | Doc./- one/- two//**Parameters:**//- ` + "`x`: The `x` and `y` and *em* **bold**.//**Returns:** It.//**Throws:** nothing//**See also:** other//**Since:** 1.0//**Warning:** Hot." + `
`},
		{"all forms of comments", `/// One.
/// Two.

int lines(void);
//! Bang.
int bang(void);
/*! Qt. */ int qt(void);
int behind(void); ///< Behind.
enum e { A, /**< Of A. */ B /*!< Of B. */ };
/** @name Group */ /** @{ */ int grouped(void); /** @} */`, `
lines [func] int lines(void) | One./Two.
bang [func] int bang(void) | Bang.
qt [func] int qt(void) | Qt.
behind [func] int behind(void) | Behind.
e [enum] enum e
e.A [enum value] A | Of A.
e.B [enum value] B | Of B.
grouped [func] int grouped(void)
`},
		{"licences and descriptions of files are no comments of declarations", "/* Copyright (c) somebody */\nint f(void);\n/** @file a.h\n * Of the file. */\nint g(void);\n// SPDX-License-Identifier: MIT\nint h(void);\n//////////////\nint i(void);\n", `
f [func] int f(void)
g [func] int g(void)
h [func] int h(void)
i [func] int i(void)
`},
	})
}

func TestRead_CPP(t *testing.T) {
	checkHeaders(t, "a.hpp", [][3]string{
		{"classes with access", `namespace kiln::inner { class Zone : public Base { int secret; public: Zone(int n); ~Zone(); int heat() const noexcept; template <typename T> T as() const; protected: int p; private: int q; }; }
namespace { int hidden(); } namespace alias = kiln::inner; namespace v1 = kiln;`, `
kiln.inner.Zone [class] class Zone : public Base
kiln.inner.Zone.Zone [method] Zone(int n)
kiln.inner.Zone.heat [method] int heat() const noexcept
kiln.inner.Zone.as [method] template <typename T> T as() const
`},
		{"branches for C++", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n#ifndef __cplusplus\nint c(void);\n#else\nenum class Mode : int { A };\n#endif\n", `
f [func] int f(void)
Mode [enum] enum class Mode : int
Mode.A [enum value] A
`},
	})
}

func TestImported_TypesInSwift(t *testing.T) {
	symbols := read(nil, "a.h", []byte(`
typedef struct kiln kiln_t; typedef struct { int x; } point; typedef unsigned long long ticks; typedef int32_t code; enum mode { ON }; typedef void (*handler)(int);
void stop(void); int count(kiln_t *k); bool is(const point *_Nonnull p, enum mode m); ticks now(code c, unsigned char b, long l, size_t n, short int s, long unsigned int u);
const char *name(const kiln_t *k); void *raw(const void *p, void *q); struct kiln *open(struct point2 *p); double f(float);
int many(int a, ...); int pointers(char **argv); void on(handler h); int array(int a[4]); int renamed(int a) __attribute__((swift_name("other(_:)"))); foreign strange(void);
uint_least8_t least(intmax_t m); signed char sc(unsigned u); long long ll(_Bool b);
#define LIMIT 12
#define HEX 0x1F
#define NEGATIVE (-3)
#define TEXT "a"
#define SUM (1 + 2)
#define BIG 12345678901
#define REAL 1.5
extern const int total; extern const char *title;
`), macros{})
	want := map[string]string{
		"stop": "@Sendable () -> Void", "count": "@Sendable (OpaquePointer?) -> Int32", "is": "@Sendable (UnsafePointer<point>, mode) -> Bool",
		"now":  "@Sendable (code, UInt8, Int, Int, Int16, UInt) -> ticks",
		"name": "@Sendable (OpaquePointer?) -> UnsafePointer<CChar>?", "raw": "@Sendable (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?",
		"open": "@Sendable (OpaquePointer?) -> OpaquePointer?", "f": "@Sendable (Float) -> Double",
		"least": "@Sendable (intmax_t) -> uint_least8_t", "sc": "@Sendable (UInt32) -> Int8", "ll": "@Sendable (Bool) -> Int64",
		"LIMIT": "Int32", "HEX": "Int32", "NEGATIVE": "Int32", "TEXT": "String", "total": "Int32",
	}
	got := Imported(symbols)
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if got[name] != want[name] {
			t.Errorf("%s: %s, want %q", name, got[name], want[name])
		}
	}
	for name := range want {
		if got[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}
