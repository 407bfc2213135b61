package modules

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// function calls a function of a module. It reads the function's body on
// demand.
func (e *evaluation) function(fn *entity, args []*source.Tree) value {
	b := fn.code
	if b == nil || b.scope.class != nil || b.used || e.depth > maxDepth {
		return e.fail()
	}
	b.used = true
	defer func() { b.used = false }()
	return e.invoke(&closure{stmt: b.stmt, file: b.scope.file}, e.body(b), args)
}

// invoke executes the body of a function.
func (e *evaluation) invoke(c *closure, body []source.Stmt, args []*source.Tree) value {
	if e.depth > maxDepth {
		return e.fail()
	}
	inner := &evaluation{Reader: e.Reader, file: c.file, line: maxLine, steps: e.steps, depth: e.depth + 1, attempt: e.attempt, locals: map[string]value{}}
	maps.Copy(inner.locals, c.locals)
	delete(inner.locals, "return")
	params := source.Params(c.stmt.Params)
	i := slices.IndexFunc(args, func(a *source.Tree) bool { return a.Kind == source.Keyword })
	if i < 0 {
		i = len(args)
	}
	positional, keywords := e.sequence(args[:i]).items, args[i:]
	for _, p := range params {
		k := slices.IndexFunc(keywords, func(a *source.Tree) bool { return a.Kind == source.Keyword && a.Name == p.Name })
		switch {
		case p.Kind == source.VarPositional || p.Kind == source.VarKeyword:
			return e.fail()
		case len(positional) > 0 && p.Kind != source.KeywordOnly:
			inner.locals[p.Name], positional = positional[0], positional[1:]
		case k >= 0:
			inner.locals[p.Name] = e.value(keywords[k].X)
			keywords = slices.Delete(slices.Clone(keywords), k, k+1)
		case p.Default != "":
			inner.locals[p.Name] = inner.value(source.Parse(p.Default))
		default:
			return e.fail()
		}
	}
	if len(positional) > 0 || len(keywords) > 0 {
		return e.fail()
	}
	inner.run(body)
	e.steps, e.failed = inner.steps, e.failed || inner.failed
	return inner.locals["return"]
}

// maxLine is greater than the line numbers of all files.
const maxLine = 1 << 30

// body reads the statements of a function of a module.
func (r *Reader) body(b *binding) []source.Stmt {
	f := b.scope.file
	if f.stub || b.place != "" || !strings.HasSuffix(f.name, ".py") {
		return nil
	}
	body, ok := f.bodies[b.stmt.Line]
	if !ok {
		if data, err := readFile(f.mod.dist.Root, f.name); err == nil {
			body = source.ReadBody(data, b.stmt.Line)
		}
		if f.bodies == nil {
			f.bodies = map[int][]source.Stmt{}
		}
		f.bodies[b.stmt.Line] = body
	}
	return body
}

// madeFunction follows names such as f and g in f, g = make(), where make
// returns functions that it declares. It returns nil for other names.
func (r *Reader) madeFunction(b *binding) *entity {
	if b.scope.class != nil || b.scope.file.stub || len(b.stmt.Targets) != 1 {
		return nil
	}
	call := b.stmt.Value.Tree()
	if call.Kind != source.Call || call.X.Kind != source.Name {
		return nil
	}
	name := call.X.Name
	maker := b.scope.names[name]
	if maker == nil {
		maker = b.scope.deleted[name]
	}
	if maker == nil || maker.stmt == nil || maker.stmt.Kind != source.Def {
		return nil
	}
	declared := map[string]*source.Stmt{}
	var returns *source.Tree
	for body, i := r.body(maker), 0; i < len(body); i++ {
		switch s := &body[i]; {
		case s.Kind == source.Def:
			declared[s.Name] = s
		case s.Kind == source.Assign && s.Op == "":
			for _, target := range s.Targets {
				delete(declared, target) // The statement is an assignment such as f = cache(f).
			}
		case s.Kind == source.Expr && s.Name == "return":
			returns = s.Value.Tree()
		}
	}
	target := source.Parse(b.stmt.Targets[0])
	if returns == nil {
		return nil
	}
	if target.Kind == source.Tuple && returns.Kind == source.Tuple && len(target.Args) == len(returns.Args) {
		i := slices.IndexFunc(target.Args, func(t *source.Tree) bool { return t.Name == b.name })
		if i < 0 {
			return nil
		}
		returns = returns.Args[i]
	}
	stmt := declared[returns.Dotted()]
	if stmt == nil || len(call.Args) > 0 && (len(stmt.Decorators) > 0 || takesAnything(source.Params(stmt.Params))) { // @wraps(f), where f is an argument
		return nil
	}
	return &entity{mod: b.scope.file.mod, path: b.name, codeStub: codeStub{code: &binding{name: b.name, scope: b.scope, stmt: stmt}}}
}
