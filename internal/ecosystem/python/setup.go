package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// setupReader reads setup.py as text. It finds arguments of setup that are literals, or variables
// to which the file assigns a literal only once. Computed arguments remain unknown, because nothing
// is executed.
type setupReader struct {
	values map[string]*source.Expression // expressions by variable; nil for variables that are assigned several times
	calls  []*source.Tree
	steps  int // number of expressions evaluated
}

const (
	maxSetup      = 16      // maximum nesting of blocks and expressions in setup.py
	maxSetupSteps = 100_000 // maximum number of expressions evaluated
)

// readSetup reads a setup.py.
func readSetup(data []byte) pylock.Setup {
	r := setupReader{values: map[string]*source.Expression{}}
	r.block(source.ReadBytes(data).Body, 0)
	s := pylock.Setup{Extras: map[string][]string{}}
	for _, call := range r.calls {
		arguments := r.pairs(call, 0)
		// The costliest keywords come last, because the total number of steps is limited.
		for _, key := range []string{"name", "version", "python_requires", "install_requires", "extras_require"} {
			value, ok := arguments[key]
			if !ok {
				continue
			}
			text := func() string { t, _ := r.text(value, 0); return t }
			switch key {
			case "name":
				s.Name = text()
			case "version":
				s.Version = text()
			case "python_requires":
				s.RequiresPython = text()
			case "install_requires":
				s.Requires = r.list(value, 0)
			case "extras_require":
				extras := r.pairs(value, 0)
				for _, extra := range slices.Sorted(maps.Keys(extras)) {
					s.Extras[extra] = r.list(extras[extra], 0)
				}
			}
		}
	}
	return s
}

// block records the variables and the calls to setup in a block.
func (r *setupReader) block(body []source.Stmt, depth int) {
	for i := range body {
		s := &body[i]
		switch s.Kind {
		case source.Assign:
			for _, target := range s.Targets {
				if _, again := r.values[target]; again || s.Op != "" {
					r.values[target] = nil
				} else {
					r.values[target] = &s.Value
				}
			}
			r.call(&s.Value)
		case source.Expr:
			r.call(&s.Value)
		case source.If, source.Try, source.Block:
			if depth < maxSetup {
				r.block(s.Body, depth+1)
				r.block(s.Else, depth+1)
			}
		}
	}
}

func (r *setupReader) call(x *source.Expression) {
	if name, _, ok := strings.Cut(x.Text(), "("); ok && (strings.TrimSpace(name) == "setup" || strings.HasSuffix(strings.TrimSpace(name), ".setup")) {
		if t := x.Tree(); t.Kind == source.Call {
			r.calls = append(r.calls, t)
		}
	}
}

// tooMuch counts an expression and reports whether a limit is reached.
func (r *setupReader) tooMuch(depth int) bool {
	r.steps++
	return depth > maxSetup || r.steps > maxSetupSteps
}

// variable returns the expression that is assigned to a variable, or nil if there is none.
func (r *setupReader) variable(t *source.Tree) *source.Tree {
	if t.Kind != source.Name || r.values[t.Name].Text() == "" {
		return nil
	}
	return r.values[t.Name].Tree()
}

// text evaluates an expression of strings. It returns false if it cannot be
// evaluated.
func (r *setupReader) text(t *source.Tree, depth int) (string, bool) {
	switch {
	case r.tooMuch(depth):
	case t.Kind == source.String:
		return t.Name, true
	case t.Kind == source.Binary && t.Name == "+":
		a, ok1 := r.text(t.X, depth+1)
		b, ok2 := r.text(t.Args[0], depth+1)
		return a + b, ok1 && ok2 && len(a)+len(b) <= maxConfig
	default:
		if value := r.variable(t); value != nil {
			return r.text(value, depth+1)
		}
	}
	return "", false
}

// list evaluates an expression of a list of strings. It omits computed elements. It
// returns nil if the expression cannot be evaluated.
func (r *setupReader) list(t *source.Tree, depth int) []string {
	if r.tooMuch(depth) {
		return nil
	}
	switch t.Kind {
	case source.List, source.Tuple, source.Set:
		var all []string
		for _, e := range t.Args {
			if e.Kind == source.Starred {
				all = append(all, r.list(e.X, depth+1)...)
			} else if text, ok := r.text(e, depth+1); ok {
				all = append(all, text)
			}
		}
		return all
	case source.String:
		return strings.Split(t.Name, "\n")
	case source.Binary:
		if t.Name == "+" {
			return append(r.list(t.X, depth+1), r.list(t.Args[0], depth+1)...)
		}
	default:
		if value := r.variable(t); value != nil {
			return r.list(value, depth+1)
		}
	}
	return nil
}

// pairs evaluates a dictionary, or the keywords of a call.
func (r *setupReader) pairs(t *source.Tree, depth int) map[string]*source.Tree {
	all := map[string]*source.Tree{}
	merge := func(t *source.Tree) {
		maps.Copy(all, r.pairs(t, depth+1))
	}
	switch {
	case r.tooMuch(depth):
	case t.Kind == source.Dict:
		for i, key := range t.Keys {
			if key == nil {
				merge(t.Args[i])
			} else if name, ok := r.text(key, depth+1); ok {
				all[name] = t.Args[i]
			}
		}
	case t.Kind == source.Call && (depth == 0 || t.X.Dotted() == "dict"):
		for _, a := range t.Args {
			switch {
			case a.Kind == source.Keyword:
				all[a.Name] = a.X
			case a.Kind == source.Starred && a.Name == "**":
				merge(a.X)
			}
		}
	default:
		if value := r.variable(t); value != nil {
			merge(value)
		}
	}
	return all
}
