package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// foundationTypes are types of the standard library, Foundation and Dispatch whose names modules rarely declare. There are no
// lists of their members by type: a name is one of their members if any type of a system has a member with that name.
const foundationTypes = " Data Date URL UUID Calendar TimeZone Locale DateComponents DateInterval DateFormatter ISO8601DateFormatter NumberFormatter ByteCountFormatter JSONEncoder JSONDecoder PropertyListEncoder PropertyListDecoder " +
	"JSONSerialization PropertyListSerialization FileManager FileHandle ProcessInfo Bundle UserDefaults NotificationCenter URLSession URLRequest URLResponse HTTPURLResponse URLComponents URLQueryItem DispatchQueue DispatchGroup " +
	"DispatchSemaphore OperationQueue RunLoop Thread CharacterSet IndexSet IndexPath Decimal InputStream OutputStream NSRegularExpression NSLock NSRecursiveLock NSNumber NSString NSError " +
	"Mirror Substring Character Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 ContinuousClock SuspendingClock " +
	"Duration DispatchTime DispatchWallTime DispatchTimeInterval DispatchWorkItem DispatchSource DispatchData URLSessionConfiguration URLSessionTask URLSessionDataTask HTTPCookie HTTPCookieStorage " +
	"Result Task TaskGroup ThrowingTaskGroup TaskPriority CheckedContinuation UnsafeContinuation AsyncStream AsyncThrowingStream Hasher ObjectIdentifier StaticString Timer Pipe Process Range ClosedRange ArraySlice ContiguousArray " +
	"UnsafeRawPointer UnsafeMutableRawPointer UnsafePointer UnsafeMutablePointer UnsafeRawBufferPointer UnsafeMutableRawBufferPointer UnsafeBufferPointer UnsafeMutableBufferPointer CommandLine KeyPath WritableKeyPath ReferenceWritableKeyPath "

// additions are what the program adds to types of systems.
type additions struct {
	members map[string]bool            // names of members
	labels  map[string]map[string]bool // argument labels of initializers by types in systemFunctions; "" stands for others
	unknown bool                       // whether a type conforms to a protocol that is neither in the program nor in a system
}

// addsToSystems returns the members of the program that values of types of systems may have: those of extensions of such
// types and of all protocols.
func (p *Program) addsToSystems() *additions {
	if p.additions != nil {
		return p.additions
	}
	a := &additions{members: map[string]bool{}, labels: map[string]map[string]bool{}}
	add := func(name string, members []*source.Decl) {
		if systemFunctions()[name] == nil {
			name = ""
		}
		if a.labels[name] == nil {
			a.labels[name] = map[string]bool{}
		}
		for _, m := range members {
			a.members[m.Name] = true
			for i := range m.Params {
				if m.Kind == source.Init {
					a.labels[name][m.Params[i].Label] = true
				}
			}
		}
	}
	types := map[string]bool{} // the names of types, and whether one of them is a protocol or an alias
	var visit func(t *Type)
	visit = func(t *Type) {
		open := t.kind() == source.Protocol || t.isAlias()
		types[t.name] = types[t.name] || open
		if open {
			for _, d := range t.decls {
				add(t.name, d.decl.Members)
			}
		}
		for _, n := range t.nested {
			visit(n)
		}
	}
	for _, m := range p.modules {
		for _, t := range m.types {
			visit(t)
		}
		for _, private := range m.private {
			for _, t := range private {
				visit(t)
			}
		}
	}
	for name, all := range p.extensions {
		if open, ok := types[name]; ok && !open && !isSystemType(name) {
			continue
		}
		for _, x := range all {
			add(name, x.decl.Members)
			for _, inherited := range x.decl.Inherits {
				n, ok := parseType(strings.TrimPrefix(strings.TrimSpace(inherited), "@unchecked "))
				if !ok || len(n.path) == 0 {
					continue
				}
				last := n.path[len(n.path)-1]
				a.unknown = a.unknown || !isSystemType(last) && !p.aliased[last] && p.resolve(n.path, context{file: x.file}, 1).t == nil
			}
		}
	}
	p.additions = a
	return a
}

// isFoundation reports whether a name refers to one of foundationTypes, because nothing in the program has this name.
func (p *Program) isFoundation(name string, c context) bool {
	if !contains(foundationTypes, name) || p.wordsOf().globals[name] || p.aliased[name] || len(c.bound) > 0 && c.bound[name].t != nil {
		return false
	}
	if c.scope.inGeneric(name) || slices.ContainsFunc(c.generics, func(d *source.Decl) bool {
		return slices.ContainsFunc(d.Generics, func(g source.GenericParam) bool { return g.Name == name })
	}) {
		return false
	}
	if c.local != nil {
		if _, ok := c.local(name); ok {
			return false
		}
	}
	return true
}

// foundation evaluates the name of a type of a system, the call of an initializer after it, and the next member. v is a value
// of the type, and j the token after its name. The value of a call may be an optional.
func (w *walker) foundation(v value, j int) (value, int) {
	if w.at(j) != "" && w.at(j)[0] == '<' && w.kind(j) == source.Oper && w.tight(j) {
		if c := w.angle(j); c > 0 {
			v, j = w.written(j-1, c), c
		}
	}
	end := j
	called := w.calls(j)
	if called {
		var a *arguments
		if a, end = w.arguments(j); a != nil && v.args == nil {
			if created := w.collection(v.system, a); created.isKnown() {
				return created, end
			}
		}
	}
	if w.at(end) == "." && w.isName(end+1) && (called || w.at(end+1) != "self") {
		if called && systemMembers[v.system] == "" {
			return w.systemMember(v, j-1, end+1)
		}
		w.foundationMember(v.system, end+1)
		w.addedStatic(v.system, j-1, end+1, called)
		if called {
			return w.skip(end + 2)
		}
		return w.foundationResult(v, end+1)
	}
	if !called || systemMembers[v.system] != "" && v.args == nil {
		return value{}, end
	}
	return v, end
}

// foundationMember checks a member of a value of one of foundationTypes, or of an optional with such a value.
func (w *walker) foundationMember(system string, i int) {
	if name := unquoted(w.at(i)); w.lacks(system, name) {
		w.report(Use{Path: name, Fault: ecosystem.AbsentFault, Message: fmt.Sprintf("%s has no member %s, and no module of the project or of its packages adds one", system, name)}, i, i)
	}
}

// lacks reports whether a type of a system certainly has no member with the given name.
func (w *walker) lacks(system, name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	if systemMembers[system] != "" {
		if declares(system, name) || contains(optionalMembers, name) || w.program.extendsSystem(system, name) || w.program.extends("Optional", name) {
			return false
		}
	} else {
		names, _ := systemNamesAndLabels()
		a := w.program.addsToSystems()
		if names[name] || contains(systemNames, name) || a.unknown || a.members[name] {
			return false
		}
	}
	s := w.program.scopeOf(w.file)
	return s.complete && s.systems && !w.program.importsMissingPackages(w.file.module)
}
