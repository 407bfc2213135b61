package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/module"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// swiftNames are the names that the packages in a project's .build/checkouts declare publicly.
type swiftNames struct {
	types, members, labels map[string]bool
	modules                map[string]*swiftModule
	dirs                   map[string]string // the modules of the project by the directories of their sources
	replaced               bool              // whether a mistake is another one of these names, instead of one with two letters exchanged
	sorted                 map[string][]string
}

// swiftModule contains the public types of a module, all types that it declares, including nested ones, and the modules that it
// re-exports.
type swiftModule struct {
	types, declared map[string]bool
	exports         []string
}

// wrong returns a wrong name in the place of the name at an offset, but none of the visible types.
func (n *swiftNames) wrong(kind, name string, offset int, visible map[string]bool) string {
	names := map[string]map[string]bool{"use": n.types, "member": n.members, "argument": n.labels}[kind]
	if !n.replaced || len(names) == 0 {
		return exchanged(name)
	}
	if n.sorted[kind] == nil {
		n.sorted[kind] = sorted(names)
	}
	for range names {
		if kind != "use" || !visible[n.sorted[kind][offset%len(names)]] {
			return n.sorted[kind][offset%len(names)]
		}
		offset++
	}
	return name
}

// visible returns the types that a file of the project can use: those of its module, and those of the modules that it imports and
// that these re-export.
func (n *swiftNames) visible(file string, imports []source.Import) map[string]bool {
	types := map[string]bool{}
	var queue []string
	if m := n.modules[swiftModuleOf(file, n.dirs)]; m != nil {
		maps.Copy(types, m.declared)
		queue = append(queue, m.exports...)
	}
	for i := range imports {
		queue = append(queue, imports[i].Module)
	}
	for i := 0; i < len(queue); i++ {
		if m := n.modules[queue[i]]; m != nil && !slices.Contains(queue[:i], queue[i]) {
			maps.Copy(types, m.types)
			queue = append(queue, m.exports...)
		}
	}
	return types
}

// swiftModuleOf returns the module of a file whose path has slashes, or "".
func swiftModuleOf(file string, dirs map[string]string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if module := dirs[dir]; module != "" || dir == "." || dir == "/" {
			return module
		}
	}
}

// swiftNamesIn reads the declarations of all packages that SwiftPM has checked out for the project in dir.
func swiftNamesIn(dir string, replaced bool) *swiftNames {
	n := &swiftNames{types: map[string]bool{}, members: map[string]bool{}, labels: map[string]bool{}, modules: map[string]*swiftModule{}, dirs: swiftTargets(dir, true), replaced: replaced, sorted: map[string][]string{}}
	var into *swiftModule // the module of the file
	local := false        // whether it is one of the project
	var add func(d *source.Decl, member, visible bool)
	add = func(d *source.Decl, member, visible bool) {
		if d.Access != source.Unspecified {
			visible = d.Access >= source.Public
		}
		visible = visible && !strings.HasPrefix(d.Name, "_")
		switch d.Kind {
		case source.Struct, source.Class, source.Actor, source.Enum, source.Protocol, source.TypeAlias:
			into.declared[d.Name] = true
			if visible && !member {
				into.types[d.Name] = true
				n.types[d.Name] = n.types[d.Name] || !local
			}
		case source.Func, source.Var, source.Case, source.Init:
			if visible && member && !local && isIdentifier(d.Name) {
				n.members[d.Name] = true
			}
			for i := range d.Params {
				if visible && !local && isIdentifier(d.Params[i].Label) {
					n.labels[d.Params[i].Label] = true
				}
			}
		}
		for _, m := range d.Members { // requirements and cases are as visible as their types
			add(m, true, visible && (d.Kind == source.Protocol || m.Kind == source.Case) || d.Kind == source.Extension && d.Access >= source.Public)
		}
	}
	read := func(root string) {
		dirs := swiftTargets(root, local)
		_ = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() == ".build" {
				return filepath.SkipDir
			}
			relative, _ := filepath.Rel(root, name)
			target := swiftModuleOf(filepath.ToSlash(relative), dirs)
			if target == "" || !strings.HasSuffix(name, ".swift") {
				return nil
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil //nolint:nilerr // A link may lead nowhere.
			}
			if into = n.modules[target]; into == nil {
				into = &swiftModule{types: map[string]bool{}, declared: map[string]bool{}}
				n.modules[target] = into
			}
			parsed := source.Parse(name, text)
			for i := range parsed.Imports {
				if m := &parsed.Imports[i]; m.Exported() {
					into.exports = append(into.exports, m.Module)
				}
			}
			for _, d := range parsed.Decls {
				add(d, false, false)
			}
			return nil
		})
	}
	checkouts, _ := os.ReadDir(filepath.Join(dir, ".build", "checkouts"))
	for _, checkout := range checkouts {
		read(filepath.Join(dir, ".build", "checkouts", checkout.Name()))
	}
	local = true
	read(dir)
	maps.DeleteFunc(n.types, func(_ string, dependency bool) bool { return !dependency })
	return n
}

// swiftTargets returns the modules of a package by the directories of their sources, with slashes.
func swiftTargets(root string, tests bool) map[string]string {
	dirs := map[string]string{}
	text, err := os.ReadFile(filepath.Join(root, "Package.swift"))
	if err != nil {
		return dirs
	}
	m, err := manifest.Parse(string(text), runtime.GOOS)
	if err != nil {
		return dirs
	}
	for i := range m.Targets {
		if kind := m.Targets[i].Kind; kind == "plugin" || kind == "testTarget" && !tests {
			continue
		}
		dir := m.Targets[i].Directory(func(name string) bool {
			info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
			return err == nil && info.IsDir()
		})
		if dir == "" && len(m.Targets) == 1 {
			dir = "Sources"
		}
		if dir != "" {
			dirs[dir] = strings.ReplaceAll(m.Targets[i].Name, "-", "_")
		}
	}
	return dirs
}

// isCompiled reports whether a file belongs to a target. The modules that other files may import are unknown.
func isCompiled(reader ecosystem.SourceReader, dir, file string) bool {
	uses, _ := reader.Uses(&ecosystem.SourceFile{Name: file, Dir: dir, Text: []byte("import DocentCheckAccuracy\n")})
	return len(uses) > 0
}

// mutants returns all mistakes in names of a Swift file that packages declare: imported modules, types, members after a
// dot, and argument labels. Values of any type may have the members.
func (n *swiftNames) mutants(file string, text []byte) (all []mutant) {
	if strings.HasPrefix(path.Base(file), "Package") {
		return nil
	}
	parsed := source.Parse(file, text)
	visible := n.visible(file, parsed.Imports)
	add := func(kind string, start, end int) {
		from := string(text[start:end])
		if to := n.wrong(kind, from, start, visible); to != from {
			all = append(all, mutant{file: file, kind: kind, line: 1 + bytes.Count(text[:start], []byte("\n")), from: from, to: to, offset: start, original: text})
		}
	}
	for i := range parsed.Imports {
		if m := &parsed.Imports[i]; len(m.Conditions) == 0 && !module.IsSystem(m.Module) {
			add("package", m.Start, m.Start+len(m.Module))
		}
	}
	s := source.NewScanner(parsed.Text)
	var before, t source.Token
	conditions, importing := 0, false
	var declares []bool // for each open parenthesis, whether it contains parameters
	function := false   // whether the parameters of a function or an initializer follow
	var name, keyword string
	for next := s.Next(); next.Kind != source.EOF; before, t, next = t, next, s.Next() {
		word := parsed.Text[t.Start:t.End]
		switch n := len(declares); {
		case t.Kind == source.Punct && t.Byte == '(':
			declares = append(declares, function || isDeclaration(keyword) || name == "init" && keyword != "." || t.Space || t.Newline || before.Kind == source.Punct && strings.IndexByte("({[,:", before.Byte) >= 0)
			function = false
		case t.Kind == source.Punct && t.Byte == ')' && n > 0:
			declares = declares[:n-1]
		}
		keyword, name = name, word
		switch {
		case t.Kind == source.Pound && word == "#if":
			conditions++
		case t.Kind == source.Pound && word == "#endif":
			conditions--
		case word == "func":
			function = true
			continue
		case word == "init" && (next.Byte == '<' || next.Byte == '?') && next.Kind == source.Oper && !(before.Byte == '.' && before.Kind == source.Punct):
			function = true
			continue
		case word == "import":
			importing = true
			continue
		case t.Kind != source.Ident || conditions > 0 || importing && !t.Newline:
			continue
		case next.Byte == ':' && next.Kind == source.Punct && (before.Byte == '(' || before.Byte == ','):
			if d := len(declares); n.labels[word] && d > 0 && !declares[d-1] {
				add("argument", t.Start, t.End)
			}
		case before.Byte == '.' && before.Kind == source.Punct:
			if n.members[word] {
				add("member", t.Start, t.End)
			}
		case n.types[word] && (next.Byte == '(' || next.Byte == '.') && !isDeclaration(parsed.Text[before.Start:before.End]):
			add("use", t.Start, t.End)
		}
		importing = false
	}
	return all
}

// isIdentifier reports whether a name is one, and not an operator, a name in backticks or the label "_".
func isIdentifier(name string) bool {
	s := source.NewScanner(name)
	t := s.Next()
	return name != "_" && t.Kind == source.Ident && t.Byte != '`' && t.End == len(name)
}

// isDeclaration reports whether a keyword declares the name after it.
func isDeclaration(keyword string) bool {
	switch keyword {
	case "struct", "class", "enum", "protocol", "extension", "typealias", "func", "case", "actor":
		return true
	}
	return false
}
