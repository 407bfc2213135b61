package npm

import (
	"cmp"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// declarations matches the name of a file with declarations, which a compiler writes.
var declarations = lazyregexp.New(`\.d\.[cm]?ts$`)

// IsSource implements ecosystem.SourceReader.
func (*NPM) IsSource(name string) bool {
	switch path.Ext(name) {
	case ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".vue", ".svelte":
		return !declarations().MatchString(name) && !strings.HasSuffix(name, ".min.js")
	}
	return false
}

// SnippetName implements ecosystem.SourceReader.
func (*NPM) SnippetName() string { return "snippet.ts" }

// Uses implements ecosystem.SourceReader. It reads imports, exports from other modules, calls to
// require, members of namespaces and, in TypeScript, the arguments in calls to imported functions.
// It ignores names that also have another meaning in the file.
func (n *NPM) Uses(f *ecosystem.SourceFile) ([]ecosystem.Use, []ecosystem.SyntaxError) {
	text := string(f.Text)
	ext := path.Ext(f.Name)
	chained := strings.Contains(ext, "ts")
	if isComponent(ext) {
		var tags []string
		text, tags = scriptElements(text)
		chained = isTyped(tags)
	}
	r := &usesReader{file: f, configs: &n.configs, text: text, tokens: dts.Tokens(text), typed: chained || isComponent(ext), imported: map[string]importedName{}, bound: map[string]bool{}, bindings: map[string]int{}, defaults: map[string]string{}, own: map[string]bool{}, untyped: map[string]bool{}}
	if i := slices.IndexFunc(r.tokens, func(t dts.Token) bool { return t.Kind == dts.BrokenToken }); i >= 0 { // Such tokens are mostly text within JSX.
		r.tokens, r.broken = r.tokens[:i], true
	}
	r.lines = ecosystem.NewLines(text)
	r.imports()
	if !r.broken {
		r.bind()
		r.members()
		if chained {
			r.chains()
		}
	}
	r.addModuleNames()
	if hidden, all := hiddenLines(text); all {
		r.uses = nil
	} else {
		r.uses = slices.DeleteFunc(r.uses, func(u ecosystem.Use) bool { return hidden[u.Line] })
	}
	ecosystem.SortUses(r.uses)
	return r.uses, nil
}

// hiddenLines returns the lines that a comment such as @ts-ignore hides from the compiler. all is
// true if these are all lines.
func hiddenLines(text string) (lines map[int]bool, all bool) {
	if !strings.Contains(text, "@ts-") {
		return nil, false
	}
	lines = map[int]bool{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.Contains(line, "@ts-expect-error") || strings.Contains(line, "@ts-ignore") {
			lines[n+1] = true
		} else if lines[n] && strings.HasPrefix(strings.TrimSpace(line), "//") {
			lines[n+1] = true // the next line that is not a comment
		}
	}
	return lines, strings.Contains(text, "// @ts-nocheck")
}

// importedName is the target of a name that an import binds.
type importedName struct {
	module, path string // path is "" for a namespace
}

// usesReader collects the uses of packages in one file.
type usesReader struct {
	file   *ecosystem.SourceFile
	text   string
	tokens []dts.Token
	lines  ecosystem.Lines
	typed  bool // whether the compiler checks arguments
	broken bool // whether the end of the file could not be parsed

	imported    map[string]importedName
	bound       map[string]bool   // names that are not bound by exactly one import
	bindings    map[string]int    // number of bindings of each name other than imports
	defaults    map[string]string // the modules whose default exports names are bound to
	moduleNames []moduleName      // names for default exports and for results of require
	annotated   []int             // parameters with types
	closing     map[int]int       // the closing bracket of each opening one; nil until it is needed
	statics     []span            // ranges of the tokens of import statements
	own         map[string]bool   // whether each module belongs to the project
	untyped     map[string]bool   // whether each installed package has no declarations
	aliases     []string
	configs     *configs
	read        bool // whether aliases have been read
	uses        []ecosystem.Use
}

type span struct{ start, end int }

// moduleName is a name that a file gives to a module, at a token.
type moduleName struct {
	token    int
	module   string
	variable bool // whether it is the name of a variable
}

func (r *usesReader) at(i int) string {
	if i >= 0 && i < len(r.tokens) {
		return r.tokens[i].Text
	}
	return ""
}

func (r *usesReader) isWord(i int) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].Kind == dts.WordToken
}

// module returns the module specifier in a string token.
func (r *usesReader) module(i int) string {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].Kind != dts.StringToken {
		return ""
	}
	s := r.tokens[i].Text
	return s[1 : len(s)-1]
}

func (r *usesReader) position(offset int) ecosystem.Position {
	return r.lines.Position(offset)
}

// imports reads the statements that import modules.
func (r *usesReader) imports() {
	for i := 0; i < len(r.tokens); i++ {
		if r.at(i-1) == "." || !r.isWord(i) {
			continue
		}
		switch r.at(i) {
		case "import", "export":
			i = r.static(i)
		case "require":
			if m := r.module(i + 2); m != "" && r.at(i+1) == "(" && r.at(i+3) == ")" {
				r.addModule(i+2, m)
				r.required(i, m)
			}
		}
	}
}

// static reads the import or export at the given token and returns its last token.
func (r *usesReader) static(i int) int {
	start := i
	if r.at(i) == "import" {
		if m := r.module(i + 1); m != "" { // The statement is import "m".
			r.addModule(i+1, m)
			return i + 1
		}
		if m := r.module(i + 2); m != "" && r.at(i+1) == "(" { // The expression is import("m").
			r.addModule(i+2, m)
			return i + 2
		}
	}
	flow := false // whether the names are types in JavaScript, which are those of Flow
	if isTypeModifier(r.at(i+1)) && r.at(i+2) != "from" && r.at(i+2) != "," && r.at(i+2) != "=" {
		flow = !r.typed
		i++
	}
	type name struct {
		token    int
		path, as string
		flow     bool
	}
	var names []name
	standard := 0 // standard is the token of the name that the default export is bound to.
	export := r.at(start) == "export"
	for i++; i < len(r.tokens); i++ {
		switch {
		case r.at(i) == "from":
			m := r.module(i + 1)
			if m == "" {
				return start
			}
			r.statics = append(r.statics, span{start, i + 1})
			r.addModule(i+1, m)
			if standard > 0 {
				r.defaults[r.at(standard)] = m
				r.moduleNames = append(r.moduleNames, moduleName{standard, m, false})
			}
			for _, n := range names {
				if n.path != "" && !n.flow {
					r.addName(n.token, m, n.path)
				}
				if !export && n.as != "" {
					r.bindImport(n.as, importedName{m, n.path})
				}
			}
			return i + 1
		case r.at(i) == "*":
			if r.at(i+1) == "as" && r.isWord(i+2) {
				names = append(names, name{i, "", r.at(i + 2), flow})
				i += 2
			}
		case r.at(i) == "{":
			for i++; i < len(r.tokens) && r.at(i) != "}"; i++ {
				flow := flow
				if isTypeModifier(r.at(i)) && r.at(i+1) != "as" && r.at(i+1) != "," && r.at(i+1) != "}" {
					flow = !r.typed
					i++
				}
				if !r.isWord(i) {
					if r.at(i+1) == "as" { // The name of the export is a string.
						r.bound[r.at(i+2)] = true
						i += 2
					}
					continue
				}
				n := name{i, r.at(i), r.at(i), flow}
				if r.at(i+1) == "as" && i+2 < len(r.tokens) && r.at(i+2) != "}" && r.at(i+2) != "," {
					n.as = r.at(i + 2)
					i += 2
				}
				if n.path == "default" {
					n.path = "" // The meaning of the import depends on the interoperability of modules.
					r.bound[n.as] = true
				}
				names = append(names, n)
			}
		case r.isWord(i) && !export && (r.at(i+1) == "from" || r.at(i+1) == ","): // The name is bound to the default export.
			r.bound[r.at(i)] = true
			standard = i
		case r.at(i) == ",":
		default:
			return start
		}
	}
	return start
}

// isTypeModifier reports whether a word before an imported name makes it a type. Flow, whose types packages declare in files
// of their own, has both words.
func isTypeModifier(word string) bool { return word == "type" || word == "typeof" }

// required reads the names that are bound to the result of the call to require at the given token.
func (r *usesReader) required(i int, module string) {
	if r.at(i-1) != "=" {
		return
	}
	if r.isWord(i-2) && r.at(i-3) != "." {
		r.bound[r.at(i-2)] = true // A CommonJS module can export any value.
		if last := r.at(i + 4); last != "." && last != "(" && last != "[" {
			r.moduleNames = append(r.moduleNames, moduleName{i - 2, module, r.at(i-3) != "import"})
		}
		return
	}
	if r.at(i-2) != "}" || slices.Contains([]string{".", "?", "[", "("}, r.at(i+4)) {
		return
	}
	open := i - 3
	for open >= 0 && r.at(open) != "{" && r.at(open) != "}" {
		open--
	}
	if r.at(open) != "{" || r.at(open-1) != "const" && r.at(open-1) != "let" && r.at(open-1) != "var" {
		return
	}
	for k := open + 1; k < i-2; k++ {
		if r.isWord(k) && (r.at(k-1) == "{" || r.at(k-1) == ",") && r.at(k+1) != "=" {
			r.addName(k, module, r.at(k))
		}
	}
}

func (r *usesReader) bindImport(name string, to importedName) {
	if old, ok := r.imported[name]; ok && old != to {
		r.bound[name] = true
	}
	r.imported[name] = to
}

func (r *usesReader) addModule(token int, module string) {
	if r.isOwn(module) {
		return
	}
	name := packageOf(module)
	r.uses = append(r.uses, ecosystem.Use{Position: r.position(r.tokens[token].Pos), Package: name, Text: r.at(token), Import: true})
}

func (r *usesReader) addName(token int, module, name string) {
	if r.isOwn(module) || r.typed && r.isUntyped(packageOf(module)) && !r.isValue(token) {
		return
	}
	r.uses = append(r.uses, ecosystem.Use{Position: r.position(r.tokens[token].Pos), Package: module, Path: name, Text: name, Import: true})
}

// addModuleNames adds a use for each name of a module, such as x in import x from "m" and in
// const x = require("m"), unless the file also declares something else with that name.
func (r *usesReader) addModuleNames() {
	for _, b := range r.moduleNames {
		others := r.bindings[r.at(b.token)]
		if b.variable {
			others--
		}
		if others <= 0 && !r.isOwn(b.module) {
			r.uses = append(r.uses, ecosystem.Use{Position: r.position(r.tokens[b.token].Pos), Package: b.module, Text: r.at(b.token), Import: true, Whole: true})
		}
	}
}

// isUntyped reports whether an installed package has no declarations. To TypeScript, each name of it is a type,
// too.
func (r *usesReader) isUntyped(name string) bool {
	untyped, known := r.untyped[name]
	if !known {
		untyped = r.lacksTypes(name)
		r.untyped[name] = untyped
	}
	return untyped
}

func (r *usesReader) lacksTypes(name string) bool {
	manifest, installed := "", ""
	var dirs []string // those above the project may contain its packages, too
	if r.file.Dir != "" {
		dirs = project.Upwards(filepath.Join(r.file.Dir, filepath.FromSlash(path.Dir(r.file.Name))))
	}
	for _, dir := range dirs {
		if project.IsFile(filepath.Join(dir, "node_modules", filepath.FromSlash(typesName(name)), "index.d.ts")) {
			return false
		}
		if manifest == "" {
			installed = filepath.Join(dir, "node_modules", filepath.FromSlash(name))
			manifest = readConfig(dir, "node_modules/"+name+"/package.json")
		}
	}
	if manifest == "" || declaresTypes(installed, manifest) {
		return false
	}
	var m struct {
		Main string `json:"main"`
	}
	_ = json.Unmarshal([]byte(manifest), &m) // TypeScript then looks for index.d.ts, too
	main := filepath.FromSlash(cmp.Or(m.Main, "index.js"))
	return !slices.ContainsFunc([]string{strings.TrimSuffix(main, filepath.Ext(main)), main, filepath.Join(main, "index")}, func(file string) bool {
		return project.IsFile(filepath.Join(installed, file+".d.ts"))
	})
}

// declarationFile matches the path of a file with declarations in a manifest.
var declarationFile = lazyregexp.New(`"([^"]+\.d\.[cm]?ts)"`)

// declaresTypes reports whether the manifest of an installed package names declarations that the package contains.
func declaresTypes(installed, manifest string) bool {
	if !strings.Contains(manifest, `"types"`) && !strings.Contains(manifest, `"typings"`) {
		return false
	}
	files := declarationFile().FindAllStringSubmatch(manifest, maxDeclarationFiles)
	return len(files) == 0 || len(files) == maxDeclarationFiles || slices.ContainsFunc(files, func(m []string) bool {
		return strings.Contains(m[1], "*") || project.IsFile(filepath.Join(installed, filepath.FromSlash(m[1])))
	})
}

// maxDeclarationFiles is the maximum number of files with declarations in a manifest that are looked for.
const maxDeclarationFiles = 1000

// isValue reports whether the code calls the name in an import or uses its members, so that it cannot be the
// name of a type.
func (r *usesReader) isValue(token int) bool {
	if r.at(token+1) == "as" {
		token += 2
	}
	name := r.at(token)
	for i := range r.tokens {
		if next := r.at(i + 1); r.at(i) == name && (next == "(" || next == "." || r.at(i-1) == "new") && !r.isMember(i) {
			return true
		}
	}
	return false
}

// packageOf returns the name of the package in a specifier, such as @a/b of @a/b/c.
func packageOf(module string) string {
	parts := strings.SplitN(module, "/", 3)
	n := 1
	if strings.HasPrefix(module, "@") {
		n = 2
	}
	return strings.Join(parts[:min(n, len(parts))], "/")
}

// packageName matches a valid package name, which may be followed by a path.
var packageName = lazyregexp.New(`^(@[a-z0-9-][a-z0-9._~-]*/)?[a-z0-9-][a-z0-9._~-]*(/[^?#!]*)?$`)

// isOwn reports whether a specifier does not refer to a package in the registry: it is a file, a
// module of the runtime, an asset, or an alias defined in the project's configuration.
func (r *usesReader) isOwn(module string) bool {
	own, known := r.own[module]
	if !known {
		top := packageOf(module)
		own = !packageName().MatchString(module) || modules.IsNode(top) || top == "bun" || isAsset(module) || r.isAlias(module)
		r.own[module] = own
	}
	return own
}

func isAsset(module string) bool {
	switch path.Ext(module) {
	case ".css", ".scss", ".sass", ".less", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".woff", ".woff2", ".ttf", ".json", ".wasm", ".html", ".txt", ".md", ".vue", ".svelte":
		return true
	}
	return false
}

var (
	configPaths = lazyregexp.New(`"([^"\s]+)"\s*:\s*\[`)
	configBase  = lazyregexp.New(`"baseUrl"\s*:\s*"([^"]*)"`)
)

// maxConfig is the maximum size, in bytes, of the part of a TypeScript configuration that is read.
const maxConfig = 1 << 20

// isAlias reports whether a TypeScript configuration gives a specifier another meaning. It
// looks in the directories from the file's own up to the project's root.
func (r *usesReader) isAlias(module string) bool {
	if !r.read {
		r.read = true
		for dir := range r.file.Dirs() {
			r.readConfigs(dir)
		}
	}
	top := packageOf(module)
	return slices.ContainsFunc(r.aliases, func(alias string) bool {
		if full, ok := strings.CutPrefix(alias, "\x00"); ok { // The alias refers to a directory of modules.
			full = filepath.Join(full, filepath.FromSlash(top))
			return project.IsDir(full) || slices.ContainsFunc([]string{".ts", ".tsx", ".js", ".jsx", ".d.ts"}, func(ext string) bool { return project.IsFile(full + ext) })
		}
		prefix, isPrefix := strings.CutSuffix(alias, "*")
		return alias == module || isPrefix && strings.HasPrefix(module, prefix)
	})
}

func (r *usesReader) readConfigs(dir string) {
	for _, name := range r.configs.in(dir) {
		text := readConfig(dir, name)
		if base := configBase().FindStringSubmatch(text); base != nil {
			r.aliases = append(r.aliases, "\x00"+filepath.Join(dir, filepath.FromSlash(base[1])))
		}
		if i := strings.Index(text, `"paths"`); i >= 0 {
			for _, m := range configPaths().FindAllStringSubmatch(text[i:], 1000) {
				r.aliases = append(r.aliases, m[1])
			}
		}
	}
}

// readConfig returns the text of a configuration file, or "" if it cannot be read.
func readConfig(dir, name string) string {
	f, err := rootfs.OpenBelow(dir, name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig))
	if err != nil {
		return ""
	}
	return string(data)
}

// bind records the names that declarations, parameters and patterns bind. It may also record
// names that are not bound.
func (r *usesReader) bind() {
	skip := 0
	for i := 0; i < len(r.tokens); i++ {
		if skip < len(r.statics) && i == r.statics[skip].start {
			i = r.statics[skip].end
			skip++
			continue
		}
		switch word := r.at(i); word {
		case "const", "let", "var", "using":
			for depth, k := 0, i+1; k < len(r.tokens); k++ {
				switch text := r.at(k); {
				case text == "{" || text == "[":
					depth++
				case text == "}" || text == "]":
					depth--
				case depth <= 0 && (text == "=" || text == "of" || text == "in" || text == ";" || text == ":" || text == "("):
					k = len(r.tokens)
				case r.isWord(k):
					r.bindName(text)
				}
			}
		case "function", "class", "enum", "interface", "type", "namespace", "infer":
			k := i + 1
			if r.at(k) == "*" {
				k++
			}
			if r.isWord(k) && r.at(i-1) != "." {
				r.bindName(r.at(k))
			}
		case "=>":
			if r.isWord(i - 1) {
				r.bindName(r.at(i - 1))
			}
		case ",":
			if r.isWord(i+1) && r.at(i+2) == "=" { // The variable is another name for the value.
				r.bindName(r.at(i + 1))
			}
		case ")":
			if next := r.at(i + 1); next == "=>" || next == "{" || next == ":" {
				r.params(i)
			}
		}
	}
}

// bindName records that something other than an import binds a name.
func (r *usesReader) bindName(name string) {
	r.bound[name] = true
	r.bindings[name]++
}

// maxParams is the maximum number of tokens in a parameter list.
const maxParams = 2000

// params records the names in the parentheses that end at the given token.
func (r *usesReader) params(end int) {
	depth := 0
	for i := end; i >= 0 && i > end-maxParams; i-- {
		switch r.at(i) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth == 0 {
				return
			}
		}
		if depth == 1 && r.isWord(i) && r.at(i+1) == ":" && (r.at(i-1) == "(" || r.at(i-1) == ",") {
			r.annotated = append(r.annotated, i)
		}
		if before := r.at(i - 1); r.isWord(i) && (before == "(" || before == "," || before == "{" || before == "[" || before == "..." || before == ":" && depth > 1) {
			r.bindName(r.at(i))
		}
	}
}

// members reads members of namespaces and calls to imported functions.
func (r *usesReader) members() {
	skip := 0
	for i := 0; i < len(r.tokens); i++ {
		if skip < len(r.statics) && i == r.statics[skip].start {
			i = r.statics[skip].end
			skip++
			continue
		}
		name := r.at(i)
		to, ok := r.imported[name]
		if !ok || !r.isWord(i) || r.bound[name] || r.at(i-1) == "." || r.at(i+1) == ":" || r.isOwn(to.module) {
			continue
		}
		symbol, end := to.path, i
		if symbol == "" {
			if r.at(i+1) != "." || !r.isWord(i+2) {
				continue
			}
			symbol, end = r.at(i+2), i+2
			if r.at(end+1) == "=" {
				continue
			}
		}
		u := ecosystem.Use{Position: r.position(r.tokens[end].Pos), Package: to.module, Path: symbol, Text: r.text[r.tokens[i].Pos : r.tokens[end].Pos+len(r.tokens[end].Text)]}
		if r.typed && r.at(end+1) == "(" && !r.declares(i, end+1) {
			u.Args = r.args(end + 1)
		}
		if u.Args == nil && to.path != "" {
			continue // the import was already added
		}
		r.uses = append(r.uses, u)
	}
}

// declares reports whether the name at the given token and the parentheses at open are the head of
// a method, as in get(key) { … } or get(key): Value.
func (r *usesReader) declares(i, open int) bool {
	end := r.call(open)
	if end == 0 || end >= len(r.tokens) {
		return false
	}
	switch r.at(end) {
	case "{":
		return !r.tokens[end].NewLine
	case ":":
		switch r.at(i - 1) {
		case "{", "}", ";", ",", "*", "async", "static", "public", "private", "protected", "override", "abstract", "get", "set":
			return true
		}
	}
	return false
}

// args reads the arguments of a call whose opening parenthesis is at the given token.
func (r *usesReader) args(open int) *ecosystem.Args {
	a := &ecosystem.Args{}
	depth := 0
	begins := true
	for i := open; i < len(r.tokens); i++ {
		switch r.at(i) {
		case "(", "[", "{":
			if depth++; depth == 1 {
				continue
			}
		case ")", "]", "}":
			if depth--; depth == 0 {
				return a
			}
		case "<":
			return nil // type arguments can contain commas
		case ",":
			if depth == 1 {
				begins = true
				continue
			}
		case "...":
			if depth == 1 && begins {
				a.Spread, begins = true, false
				continue
			}
		}
		if begins && depth >= 1 {
			begins = false
			a.Positional++
		}
	}
	return nil
}
