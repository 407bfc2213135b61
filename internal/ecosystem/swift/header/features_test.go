package header

import "testing"

func TestObjectiveC_CutOff(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"a protocol", "@protocol P\n- (void)a;\n@optional\n- (voi", "P [protocol] @protocol P\nP.a [method] - (void)a\n"},
		{"an enumeration", "typedef enum { A, B", "A [const] A\n"},
		{"a structure", "int before(void);\nstruct s { int a; int b", "before [func] int before(void)\ns [struct] struct s\ns.a [field] int a\n"},
		{"a macro", "#define A(x, y", ""},
		{"a class", `
@interface Kite : NSObject
- (void)fly;
- (void)lan`, `
Kite [class] @interface Kite : NSObject
Kite.fly [method] - (void)fly
`},
	})
}

func TestC_Comments(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"before, behind and of several forms", `
/** Adds.
 *
 *  @param a The first.
 *  @return The sum.
 */
int add(int a, int b);
//! Subtracts.
int sub(int a, int b); ///< unused
int mul(int a, int b); /**< Multiplies. */
// no documentation
int div(int a, int b);
/* ordinary */ int mod(int a, int b);
`, `
add [func] int add(int a, int b) | Adds.//**Parameters:**//- ` + "`a`" + `: The first.//**Returns:** The sum.
sub [func] int sub(int a, int b) | Subtracts.
mul [func] int mul(int a, int b) | Multiplies.
div [func] int div(int a, int b) | no documentation
mod [func] int mod(int a, int b) | ordinary
`},
		{"of fields and values", `
typedef enum {
  KiteUp,   ///< In the air.
  /** On the ground. */
  KiteDown,
} KiteState;
struct kite {
  int height; ///< In metres.
  /// Its tail.
  char *tail;
};
`, `
KiteState [enum] enum KiteState
KiteState.KiteUp [enum value] KiteUp | In the air.
KiteState.KiteDown [enum value] KiteDown | On the ground.
kite [struct] struct kite
kite.height [field] int height | In metres.
kite.tail [field] char *tail | Its tail.
`},
		{"a comment that does not end", "int f(void);\n/* int g(void);\n", "f [func] int f(void)\n"},
	})
}

func TestC_Conditions(t *testing.T) {
	checkHeaders(t, "a.h", [][3]string{
		{"include guards and C++", `
#ifndef KITE_H
#define KITE_H
#ifdef __cplusplus
extern "C" {
#endif
int fly(void);
#ifdef __cplusplus
}
class Hidden {};
#endif
#endif
`, "fly [func] int fly(void)\n"},
		{"nested ones", `
#if 0
int never(void);
#elif 1
# if 0
int inner(void);
# else
int shown(void);
# endif
#else
int other(void);
#endif
`, "shown [func] int shown(void)\n"},
		{"one that does not end", "#if 1\nint a(void);\n", "a [func] int a(void)\n"},
		{"ends without a beginning", "#endif\n#else\nint a(void);\n", "a [func] int a(void)\n"},
	})
}
