package rust

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/macros"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// IsSource implements ecosystem.SourceReader.
func (*Rust) IsSource(name string) bool { return path.Ext(name) == ".rs" }

// SnippetName implements ecosystem.SourceReader.
func (*Rust) SnippetName() string { return "snippet.rs" }

// Uses implements ecosystem.SourceReader. It reads use declarations, and paths that begin
// with the name of a crate. It omits code that a cfg attribute may remove.
func (rs *Rust) Uses(f *ecosystem.SourceFile) ([]ecosystem.Use, []ecosystem.SyntaxError) {
	r := newUsesReader(f, &rs.modules, &rs.roots)
	r.locals()
	r.manifests(&rs.required)
	r.read()
	return r.uses, nil
}

func newUsesReader(f *ecosystem.SourceFile, modules *moduleFiles, roots *project.FileCache[[]string]) *usesReader {
	r := &usesReader{file: f, modules: modules, roots: roots, text: string(f.Text), local: map[string]bool{}, own: map[string]bool{}, macroNames: map[string]bool{}, macros: map[string]bool{}, opaque: -1}
	r.lines = ecosystem.NewLines(r.text)
	buffer := tokenBuffers.Get().(*[]token)
	defer tokenBuffers.Put(buffer)
	*buffer = (*buffer)[:0]
	s := source.Scanner{Text: r.text}
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		if t.Kind != source.DocOuter && t.Kind != source.DocInner {
			*buffer = append(*buffer, token{int32(t.Start), int32(t.End), t.Kind, t.Byte}) // #nosec G115 -- a file has fewer bytes
		}
	}
	r.tokens = slices.Clone(*buffer)
	if cap(*buffer) > maxTokenBuffer {
		*buffer = nil
	}
	r.closers = closersOf(r.tokens)
	return r
}

// maxTokenBuffer is the maximum number of tokens in a buffer that is used again.
const maxTokenBuffer = 1 << 16

var tokenBuffers = sync.Pool{New: func() any { return new([]token) }}

// token is a source.Token in less memory, because the tokens of all files are in memory at once.
type token struct {
	start, end int32
	kind       source.Kind
	byte       byte
}

// closersOf returns the indexes of the tokens that close the brackets at each token. The index for a bracket that is not closed is the
// number of tokens, as it is for all tokens that are no opening brackets.
func closersOf(tokens []token) []int32 {
	closers := make([]int32, len(tokens))
	var open []int32
	for i := range tokens {
		closers[i] = int32(len(tokens)) // #nosec G115 -- a file has fewer bytes
		switch tokens[i].byte {
		case '(', '[', '{':
			open = append(open, int32(i)) // #nosec G115 -- a file has fewer bytes
		case ')', ']', '}':
			if n := len(open) - 1; n >= 0 {
				closers[open[n]] = int32(i) // #nosec G115 -- a file has fewer bytes
				open = open[:n]
			}
		}
	}
	return closers
}

// usesReader collects the uses of crates in one file.
type usesReader struct {
	file    *ecosystem.SourceFile
	text    string
	tokens  []token
	closers []int32 // the result of closersOf
	lines   ecosystem.Lines
	local   map[string]bool // names of modules and other items that the file declares or imports
	modules *moduleFiles
	dirs    []*moduleDir    // the result of directories
	own     map[string]bool // whether a path belongs to the project, by its first name
	globs   bool            // whether a glob import can bring any name into scope
	globbed []string        // the first tokens of the paths of glob imports
	roots   *project.FileCache[[]string]
	renamed map[string]bool // names that the roots of crates declare with extern crate, or nil if they have not been read
	crates  map[string]bool // names of the crates that the project's manifests require, or nil if there is no manifest
	uses    []ecosystem.Use
	// members are the tokens of names of members of values, except in calls of macros with their own
	// syntax.
	members    []int
	heads      []int           // the first tokens of paths, except in such calls
	opaque     int             // the end of the call of such a macro, or -1
	macroNames map[string]bool // names in such calls that a macro may declare in the body of a function
	macros     map[string]bool // the paths of such macros
	platforms  platforms
	unstable   bool     // whether the crate enables unstable features
	foreign    []string // names at the beginning of use declarations that are not those of required crates
}

func (r *usesReader) at(i int) string {
	if i >= 0 && i < len(r.tokens) {
		return r.text[r.tokens[i].start:r.tokens[i].end]
	}
	return ""
}

func (r *usesReader) isKind(i int, kind source.Kind) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].kind == kind
}

func (r *usesReader) isName(i int) bool { return r.isKind(i, source.Ident) }

// separates reports whether the token at i and the next one are "::".
func (r *usesReader) separates(i int) bool { return r.at(i) == ":" && r.at(i+1) == ":" }

// outlinedPlatforms are the modules of std::os that the outline of the standard library contains.
var outlinedPlatforms = map[string]bool{"unix": true, "linux": true, "fd": true, "raw": true, "net": true}

// otherPlatform reports whether the file refers to a module of std::os that the outline of the standard library lacks.
func (r *usesReader) otherPlatform() bool {
	if r.platforms == unknownPlatform {
		r.platforms = outlinedPlatform
		for i := range r.tokens {
			if r.at(i) == "os" && r.separates(i+1) && !outlinedPlatforms[r.at(i+3)] {
				r.platforms = foreignPlatform
				break
			}
		}
	}
	return r.platforms == foreignPlatform
}

// platforms tells which modules of std::os a file refers to.
type platforms uint8

const (
	unknownPlatform platforms = iota
	outlinedPlatform
	foreignPlatform
)

func (r *usesReader) position(i int) ecosystem.Position {
	return r.lines.Position(int(r.tokens[i].start))
}

// locals records the names that the file declares.
func (r *usesReader) locals() {
	for i := range r.tokens {
		switch r.at(i) {
		case "macro_rules":
			if r.at(i+1) == "!" && r.isName(i+2) {
				r.local[r.at(i+2)] = true
			}
		case "mod", "struct", "enum", "trait", "type", "fn", "union", "macro", "const", "static":
			if r.isName(i + 1) {
				r.local[r.at(i+1)] = true
			}
		case "*":
			r.globs = r.globs || r.at(i+1) == ";" || r.at(i+1) == "," || r.at(i+1) == "}"
		case "as":
			if r.isName(i+1) && (r.at(i+2) == ";" || r.at(i+2) == "," || r.at(i+2) == "}") {
				r.local[r.at(i+1)] = true
			}
		}
	}
}

// read reads the tokens in order.
func (r *usesReader) read() {
	for i := 0; i < len(r.tokens); i++ {
		switch {
		case r.at(i) == "#" && (r.at(i+1) == "[" || r.at(i+1) == "!" && r.at(i+2) == "["):
			inner := r.at(i+1) == "!"
			open := i + 1
			if inner {
				open++
			}
			end := r.group(open)
			if r.conditional(open, end) {
				if inner {
					return // the whole file or block may be removed
				}
				first := end + 1
				end = r.item(first)
				r.conditionalUse(first)
			}
			i = end
		case r.at(i) == "." && r.isName(i+1) && r.at(i-1) != "." && i > r.opaque && r.at(i+1) != "await":
			r.members = append(r.members, i+1)
			i++
		case r.isName(i) && r.at(i+1) == "!" && i > r.opaque:
			open := i + 2
			if r.isName(open) { // the name of a macro that is defined
				open++
			}
			if text := r.at(open); (text == "(" || text == "[" || text == "{") && !expressions[r.at(i)] {
				r.opaque = r.group(open)
				r.makes(open, r.opaque)
				if !messages[r.at(i)] && r.at(i) != "macro_rules" {
					r.macros[r.pathOf(i)] = true
				}
				if macros.IsQuote(r.at(i)) || r.interpolates(open, r.opaque) { // the code belongs to another crate
					i = r.opaque
				}
			}
		case r.at(i) == "use" && !r.separates(i-2) && r.at(i+1) != "<": // impl Trait + use<T> declares nothing
			i = r.use(i + 1)
		case r.isName(i) && r.separates(i+1) && !r.separates(i-2) && r.at(i-1) != "." && r.at(i-1) != "$" && r.isName(i+3):
			if i > r.opaque && r.tokens[i].end == r.tokens[i+1].start { // not a keyword before a path such as ::a::b
				r.heads = append(r.heads, i)
			}
			if i = r.path(i); r.at(i+1) == "!" {
				i-- // the path is that of a macro
			}
		}
	}
}

// pathOf returns the path whose last name is the token at i.
func (r *usesReader) pathOf(i int) string {
	path := r.at(i)
	for ; r.separates(i-2) && r.isName(i-3); i -= 3 {
		path = join(r.at(i-3), path)
	}
	return path
}

// makes records the names in the call of a macro, within a range of tokens, that the macro may declare.
func (r *usesReader) makes(open, end int) {
	for i := open + 1; i < end; i++ {
		if r.isName(i) && !r.separates(i+1) && r.at(i-1) != ":" && r.at(i-1) != "." {
			r.macroNames[r.at(i)] = true
		}
	}
}

// interpolates reports whether variables such as #name, which quote! replaces, are in a range of tokens.
func (r *usesReader) interpolates(first, end int) bool {
	for i := first; i < end; i++ {
		if r.at(i) == "#" && (r.isName(i+1) || r.at(i+1) == "(") {
			return true
		}
	}
	return false
}

// expressions are the macros of the standard library whose arguments are expressions.
var expressions = map[string]bool{
	"assert": true, "assert_eq": true, "assert_ne": true, "debug_assert": true, "debug_assert_eq": true, "debug_assert_ne": true, "panic": true, "unreachable": true,
	"todo": true, "unimplemented": true, "println": true, "eprintln": true, "print": true, "eprint": true, "write": true, "writeln": true, "format": true, "format_args": true,
	"vec": true, "matches": true, "dbg": true, "try": true,
}

// group returns the index of the token that closes the bracket at the given token or, if there is none, of the next closing bracket or the
// end of the next group.
func (r *usesReader) group(open int) int {
	for i := open; i < len(r.tokens); i++ {
		switch r.tokens[i].byte {
		case '(', '[', '{':
			return int(r.closers[i])
		case ')', ']', '}':
			return i
		}
	}
	return len(r.tokens)
}

// conditional reports whether an attribute may remove the item that it belongs to.
func (r *usesReader) conditional(open, end int) bool {
	if r.at(open+1) != "cfg" {
		return false
	}
	return r.at(open+3) != "test" || end != open+5
}

// conditionalUse records the names that the item at the given token imports, although a cfg attribute may remove it.
// Paths that begin with these names do not refer to crates.
func (r *usesReader) conditionalUse(i int) {
	for r.at(i) == "#" || r.at(i) == "pub" {
		if next := r.at(i + 1); next == "[" || next == "(" {
			i = r.group(i + 1)
		}
		i++
	}
	if r.at(i) == "use" {
		uses, foreign := r.uses, r.foreign
		r.use(i + 1)
		r.uses, r.foreign = uses, foreign
	}
}

// item returns the last token of the item that begins at the given token. The item includes its
// attributes.
func (r *usesReader) item(i int) int {
	declares := false // whether the item has a name, after which commas may follow in type parameters
	for ; i < len(r.tokens); i++ {
		switch r.at(i) {
		case "fn", "struct", "enum", "union", "trait":
			declares = declares || r.isName(i+1)
		case "impl":
			declares = declares || r.isName(i+1) || r.at(i+1) == "<"
		case ";":
			return i
		case ",":
			if !declares {
				return i
			}
		case "{":
			return r.group(i)
		case "(", "[":
			i = r.group(i)
		case "}", ")", "]":
			return i - 1
		}
	}
	return i
}

// use reads a use declaration and returns its last token.
func (r *usesReader) use(i int) int {
	if r.separates(i) {
		i += 2
	}
	for k := i; k < len(r.tokens) && r.at(k) != ";"; k++ {
		if r.at(k) == "*" {
			r.globbed = append(r.globbed, r.at(i))
			break
		}
	}
	if !r.isName(i) || r.isOwn(r.at(i)) {
		for ; i < len(r.tokens) && r.at(i) != ";"; i++ {
			if r.isName(i) && (r.at(i+1) == ";" || r.at(i+1) == "," || r.at(i+1) == "}") {
				name := r.at(i)
				if name == "self" {
					name = r.selfName(i)
				}
				r.local[name] = true
			}
		}
		return i
	}
	crate := r.at(i)
	if r.at(i+1) == ";" && !r.isRequired(crate) {
		return i + 1 // The identifier may be a macro defined in another file.
	}
	if !isStdCrate(crate) && (r.crates[crate] || !r.globs) {
		r.uses = append(r.uses, ecosystem.Use{Position: r.position(i), Package: crate, Text: crate, Import: true})
	}
	before := len(r.uses)
	end := r.tree(i, nil, 0, r.imported)
	if !r.isRequired(crate) {
		r.foreign = append(r.foreign, crate)
		r.uses = r.uses[:before] // the crate's name in code may be the name of another crate in the registry
	}
	return end
}

// selfName returns the name that "self" at the given token refers to in a tree of a use
// declaration, such as b in a::b::{c, self}.
func (r *usesReader) selfName(i int) string {
	depth := 0
	for ; i >= 0 && r.at(i) != ";"; i-- {
		switch r.at(i) {
		case "}":
			depth++
		case "{":
			if depth--; depth < 0 && r.separates(i-2) {
				return r.at(i - 3)
			}
		}
	}
	return "self"
}

// isRequired reports whether a crate is required by
// the project or belongs to the standard library. Without a manifest, every crate counts as required.
func (r *usesReader) isRequired(crate string) bool {
	return r.crates == nil || r.crates[crate] || isStdCrate(crate)
}

// manifests reads the names of crates from the manifests in the file's directory and the
// directories above it, up to the project's root.
func (r *usesReader) manifests(cache *project.FileCache[map[string]bool]) {
	for dir := range r.file.Dirs() {
		names, err := cache.Read(filepath.Join(dir, "Cargo.toml"), maxManifest, func(data []byte) (map[string]bool, error) {
			names, _ := cargo.DependencyNames(data) // the requirements of a damaged manifest are uncertain
			set := map[string]bool{}
			for _, name := range names {
				set[name] = true
			}
			return set, nil
		})
		switch {
		case err != nil:
		case r.crates == nil:
			r.crates = names
		default:
			r.crates = maps.Clone(r.crates)
			maps.Copy(r.crates, names)
		}
	}
}

// maxTree is the maximum nesting depth of a use declaration.
const maxTree = 32

// tree reads a tree of a use declaration after a path, and returns the token after it. The path consists of the tokens of its names.
// For each leaf, visit is called with the path before it and the leaf: a name, self or *.
func (r *usesReader) tree(i int, path []int, depth int, visit func(path []int, leaf int)) int {
	path = slices.Clip(path)
	for r.isName(i) && r.separates(i+1) {
		path = append(path, i)
		i += 3
	}
	switch {
	case r.at(i) == "{" && depth < maxTree:
		for i++; i < len(r.tokens) && r.at(i) != "}"; {
			before := i
			if i = r.tree(i, path, depth+1, visit); r.at(i) == "," {
				i++
			}
			if i == before {
				return i
			}
		}
		return i + 1
	case r.isName(i), r.at(i) == "*":
		visit(path, i)
		if i++; r.at(i) == "as" {
			i += 2
		}
	}
	return i
}

// imported adds the use of a name that a use declaration imports.
func (r *usesReader) imported(path []int, leaf int) {
	if len(path) == 0 || r.at(leaf) == "*" {
		return
	}
	name := r.at(leaf)
	if name == "self" {
		r.local[r.at(path[len(path)-1])] = true
		return
	}
	if name == "super" || name == "crate" {
		return
	}
	module := ""
	for _, i := range path {
		module = join(module, r.at(i))
	}
	r.uses = append(r.uses, ecosystem.Use{Position: r.position(leaf), Package: module, Path: name, Module: join(module, name), Text: join(module, name), Import: true})
	r.local[name] = true
}

func join(module, name string) string {
	if module == "" {
		return name
	}
	return module + "::" + name
}

// path reads a path in code and returns its last token. It follows only modules, because
// a name after a name that begins with an upper-case letter is a member of a type.
func (r *usesReader) path(i int) int {
	crate := r.at(i)
	end := i
	for r.separates(end+1) && r.isName(end+3) {
		end += 3
	}
	if crate == "test" && !r.imports(crate) {
		return end // A macro of the project may declare a module with this name.
	}
	if r.isOwn(crate) || crate == "use" || !r.isRequired(crate) || r.crates == nil && !isStdCrate(crate) && !r.imports(crate) {
		return end
	}
	module := crate
	for k := i + 3; k <= end; k += 3 {
		name := r.at(k)
		last := k == end || name[0] >= 'A' && name[0] <= 'Z'
		if !last {
			module = join(module, name)
			continue
		}
		u := ecosystem.Use{Position: r.position(k), Package: module, Path: name, Module: join(module, name), Text: join(module, name)}
		if k == end && r.at(end+1) == "(" {
			u.Args = r.args(end + 1)
		}
		r.uses = append(r.uses, u)
		break
	}
	return end
}

// imports reports whether an earlier use declaration begins with the given crate.
func (r *usesReader) imports(crate string) bool {
	return slices.ContainsFunc(r.uses, func(u ecosystem.Use) bool { return u.Import && u.Package == crate })
}

// args counts the arguments of the call whose opening parenthesis is at the given token.
func (r *usesReader) args(open int) *ecosystem.Args {
	a := &ecosystem.Args{}
	end := r.group(open)
	begins := true
	for i := open + 1; i < end; i++ {
		switch text := r.at(i); {
		case text == "#" || text == "<": // Skip attributes and type arguments, which can contain commas.
			return nil
		case text == ",":
			begins = true
			continue
		case text == "|" && (begins || r.at(i-1) == "move" || r.at(i-1) == "async"): // Skip the parameters of a closure.
			for i++; i < end && r.at(i) != "|"; i++ {
			}
		case text == "(" || text == "[" || text == "{":
			i = r.group(i)
		}
		if begins {
			begins = false
			a.Positional++
		}
	}
	return a
}

var standard = []string{"std", "core", "alloc", "proc_macro", "test"}

func isStdCrate(crate string) bool { return slices.Contains(standard, crate) }

// isOwn reports whether the first name of a path does not refer to a crate: a keyword, a primitive
// type, an item of the file, or a module in the project.
func (r *usesReader) isOwn(name string) bool {
	if r.local[name] {
		return true
	}
	own, known := r.own[name]
	if !known {
		switch name {
		case "crate", "self", "super", "Self", "str", "char", "bool", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "f32", "f64":
			own = true
		}
		compiler := strings.HasPrefix(name, "rustc_") && !r.crates[name] // a crate of the compiler, which needs no manifest
		own = own || compiler || name[0] >= 'A' && name[0] <= 'Z' || strings.HasPrefix(name, "r#") || r.isModule(name) || r.isRenamed(name)
		r.own[name] = own
	}
	return own
}

// isModule reports whether the file's directory, or a directory above it up to the project's root,
// contains a module with that name.
func (r *usesReader) isModule(name string) bool {
	return slices.ContainsFunc(r.directories(), func(d *moduleDir) bool { return d.has(name) })
}

// directories returns the directories that may contain modules of the project.
func (r *usesReader) directories() []*moduleDir {
	if r.dirs == nil {
		for dir := range r.file.Dirs() {
			r.dirs = append(r.dirs, r.modules.directory(dir), r.modules.directory(filepath.Join(dir, "src")))
		}
	}
	return r.dirs
}

// isRenamed reports whether the root of a crate in the file's directory, or in a directory above it up to the project's root, declares
// a name with extern crate.
func (r *usesReader) isRenamed(name string) bool {
	if r.renamed == nil {
		r.renamed = map[string]bool{}
		for _, dir := range r.directories() {
			for _, root := range []string{"lib", "main"} {
				if !dir.has(root) {
					continue
				}
				names, err := r.roots.Read(filepath.Join(dir.stamp.Path, root+".rs"), maxWordFile, func(data []byte) ([]string, error) { return renamedCrates(string(data)), nil })
				if err != nil {
					continue
				}
				for _, name := range names {
					r.renamed[name] = true
				}
			}
		}
	}
	return r.renamed[name]
}

// renamedCrates returns the names that extern crate declarations with "as" bind.
func renamedCrates(text string) (names []string) {
	if !strings.Contains(text, "extern crate") {
		return nil
	}
	for _, it := range source.Parse(text).Items {
		if it.Kind == source.ExternCrate {
			for _, u := range it.Uses {
				if n := len(u.Path); n > 0 && u.As != u.Path[n-1] {
					names = append(names, u.As)
				}
			}
		}
	}
	return names
}
