package manifest

import (
	"runtime"
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

const (
	hostileSize  = 64 << 10
	maxAllocated = 200 << 20
)

// hostileManifests contains manifests that are expensive to read, by name.
func hostileManifests() map[string]string {
	rep := strings.Repeat
	n := hostileSize
	shapes := map[string]string{
		"members":       "let x = a" + rep(".a", n/2),
		"typed members": "let x: A = .a" + rep(".a", n/2),
		"typed calls":   "let x: A = .a" + rep(".a()", n/4),
		"calls":         "let x = a" + rep(".a()", n/4),
		"index":         "let x = a" + rep("[1]", n/3),
		"plus":          "let x = 1" + rep(" + 1", n/4),
		"strplus":       "let x = \"a\"" + rep(" + \"a\"", n/6),
		"arrplus":       "let x = [1]" + rep(" + [1]", n/6),
		"ternary":       "let x = " + rep("a ? b : ", n/8) + "c",
		"coalesce":      "let x = a" + rep(" ?? b", n/5),
		"nestedparen":   "let x = " + rep("(", n/2) + "1" + rep(")", n/2),
		"nestedbracket": "let x = " + rep("[", n/2) + "1" + rep("]", n/2),
		"closures":      "let x = " + rep("{ ", n/2) + "1" + rep("}", n/2),
		"unary":         "let x = " + rep("!", n),
		"double":        "var s = \"a\"\n" + rep("s = s + s\n", n/10),
		"doublearr":     "var s = [1]\n" + rep("s += s\n", n/7),
		"interp":        "var s = \"a\"\n" + rep("s = \"\\(s)\\(s)\"\n", n/17),
		"loop":          "var s = 0\nfor i in 0..<1000000000 { s += i }\n",
		"while":         "while true { }\n",
		"fornest":       rep("for i in 0..<100 {\n", 100) + rep("}", 100),
		"rec":           "func f(_ a: Int) -> Int { return f(a) + f(a) }\nlet x = f(1)\n",
		"rec2":          "func f(_ a: [Int]) -> [Int] { return f(a + a) + f(a) }\nlet x = f([1])\n",
		"map":           "let x = [1]" + rep(".map { [$0] }", n/13),
		"vars":          rep("let a = 1\n", n/10),
		"if":            rep("#if os(Linux)\n", n/14),
		"conds":         "#if " + rep("!", n) + "a\n#endif\n",
		"parenconds":    "#if " + rep("(", n) + "a\n#endif\n",
		"targets":       "",
		"types":         "let x: " + rep("A<", n/2) + "\n",
		"open":          rep("func f(", n/7),
		"implicit":      "let x: A = " + rep(".a(", n/3),
		"strings":       "let x = " + rep("\"\\(", n/3),
		"quotes":        rep("\"\"\"", n/3),
		"guard":         rep("guard a else {", n/14),
		"switch":        rep("switch a { case ", n/16),
		"products":      "",
	}
	shapes["targets"] = "let package = Package(name: \"a\", targets: [" + rep(".target(name: \"b\", dependencies: [\"b\"]),", n/40) + "])"
	shapes["products"] = "let package = Package(name: \"a\", products: [.library(name: \"b\", targets: [" + rep("\"b\",", n/4) + "])], dependencies: [" + rep(".package(url: \"https://a/b\", from: \"1.0.0\"),", 100) + "])"
	for name, s := range shapes {
		shapes[name] = "// swift-tools-version:5.9\nimport PackageDescription\n" + s + "\n"
		if !strings.Contains(s, "Package(") {
			shapes[name] += "let package = Package(name: \"a\")\n"
		}
	}
	return shapes
}

func TestParse_BoundsTheCostOfHostileManifests(t *testing.T) {
	for name, text := range hostileManifests() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := Parse(text, "linux")
			runtime.ReadMemStats(&after)
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > maxAllocated {
				t.Errorf("%d MB are allocated", allocated>>20)
			}
			switch name {
			case "members", "calls", "typed members", "typed calls", "index", "plus":
				if err != nil || strings.Contains(strings.Join(m.Warnings, " "), "takes too long") {
					t.Errorf("it is not evaluated: %v, %v", m, err)
				}
			}
		})
	}
}
