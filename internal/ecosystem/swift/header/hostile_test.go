package header

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/work"
)

const (
	hostileSize  = 64 << 10
	maxAllocated = 200 << 20
)

// hostileHeaders contains headers that are expensive to read, by name.
func hostileHeaders() map[string]string {
	rep := strings.Repeat
	n := hostileSize
	fill := func(f func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(f(i))
		}
		return b.String()
	}
	shapes := map[string]string{
		"doubling": func() string {
			s := "#define A0 int\n"
			for i := range 60 {
				s += fmt.Sprintf("#define A%d A%d A%d\n", i+1, i, i)
			}
			return s + "A60 f(void);\n"
		}(),
		"doublingargs": func() string {
			s := "#define A0(x) x x\n"
			for i := range 60 {
				s += fmt.Sprintf("#define A%d(x) A%d(x) A%d(x x)\n", i+1, i, i)
			}
			return s + "int f(A60(int));\n"
		}(),
		"ring":       "#define A B\n#define B A\n" + rep("A f(B);\n", n/8),
		"many":       fill(func(i int) string { return fmt.Sprintf("#define M%d int\nM%d f%d(M0);\n", i, i, i) }),
		"chain":      fill(func(i int) string { return fmt.Sprintf("#define M%d M%d\nM0 f%d(M%d);\n", i, i+1, i, i) }),
		"ifs":        rep("#if A\n", n/6),
		"ifdefs":     fill(func(i int) string { return fmt.Sprintf("#ifdef A%d\n#else\nint f%d(void);\n", i, i) }),
		"conds":      "#if " + rep("(", n) + "\n",
		"conds2":     "#if " + rep("!", n) + "1\nint f(void);\n#endif\n",
		"conds3":     "#if 1" + rep(" || 1", n/5) + "\nint f(void);\n#endif\n",
		"ternary":    "#if " + rep("1 ? 1 : ", n/8) + "1\nint f(void);\n#endif\n",
		"parens":     "int " + rep("(", n/2) + "f" + rep(")", n/2) + "(void);",
		"stars":      "int " + rep("*", n) + "f(void);",
		"fptr":       rep("int (*", n/6) + "f" + rep(")(void)", n/7) + ";",
		"structs":    rep("struct A { ", n/11) + rep("};", n/11),
		"structs2":   fill(func(i int) string { return fmt.Sprintf("struct A%d { int a; };\n", i) }),
		"enum":       "enum E { " + fill(func(i int) string { return fmt.Sprintf("A%d, ", i) }) + "};",
		"enumexpr":   "enum E { " + fill(func(i int) string { return fmt.Sprintf("A%d = A%d + A%d, ", i+1, i, i) }) + "};",
		"objc":       "@interface A : B\n" + fill(func(i int) string { return fmt.Sprintf("- (int)f%d:(int)a;\n", i) }) + "@end",
		"objc2":      fill(func(i int) string { return fmt.Sprintf("@interface A%d : A%d\n@property int a;\n@end\n", i, i+1) }),
		"objcopen":   rep("@interface A ", n/13),
		"props":      "@interface A\n" + rep("@property (", n/11),
		"attrs":      "int f(void) " + rep("__attribute__((a)) ", n/19) + ";",
		"attropen":   rep("__attribute__((", n/15),
		"comments":   rep("/** a */\n", n/9) + "int f(void);",
		"comment":    "/**" + rep(" * a\n", n/5) + "*/int f(void);",
		"comment2":   "/** " + rep("@param a b ", n/11) + "*/int f(void);",
		"opencomm":   rep("/*", n/2),
		"strings":    rep("\"", n),
		"backslash":  rep("\\\n", n/2) + "int f(void);",
		"params":     "int f(" + rep("int a, ", n/7) + "int b);",
		"defineopen": "#define A(" + rep("a,", n/2) + ") a\nA(",
		"callopen":   "#define A(x) x\n" + rep("A(", n/2),
		"nested":     "#define A(x) x\nint f(" + rep("A(", n/3) + "int" + rep(")", n/3) + ");",
		"template":   rep("template<", n/9) + rep(">", n/9) + "int f();",
		"namespace":  rep("namespace a {", n/13),
		"typedefs":   fill(func(i int) string { return fmt.Sprintf("typedef A%d A%d;\n", i+1, i) }),
		"overloads":  fill(func(_ int) string { return "int f(int a);\n" }),
		"hash":       rep("#", n),
		"hashes":     "#define A(x) " + rep("#x ## x", n/7) + "\nA(b)",
		"categories": "@interface A\n@end\n" + fill(func(i int) string { return fmt.Sprintf("@interface A (C%d)\n- (int)f%d;\n@end\n", i, i) }),
		"undefs":     fill(func(i int) string { return fmt.Sprintf("#define A%d 1\n", i) }) + fill(func(i int) string { return fmt.Sprintf("#undef A%d\n", i) }),
		"include":    rep("#include \"a.h\"\n", n/15),
	}
	return shapes
}

func TestReadModule_BoundsTheCostOfHostileHeaders(t *testing.T) {
	for name, text := range hostileHeaders() {
		t.Run(name, func(t *testing.T) {
			file := "a.h"
			if name == "template" || name == "namespace" {
				file = "a.hpp"
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := work.Run(t.Context(), 0, func(ctx context.Context) error {
				ReadModule(work.FromContext(ctx), fstest.MapFS{file: {Data: []byte(text)}}, []string{file})
				if work.FromContext(ctx).Spent() {
					t.Error("it takes too many steps")
				}
				return nil
			})
			runtime.ReadMemStats(&after)
			if allocated := after.TotalAlloc - before.TotalAlloc; err != nil || allocated > maxAllocated {
				t.Errorf("%d MB are allocated, %v", allocated>>20, err)
			}
		})
	}
}

func TestFunctionName_NestedDeclarators(t *testing.T) {
	for _, depth := range []int{1, 5, 5000} {
		text := "int " + strings.Repeat("(*", depth) + "f(int)" + strings.Repeat(")(char)", depth) + ";"
		symbols := read(nil, "a.h", []byte(text), macros{})
		found := len(symbols) == 1 && symbols[0].Path == "f"
		if found != (depth < maxDeclarators) {
			t.Errorf("%d levels: %v", depth, symbols)
		}
	}
}
