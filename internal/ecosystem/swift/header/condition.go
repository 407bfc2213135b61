package header

import (
	"slices"
	"strings"
)

// conditions contains the #if directives that enclose a position.
type conditions struct {
	stack []condition
	off   int    // number of conditions that exclude their branch
	text  string // the platforms that the conditions require, or "" for all
}

// condition is one #if, with the branch that is being read.
type condition struct {
	skip  bool
	depth int // depth of braces at the #if
	// never is true if the remaining branches are omitted. cpp is true if the
	// branch is for C++.
	never, cpp bool
	platform   string
}

const maxConditions = 1000 // maximum nesting of #if in a header

func (c *conditions) skipped() bool { return c.off > 0 }

// constraint returns the platforms that the conditions require.
func (c *conditions) constraint() string { return c.text }

// directive processes a directive. depth is the brace depth, which does not change in a
// branch that is omitted. cpp has the same meaning as in branch.
func (c *conditions) directive(name, expr string, depth int, cpp bool) {
	switch name {
	case "if", "ifdef", "ifndef":
		next := condition{depth: depth}
		switch name {
		case "ifdef":
			expr = "defined(" + expr + ")"
		case "ifndef":
			expr = "!defined(" + expr + ")"
		}
		next.branch(expr, cpp)
		c.push(next)
	case "elif", "else":
		n := len(c.stack) - 1
		if n < 0 {
			return
		}
		top := c.stack[n]
		c.pop()
		next := condition{depth: top.depth, never: top.never}
		switch {
		case top.never, !top.skip && depth != top.depth:
			next.skip, next.never = true, true // The branch opens the same braces again.
		case name == "elif":
			next.branch(expr, cpp)
		case top.cpp:
			next.skip = !top.skip
		}
		c.push(next)
	case "endif":
		if len(c.stack) > 0 {
			c.pop()
		}
	}
}

// branch sets the effect of a condition on the current branch. cpp is true if
// headers are read as C++.
func (c *condition) branch(expr string, cpp bool) {
	flat := strings.NewReplacer("defined", "", "(", "", ")", "", " ", "", "\t", "").Replace(expr)
	switch flat {
	case "0":
		c.skip = true
	case "1":
		c.never = true
	case "__cplusplus":
		c.skip, c.cpp = !cpp, true
	case "!__cplusplus":
		c.skip, c.cpp = cpp, true
	default:
		c.platform = platforms(flat)
	}
}

func (c *conditions) push(next condition) {
	if len(c.stack) >= maxConditions {
		return
	}
	c.stack = append(c.stack, next)
	if next.skip {
		c.off++
	}
	c.describe()
}

func (c *conditions) pop() {
	n := len(c.stack) - 1
	if c.stack[n].skip {
		c.off--
	}
	c.stack = c.stack[:n]
	c.describe()
}

func (c *conditions) describe() {
	c.text = ""
	var all []string
	for _, one := range c.stack {
		if one.platform != "" && !slices.Contains(all, one.platform) && len(all) < 4 {
			all = append(all, one.platform)
		}
	}
	c.text = strings.Join(all, " and ")
}

var platformNames = map[string]string{
	"__APPLE__": "Apple platforms", "__linux__": "Linux", "__linux": "Linux", "_WIN32": "Windows", "_WIN64": "Windows", "__MINGW32__": "Windows", "__CYGWIN__": "Windows",
	"__ANDROID__": "Android", "__FreeBSD__": "FreeBSD", "__OpenBSD__": "OpenBSD", "__NetBSD__": "NetBSD", "__wasi__": "WASI", "__wasm__": "WebAssembly", "__EMSCRIPTEN__": "WebAssembly",
	"TARGET_OS_IOS": "iOS", "TARGET_OS_IPHONE": "iOS", "TARGET_OS_OSX": "macOS", "TARGET_OS_MAC": "Apple platforms", "TARGET_OS_WATCH": "watchOS", "TARGET_OS_TV": "tvOS", "TARGET_OS_VISION": "visionOS",
	"__OBJC__": "Objective-C",
}

// platforms returns the platforms that a condition requires. The condition has no
// spaces or parentheses. The result is "" if the condition depends on anything
// else.
func platforms(expr string) string {
	if len(expr) > maxSignature {
		return ""
	}
	for part := range strings.SplitSeq(expr, "&&") {
		var names []string
		for one := range strings.SplitSeq(part, "||") {
			name := platformNames[one]
			if name == "" {
				names = nil
				break
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 && (names[0] != "Objective-C" || len(names) > 1) {
			return strings.Join(names, " or ")
		}
	}
	return ""
}
