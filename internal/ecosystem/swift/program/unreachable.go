package program

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/spelling"
)

// The lists are written by the command in names from the sources of systems and from packages that compile.
//
//go:generate sh -c "go run ./names $SWIFT_SYSTEMS names/standard.txt names/functions.txt $SWIFT_PROJECTS/*"

//go:embed names.txt
var namesOfSystems string

//go:embed labels.txt
var labelsOfSystems string

//go:embed functions.txt
var functionsOfSystems string

// systemFunctions returns the argument labels of functions of systems, and of the initializers of types of systems, by their names.
// These have no others.
var systemFunctions = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(functionsOfSystems) {
		if words := strings.Fields(line); words[0] != "#" {
			all[words[0]] = map[string]bool{}
			for _, label := range words[1:] {
				all[words[0]][label] = true
			}
		}
	}
	return all
})

// systemNamesAndLabels returns the names of members and functions of systems, and the argument labels of them all.
var systemNamesAndLabels = sync.OnceValues(func() (names, labels map[string]bool) {
	names, labels = map[string]bool{}, map[string]bool{}
	read := func(all map[string]bool, list string) {
		for line := range strings.Lines(list) {
			if !strings.HasPrefix(line, "#") {
				all[strings.TrimSpace(line)] = true
			}
		}
	}
	read(names, namesOfSystems)
	read(labels, labelsOfSystems)
	for _, lists := range []map[string]string{closedSystems, systemMembers, {"": inherent + commonMembers + optionalMembers + systemNames}} {
		for _, list := range lists {
			for name := range strings.FieldsSeq(list) {
				names[name] = true
			}
		}
	}
	return names, labels
})

// interfaceModules are the modules of user interfaces, one of which each platform has. Code that is not under a condition
// may use what they have in common.
const interfaceModules = " UIKit AppKit Cocoa SwiftUI WatchKit "

// reachable returns the modules whose declarations values in a module may have: those that it imports, directly or
// indirectly. It returns nil if some of them are unknown, or if some are modules of systems whose names are not listed.
func (p *Program) reachable(u *unit) map[string]bool {
	if p.reach(u); u.unreachable || u.interfaces {
		return nil
	}
	return u.reachable
}

// reachableIn is like reachable for the values in a file. Only files that import a module of user interfaces use what these modules
// have in common.
func (p *Program) reachableIn(f *file) map[string]bool {
	p.reach(f.module)
	if f.module.unreachable || f.module.interfaces && slices.ContainsFunc(f.imports, func(name string) bool { return contains(interfaceModules, name) }) {
		return nil
	}
	return f.module.reachable
}

// importsMissingPackages reports whether a module imports a module that is neither in the program nor one of a system, directly or
// indirectly.
func (p *Program) importsMissingPackages(u *unit) bool {
	p.reach(u)
	return u.reachable == nil
}

// reach sets what Program.reachable and importsMissingPackages return.
func (p *Program) reach(u *unit) {
	if u.reachable != nil || u.unreachable {
		return
	}
	all := map[string]bool{u.Name: true}
	queue := []*unit{u}
	for i := 0; i < len(queue); i++ {
		m := queue[i]
		if _, complete := m.Read(); !complete || !m.loaded {
			u.unreachable = true
			return
		}
		for _, f := range m.files {
			for k := range f.Imports {
				d := &f.Imports[k]
				imported := p.modules[d.Module]
				switch {
				case all[d.Module]:
				case imported != nil:
					all[d.Module] = true
					if !imported.Opaque {
						queue = append(queue, imported)
					} else if m == u {
						u.imported = true
					}
				case len(d.Conditions) == 0 && !module.IsSystem(d.Module):
					u.unreachable = true
					return
				case m == u && len(d.Conditions) == 0 && !isKnownSystem(d.Module):
					u.unreachable = true
				case m == u && contains(interfaceModules, d.Module):
					u.interfaces = true
				}
			}
		}
	}
	u.reachable = all
}

// isUnreachable reports whether a member is certainly declared by no module that the file's module can reach, but by
// another one.
func (w *walker) isUnreachable(i int, known *words) bool {
	name := unquoted(w.at(i))
	if w.at(i-1) != "." || strings.HasPrefix(name, "_") || strings.Contains(name, "$") {
		return false
	}
	if names, _ := systemNamesAndLabels(); names[name] {
		return false
	}
	modules := w.program.reachableIn(w.file)
	return modules != nil && !known.isElsewhere(name, w.file.module.Name, w.file.Name, modules) && (known.members[name] || w.program.notImported().members[name])
}

// wrongLabel reports an argument label that no function has whose name is that of the called one. local contains the
// declarations of the file.
func (w *walker) wrongLabel(i int, known, local *words, wrong map[int]bool) bool {
	open := w.parent[i]
	literal := w.literalType(open - 1)
	if open < 1 || w.at(open) != "(" || literal == "" && !w.isName(open-1) || !w.tight(open) || w.inPattern(open) {
		return false
	}
	callee, label, before := cmp.Or(literal, unquoted(w.at(open-1))), unquoted(w.at(i)), w.at(open-2)
	if before == "." && callee == "init" && systemFunctions()[w.at(open-3)] != nil {
		callee = w.at(open - 3)
	}
	listed := systemFunctions()[callee]
	if w.program.reachableIn(w.file) == nil && (listed == nil || strings.ToLower(callee) == callee || w.program.importsMissingPackages(w.file.module)) {
		return false // modules of interfaces may declare other functions with short names
	}
	if callee == "" || wrong[w.tokens[open-1].Start] || before == "@" || isDeclarationKeyword(before) || w.kind(open-2) == source.Pound ||
		known.arguments["dynamicallyCall"] != nil || known.arguments["callAsFunction"][label] || local.arguments["callAsFunction"][label] {
		return false
	}
	labels := known.arguments[callee]
	names, systemLabels := systemNamesAndLabels()                      // a declaration of a system that is not in the list may have the label of another one
	imported := strings.Contains(label, "_") || w.file.module.imported // whether it may be a field of a structure in C
	switch {
	case strings.HasPrefix(callee, "XCTAssert") && labels == nil && listed == nil && names[callee]:
		labels = map[string]bool{"file": true, "line": true, "accuracy": true}
	case listed[label]:
		return false
	case listed != nil && strings.HasPrefix(callee, "XCT"):
	case callee[0] >= 'A' && callee[0] <= 'Z':
		certain := w.typed(callee).system == callee // otherwise, the name may be that of a generic parameter
		if callee == "Self" || labels != nil || local.arguments["init"][label] || w.localTypes[callee].t != nil ||
			(listed == nil || !certain) && (imported || systemLabels[label] || !certain && (!isSystemType(callee) || known.globals[callee])) {
			return false
		}
		if labels = known.arguments["init"]; certain {
			added := w.program.addsToSystems().labels
			labels = map[string]bool{}
			maps.Copy(labels, added[""])
			maps.Copy(labels, added[callee])
		}
	case listed != nil:
	case callee == "init" && imported || names[callee] && systemLabels[label]:
		return false
	case labels == nil && (imported || !names[callee]) && !w.isLocalFunction(callee, known, local):
		return false
	}
	if labels[label] || local.arguments[callee][label] || known.generated[callee] || w.hasGenerated(slices.Concat(known.declarations[callee], local.declarations[callee]), known) {
		return false
	}
	w.report(Use{
		Path: label, Fault: ecosystem.AbsentFault, Near: spelling.Misspelled(maps.Keys(labels), label),
		Message: fmt.Sprintf("no function %s in the project and its packages has the argument label %s", callee, label),
	}, i, i)
	return true
}

// literalType returns the type that brackets name, such as [Int] in [Int](repeating: 0, count: 2), whose closing one is at a token,
// or "" if they contain an index.
func (w *walker) literalType(end int) string {
	if end < 0 || w.at(end) != "]" {
		return ""
	}
	open := w.parent[end]
	if w.tight(open) && !contains(" ( [ { , ! ", w.at(open-1)) {
		return ""
	}
	if w.at(w.keyEnd(open+1, end)) == ":" {
		return "Dictionary"
	}
	return "Array"
}

// isLocalFunction reports whether a name is declared in the file, as a function in a function, but nowhere else.
func (w *walker) isLocalFunction(name string, known, local *words) bool {
	return local.arguments[name] != nil && len(local.declarations[name]) == 0 && !known.isElsewhere(name, w.file.module.Name, w.file.Name, nil)
}

// inPattern reports whether the arguments at a token may be those of an enum case in a pattern, whose labels need not be
// those of the case.
func (w *walker) inPattern(open int) bool {
	first := open - 1
	for w.at(first-1) == "." {
		if first--; w.isName(first-1) && w.at(first-1) != "case" {
			first--
		}
	}
	switch w.at(first - 1) {
	case "case", "let", "var", "catch":
		return true
	case ",":
		if p := w.parent[first]; p < 0 || w.at(p) == "{" {
			return true
		}
	}
	return w.binds(open)
}

// isFurther reports whether a name may be declared after another one, as in let a, b: Int.
func (w *walker) isFurther(i int) bool {
	return w.at(i-1) == "," && (w.parent[i] < 0 || w.at(w.parent[i]) == "{")
}

// declaredLabels adds the argument labels of the function, initializer or enum case that the name at a token may declare,
// also in a function, or that of the initializer of a structure if the name may be one of its properties.
func (w *walker) declaredLabels(local *words, i int) {
	name, before := unquoted(w.at(i)), w.at(i-1)
	further := w.isFurther(i)
	if before == "let" || before == "var" || further {
		local.accept("init", name)
	}
	open := i + 1
	if w.at(open) == "<" {
		open = w.angle(open)
	}
	if before != "func" && before != "case" && !further && (name != "init" || before == ".") || w.at(open) != "(" {
		return
	}
	for k := open; k < w.closing[open]; k++ {
		if k == open || w.at(k) == "," {
			local.accept(name, unquoted(w.at(k+1)))
		} else if c := w.closing[k]; c > 0 {
			k = c
		}
	}
}
