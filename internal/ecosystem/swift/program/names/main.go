// Command names writes names.txt, labels.txt and functions.txt, which contain the names that systems declare, into the current
// directory.
//
//	names SYSTEMS STANDARD FUNCTIONS PROJECT...
//
// SYSTEMS is a directory with the sources of swift-foundation, swift-corelibs-foundation, swift-corelibs-libdispatch,
// swift-corelibs-xctest and swift-testing, whose public declarations are listed.
//
// STANDARD is a file with names that these sources lack: those of the standard library, and those that only Apple's systems
// declare. Each line is a name and its argument labels.
//
// FUNCTIONS is a file with the names of functions whose argument labels are listed by name.
//
// Each PROJECT is a directory with a package that compiles and with its dependencies in .build/checkouts. If the package uses
// a name that neither it nor a dependency declares, a system declares that name.
package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/rootfs"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: names SYSTEMS STANDARD FUNCTIONS PROJECT...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func run(systems, standard, functions string, projects []string) error {
	all := table{}
	if err := all.readSystems(systems); err != nil {
		return err
	}
	if err := all.readProjects(projects); err != nil {
		return err
	}
	var lists [2]string
	for i, name := range []string{standard, functions} {
		text, err := fs.ReadFile(rootfs.New(filepath.Dir(name)), filepath.Base(name))
		if err != nil {
			return err
		}
		lists[i] = string(text)
	}
	names, labels := all.lists(lists[0])
	return cmp.Or(write("names.txt", "Names of members and functions", names), write("labels.txt", "Argument labels of functions", labels),
		write("functions.txt", "Functions and types, with all argument labels", all.functions(lists[1])))
}

// write writes a list.
func write(name, content string, list []string) error {
	return os.WriteFile(name, []byte("# "+content+" that the standard library, Concurrency, Foundation, Dispatch, XCTest and Testing declare, or that\n"+
		"# packages use without declaring them. Written by the command in the directory names; add what it misses to standard.txt: a\n"+
		"# name too many only hides a finding, and a missing one may cause a wrong one.\n"+strings.Join(list, "\n")+"\n"), 0o600)
}

// table contains names with the argument labels that they are used with.
type table map[string]map[string]bool

func (t table) add(name string, labels ...string) {
	name = strings.Trim(name, "`")
	if t[name] == nil {
		t[name] = map[string]bool{}
	}
	for _, label := range labels {
		t[name][strings.Trim(label, "`")] = true
	}
}

// lists returns the sorted names and labels, with those in the text of STANDARD.
func (t table) lists(standard string) (names, labels []string) {
	isName := func(name string) bool {
		return name != "" && !strings.HasPrefix(name, "_") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
	}
	for name, all := range t {
		if !isName(name) {
			continue
		}
		names = append(names, name)
		for label := range all {
			labels = append(labels, label)
		}
	}
	for line := range strings.Lines(standard) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			names = append(names, words[0])
			labels = append(labels, words[1:]...)
		}
	}
	slices.Sort(names)
	slices.Sort(labels)
	return slices.Compact(names), slices.Compact(labels)
}

// functions returns the lines of the text of FUNCTIONS with all labels that the table has for their names.
func (t table) functions(text string) (lines []string) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		labels := slices.AppendSeq(words[1:], maps.Keys(t[words[0]]))
		slices.Sort(labels)
		lines = append(lines, strings.Join(append(words[:1:1], slices.Compact(labels)...), " "))
	}
	return lines
}

// readSystems adds the public declarations of systems.
func (t table) readSystems(dir string) error {
	return eachFile(dir, func(name, text string) {
		if strings.Contains(name, "/Tests/") || strings.Contains(name, "/Benchmarks/") || strings.Contains(name, "Macros/") {
			return
		}
		for _, d := range source.Parse(name, text).Decls {
			t.declare(d, "", false)
		}
	})
}

// declare adds a public declaration. owner is the type around it.
func (t table) declare(d *source.Decl, owner string, public bool) {
	if d.Access != source.Unspecified {
		public = d.Access >= source.Public
	}
	if public && d.Kind != source.Extension {
		var labels []string
		for i := range d.Params {
			if label := d.Params[i].Label; label != "" && label != "_" {
				labels = append(labels, label)
			}
		}
		switch d.Kind {
		case source.Init, source.Subscript:
			t.add(owner, labels...)
		}
		if d.Kind != source.Deinit {
			t.add(d.Name, labels...)
		}
	}
	switch d.Kind {
	case source.Extension, source.Struct, source.Class, source.Enum, source.Actor, source.Protocol:
		owner = d.Name[strings.LastIndexByte(d.Name, '.')+1:]
	}
	for _, m := range d.Members { // requirements and cases are as visible as their types
		t.declare(m, owner, public && (d.Kind == source.Protocol || m.Kind == source.Case) || d.Kind == source.Extension && d.Access >= source.Public)
	}
}

// readProjects adds the names that projects use but do not declare. A name that another project declares only counts if
// several projects use it, because the condition under which a project declares it may be unknown.
func (t table) readProjects(dirs []string) error {
	const several = 3
	found, projects, declaredAnywhere := table{}, map[string]int{}, map[string]bool{}
	for _, dir := range dirs {
		declared, used := map[string]bool{}, table{}
		if err := eachFile(dir, func(name, text string) { newFile(name, text).declarations(declared) }); err != nil {
			return err
		}
		if err := eachFile(dir, func(name, text string) { newFile(name, text).uses(declared, used) }); err != nil {
			return err
		}
		for name := range declared {
			declaredAnywhere[name] = true
		}
		for name, labels := range used {
			projects[name]++
			found.add(name)
			for label := range labels {
				found.add(name, label)
			}
		}
	}
	for name, labels := range found {
		if t[name] == nil && declaredAnywhere[name] && projects[name] < several {
			continue
		}
		t.add(name)
		for label := range labels {
			t.add(name, label)
		}
	}
	return nil
}

// file is the tokens of a file.
type file struct {
	name, text string
	tokens     []source.Token
}

func newFile(name, text string) *file {
	f := &file{name: name, text: text}
	s := source.NewScanner(text)
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		f.tokens = append(f.tokens, t)
	}
	return f
}

func (f *file) at(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.text[f.tokens[i].Start:f.tokens[i].End]
}

// declarations adds the names that the file declares, or may declare.
func (f *file) declarations(declared map[string]bool) {
	for i, t := range f.tokens {
		if t.Kind != source.Ident {
			continue
		}
		name := strings.Trim(f.at(i), "`")
		switch before := f.at(i - 1); before {
		case "func", "var", "let", "case", "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype", "macro":
			declared[name] = true
		case ",": // a further case
			if next := f.at(i + 1); next == "," || next == "(" || next == "=" || f.tokens[min(i+1, len(f.tokens)-1)].Newline {
				declared[name] = true
			}
		case "(", "?":
		default:
			if f.at(i+1) == ":" { // not an argument label
				declared[name] = true
			}
		}
	}
	var add func(d *source.Decl)
	add = func(d *source.Decl) {
		declared[d.Name] = true
		for _, m := range d.Members {
			add(m)
		}
	}
	for _, d := range source.Parse(f.name, f.text).Decls {
		add(d)
	}
}

// uses adds the members and functions that the file uses, except the declared ones.
func (f *file) uses(declared map[string]bool, used table) {
	for i, t := range f.tokens {
		if t.Kind != source.Ident {
			continue
		}
		name := strings.Trim(f.at(i), "`")
		member, call := f.at(i-1) == ".", f.at(i+1) == "(" && !f.tokens[i+1].Space && !f.tokens[i+1].Newline
		switch {
		case declared[name] || name == "self" || name == "init" || !member && !call || call && f.at(i-1) == "func",
			!member && strings.ToLower(name) == name: // a function of C or a keyword
			continue
		}
		used.add(name)
		if call {
			f.labels(i+1, name, used)
		}
	}
}

// labels adds the argument labels of a call whose arguments begin at a token.
func (f *file) labels(open int, name string, used table) {
	depth := 0
	for k := open; k < len(f.tokens); k++ {
		switch f.at(k) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth == 0 {
			return
		}
		if depth == 1 && f.tokens[k].Kind == source.Ident && f.at(k+1) == ":" && (f.at(k-1) == "(" || f.at(k-1) == ",") {
			used.add(name, f.at(k))
			if name[0] >= 'A' && name[0] <= 'Z' {
				used.add("init", f.at(k))
			}
		}
	}
}

// eachFile calls f with each Swift file in a directory.
func eachFile(dir string, f func(name, text string)) error {
	files := rootfs.New(dir)
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".swift") {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err == nil {
			f("/"+name, string(text))
		}
		return err
	})
}
