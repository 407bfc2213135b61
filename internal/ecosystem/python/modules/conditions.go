package modules

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// truth is the value of a condition, as far as it can be determined without running the program.
type truth uint8

const (
	unknown  truth = iota
	yes            // true for the requested Python version and platform
	no             // false for the requested Python version and platform
	typing         // true only for type checkers
	untyping       // false only for type checkers
	unlikely       // false unless the user sets an environment variable
	likely         // true unless the user sets an environment variable
)

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	case typing:
		return untyping
	case untyping:
		return typing
	case unlikely:
		return likely
	case likely:
		return unlikely
	}
	return unknown
}

func known(b bool) truth {
	if b {
		return yes
	}
	return no
}

// truth decides a condition on the Python version, the platform, or TYPE_CHECKING.
func (s *scope) truth(r *Reader, t *source.Tree, depth int) truth {
	if depth > maxDepth {
		return unknown
	}
	switch t.Kind {
	case source.Constant:
		return known(t.Name == "True" || t.Name == "...")
	case source.Number:
		return known(strings.Trim(t.Name, "0.") != "")
	case source.Not:
		return s.truth(r, t.X, depth+1).not()
	case source.Logical:
		a, b := s.truth(r, t.X, depth+1), s.truth(r, t.Args[0], depth+1)
		if t.Name == "and" {
			switch {
			case a == no || b == no:
				return no
			case a == yes:
				return b
			case b == yes, a == typing, a == untyping && b == untyping:
				return a
			case a == untyping:
				return unknown
			case b == typing || b == untyping:
				return b
			case a == unlikely || b == unlikely:
				return unlikely
			}
			return unknown
		}
		switch {
		case a == yes || b == yes:
			return yes
		case a == no:
			return b
		case b == no:
			return a
		}
		return unknown
	case source.Compare:
		return s.compare(t)
	case source.Name, source.Attribute:
		name := t.Dotted()
		switch name[strings.LastIndexByte(name, '.')+1:] {
		case "TYPE_CHECKING", "MYPY_CHECK_RUNNING":
			return typing
		case "PY2":
			return no
		case "PY3":
			return yes
		}
		b := s.named(name)
		if b != nil && b.imported && b.attr == "" {
			return yes // the result of a guarded import; the module counts as installed
		}
		if b != nil && b.imported && upper(b.attr) { // The name, such as LINUX, was imported from another module.
			if m := r.moduleIn(s.file.mod.dist, b.from); m != nil && m.code != nil && m.code != s.file {
				if there := m.code.scope.names[b.attr]; there != nil && there.stmt != nil && there.value.Text() != "" && there.alt == nil && len(there.value.Text()) < maxAliasText {
					return m.code.scope.truth(r, there.value.Tree(), depth+1)
				}
			}
			return unknown
		}
		if b != nil && b.value.Text() != "" && b.alt == nil && len(b.value.Text()) < maxAliasText {
			return b.scope.truth(r, b.value.Tree(), depth+1)
		}
	case source.Call:
		switch t.X.Dotted() {
		case "os.environ.get", "os.getenv", "environ.get", "getenv":
			if len(t.Args) == 1 || t.Args[1].Kind == source.Constant && t.Args[1].Name != "True" {
				return unlikely
			}
		case "bool", "int":
			if len(t.Args) == 1 {
				return s.truth(r, t.Args[0], depth+1)
			}
		}
		if t.X.Dotted() == "hasattr" && len(t.Args) == 2 && t.Args[1].Kind == source.String {
			return s.has(r, t.Args[0].Dotted(), t.Args[1].Name)
		}
		if t.X.Kind == source.Attribute && t.X.Name == "startswith" && len(t.Args) == 1 {
			if lower := t.X.X; lower.Kind == source.Call && lower.X.Kind == source.Attribute && lower.X.Name == "lower" { // The receiver is itself a call, as in sys.platform.lower().startswith("win").
				if left, ok := s.fact(lower.X.X); ok && t.Args[0].Kind == source.String {
					return known(strings.HasPrefix(strings.ToLower(left), t.Args[0].Name))
				}
			}
			if t.Args[0].Kind != source.String {
				return unknown
			}
			if left, ok := s.fact(t.X.X); ok {
				return known(strings.HasPrefix(left, t.Args[0].Name))
			}
			// This tests another package's version: pydantic.VERSION.startswith("1.").
			if dotted := t.X.X.Dotted(); upper(lastOf(dotted)) && s.names[topOf(dotted)] != nil && s.names[topOf(dotted)].imported {
				_, rest, _ := strings.Cut(dotted, ".")
				e := r.follow(s.names[topOf(dotted)]) // The scope is still being read.
				if e.known() && isName(rest) {
					e = r.attribute(e, rest)
				}
				if e.known() && e.code != nil && e.code.value.Text() != "" && len(e.code.value.Text()) < maxAliasText {
					if v := e.code.value.Tree(); v.Kind == source.String {
						return known(strings.HasPrefix(v.Name, t.Args[0].Name))
					}
				}
			}
		}
	}
	return unknown
}

// has decides hasattr for an imported name, such as hasattr(_socket.socket,
// "share"), if a stub lists all its attributes.
func (s *scope) has(r *Reader, object, name string) truth {
	top, rest, _ := strings.Cut(object, ".")
	b := s.names[top]
	if b == nil || !b.imported || !isName(name) {
		return unknown
	}
	e := r.follow(b) // The scope is still being read.
	for rest != "" && e.known() {
		top, rest, _ = strings.Cut(rest, ".")
		e = r.attribute(e, top)
	}
	switch {
	case !e.known() || e.mod.code != nil || e.mod.stub == nil || e.mod.guessed || e.mod.stub.scope.names["__getattr__"] != nil:
		return unknown
	case e.path == "":
		return known(r.lookup(e.mod, name, true).known())
	case !e.isClass():
		return unknown
	}
	for _, c := range r.mro(e) {
		if c.external != "" {
			if c.external == "builtins.object" {
				continue
			}
			return unknown
		}
	}
	return known(r.attribute(e, name).known())
}

// named returns the binding of a name in a class, or else in its module.
func (s *scope) named(name string) *binding {
	if b := s.names[name]; b != nil || s.class == nil {
		return b
	}
	return s.file.scope.names[name]
}

// compare decides a comparison.
func (s *scope) compare(t *source.Tree) truth {
	left, right := t.X, t.Args[0]
	if name := right.Dotted(); (name == "os.environ" || name == "environ") && left.Kind == source.String {
		switch t.Name {
		case "in":
			return unlikely
		case "not in":
			return likely
		}
	}
	if right.Dotted() == "sys.modules" && (t.Name == "in" || t.Name == "not in") {
		return known(t.Name == "not in") // sys.modules only contains such a module if a tool has loaded it.
	}
	if b := s.named(left.Dotted()); b != nil && b.imported && right.Kind == source.Constant && right.Name == "None" {
		return known(t.Name == "is not" || t.Name == "!=") // The import is guarded, and its module counts as installed.
	}
	if b := s.named(left.Dotted()); b != nil && b.value.Text() == "None" && b.alt == nil && right.Kind == source.Constant && right.Name == "None" {
		return known(t.Name == "is" || t.Name == "==") // The import is guarded, and its module is not installed.
	}
	if left.Dotted() == "__name__" && right.Kind == source.String {
		return known((right.Name == s.file.mod.name) == (t.Name == "=="))
	}
	if v := s.version(left); v != nil {
		if w := numbers(right); w != nil {
			return order(compareVersions(v, w), t.Name)
		}
		return unknown
	}
	if v := s.version(right); v != nil {
		if w := numbers(left); w != nil {
			return order(compareVersions(w, v), t.Name)
		}
		return unknown
	}
	fact, ok := s.fact(left)
	if !ok {
		if fact, ok = s.fact(right); !ok {
			return unknown
		}
		if left.Kind == source.String && strings.HasSuffix(t.Name, "in") { // as in "win" in sys.platform
			return known(strings.Contains(fact, left.Name) == (t.Name == "in"))
		}
		right = left
	}
	switch t.Name {
	case "==", "!=":
		if right.Kind == source.String {
			return known((fact == right.Name) == (t.Name == "=="))
		}
	case "in", "not in":
		if values, ok := right.Strings(); ok {
			found := false
			for _, v := range values {
				found = found || v == fact
			}
			return known(found == (t.Name == "in"))
		}
	}
	return unknown
}

// fact returns the value of a fact about the interpreter, such as sys.platform.
// It returns false if the fact is unknown.
func (s *scope) fact(t *source.Tree) (string, bool) {
	goos, _, _ := strings.Cut(s.file.mod.dist.Platform, "/")
	goos = cmp.Or(goos, "linux")
	switch t.Dotted() {
	case "sys.platform", "_sys.platform", "platform":
		if goos == "windows" {
			return "win32", true
		}
		return goos, true
	case "os.name", "_os.name":
		if goos == "windows" {
			return "nt", true
		}
		return "posix", true
	case "sys.implementation.name":
		return "cpython", true
	}
	if t.Kind == source.Call {
		switch t.X.Dotted() {
		case "platform.system":
			name, ok := map[string]string{"windows": "Windows", "darwin": "Darwin", "linux": "Linux"}[goos]
			return name, ok
		case "platform.python_implementation":
			return "CPython", true
		}
	}
	return "", false
}

// version returns sys.version_info, or the part of it that an expression selects.
// It returns nil for other expressions.
func (s *scope) version(t *source.Tree) []int {
	version := parseVersion(s.file.mod.dist.Python)
	switch t.Kind {
	case source.Attribute:
		switch t.Dotted() {
		case "sys.version_info", "_sys.version_info":
			return version
		case "sys.version_info.major":
			return version[:1]
		case "sys.version_info.minor":
			return version[1:2]
		case "sys.hexversion":
			return nil
		}
	case source.Name:
		if t.Name == "version_info" {
			return version
		}
	case source.Subscript:
		whole := s.version(t.X)
		if whole == nil || len(t.Args) != 1 {
			return nil
		}
		if a := t.Args[0]; a.Kind == source.Number {
			if n, err := strconv.Atoi(a.Name); err == nil && n < len(whole) {
				return whole[n : n+1]
			}
		} else if n, err := strconv.Atoi(strings.TrimLeft(strings.TrimSpace(a.Text), "0: ")); a.Kind == source.Slice && err == nil && n <= len(whole) && n >= 0 {
			return whole[:n]
		}
	}
	return nil
}

// parseVersion returns the numbers in a Python version, of which there must be at least two.
func parseVersion(s string) []int {
	var v []int
	for part := range strings.SplitSeq(s, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || len(v) == 3 {
			break
		}
		v = append(v, n)
	}
	if len(v) < 2 {
		return []int{3, 14, 0}
	}
	if len(v) == 2 {
		v = append(v, 99) // 99 represents any patch release
	}
	return v
}

func numbers(t *source.Tree) []int {
	if t.Kind == source.Number {
		if n, err := strconv.Atoi(t.Name); err == nil {
			return []int{n}
		}
		return nil
	}
	if t.Kind != source.Tuple {
		return nil
	}
	v := []int{}
	for _, a := range t.Args {
		n, err := strconv.Atoi(a.Name)
		if a.Kind != source.Number || err != nil {
			break
		}
		v = append(v, n)
	}
	return v
}

// compareVersions compares versions in the same way as Python compares tuples.
func compareVersions(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] - b[i]
		}
	}
	return len(a) - len(b)
}

func order(c int, op string) truth {
	switch op {
	case "<":
		return known(c < 0)
	case "<=":
		return known(c <= 0)
	case ">":
		return known(c > 0)
	case ">=":
		return known(c >= 0)
	case "==":
		return known(c == 0)
	case "!=":
		return known(c != 0)
	}
	return unknown
}
