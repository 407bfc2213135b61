// Package apidoc is the model of package documentation: languages produce it,
// answers are rendered from it. It does not depend on any language, registry or
// protocol.
//
// All text in it was written by other people: doc comments, README files,
// examples. It is data to be shown, never an instruction to be followed. The
// readers that fill the model strip invisible and bidirectional control
// characters from it.
package apidoc

import "strings"

// Ecosystem is the ID of a language and its packages: "go", "npm".
type Ecosystem string

// Package is the complete documentation of one package at one version. Package
// answer shortens it.
type Package struct {
	// Ecosystem and Style are copied from the language's Info; its reader leaves
	// them empty.
	Ecosystem Ecosystem `json:"ecosystem"`
	Style     Style     `json:"-"`
	// Name is what users import: "encoding/json", "axios", "@tanstack/react-query".
	Name string `json:"name"`
	// Module is the unit of versioning and download if it differs from the
	// package: the path of a Go module, "std" for Go's standard library.
	Module string `json:"module,omitempty"`
	// Version is the exact version that was read: "v1.8.0", "go1.26.8", "4.1.12".
	// It is empty for a package of the user's own project.
	Version string `json:"version,omitempty"`
	// LocalName is the identifier that an import binds by default, if the language
	// has one ("json" for encoding/json).
	LocalName string `json:"localName,omitempty"`
	// Qualifiers are further names to which programs bind the whole package,
	// according to its declarations or documentation: "Papa" for papaparse.
	Qualifiers []string `json:"qualifiers,omitempty"`
	// Command is true for a program, which has documentation but no symbols.
	Command bool `json:"command,omitempty"`
	// Synopsis is the first sentence of Doc, as plain text.
	Synopsis string `json:"synopsis,omitempty"`
	// Doc is the package's own documentation, as Markdown.
	Doc string `json:"doc,omitempty"`
	// Deprecated is the deprecation notice, empty if there is none.
	Deprecated string `json:"deprecated,omitempty"`
	// Platform is the platform for which files were selected ("linux/amd64");
	// empty if the language does not distinguish platforms.
	Platform string `json:"platform,omitempty"`
	// Homepage is the address of the package's website, taken from its metadata.
	Homepage string `json:"homepage,omitempty"`
	// Repository is the address of its source code as written in its metadata.
	// RepositoryDir is the package's directory in it, "" for the root.
	Repository    string `json:"repository,omitempty"`
	RepositoryDir string `json:"repositoryDir,omitempty"`
	// Symbols are the exported declarations in the order in which the
	// language's own tool prints them.
	Symbols []Symbol `json:"symbols"`
	// Imports are the names that signatures use for other packages and for their symbols,
	// in so far as each means the same in all signatures.
	Imports []Ref `json:"imports,omitempty"`
	// TypeVars are names in signatures that stand for any type although no declaration
	// lists them as its type parameters: T = TypeVar("T") in Python.
	TypeVars []string `json:"typeVars,omitempty"`
	// Groups are the declarations with several symbols, in the order of
	// Symbol.Group: Groups[0] is group 1.
	Groups []Group `json:"groups,omitempty"`
	// Elsewhere are symbols that exist only on other platforms; their Constraint
	// names these. A member of a type that exists on Platform is listed here with
	// its full path.
	Elsewhere []Symbol `json:"elsewhere,omitempty"`
	// Internal are types to which signatures of exported symbols refer, but which users
	// cannot import, or import from another package. They are shown with these symbols and
	// found by name.
	Internal []Symbol `json:"internal,omitempty"`
	// Hidden are the names that programs can reach in the package although they are not
	// part of its API, such as private ones and, in Python, those that it imports. "*"
	// stands for others that are not known.
	Hidden []string `json:"hidden,omitempty"`
	// Wrapped are the paths of functions and classes that something changes when the
	// program runs, such as a decorator: calls may take other arguments than the
	// declaration says.
	Wrapped []string `json:"wrapped,omitempty"`
	// Examples belong to the package as a whole.
	Examples []Example `json:"examples,omitempty"`
	// Sections are parts of prose documentation: README, guides.
	Sections []Section `json:"sections,omitempty"`
	// Above is the package whose answer has the README, if this one is a part of it
	// and the names do not show that: "requests" for Python's "requests.sessions". It
	// equals Name for that package itself if the package has several modules side by
	// side: Swift's "swift-nio/NIO".
	Above string `json:"above,omitempty"`
	// Dynamic says, as the end of a sentence, why the package may export names that reading
	// it does not show; empty if it does not.
	Dynamic string `json:"dynamic,omitempty"`
	// Subpackages are the packages below this one.
	Subpackages []Subpackage `json:"subpackages,omitempty"`
	// Advice are sentences that affect the use of the documentation: for example,
	// that the project uses another version, or another package of that name.
	Advice []string `json:"advice,omitempty"`
	// Warnings are sentences about parts that could not be read. Only overviews show
	// them.
	Warnings []string `json:"warnings,omitempty"`
	// Omissions are sentences about prose that was left out: files that are too long, for
	// example. Only overviews show them.
	Omissions []string `json:"omissions,omitempty"`
	// Options are sentences about the optional parts that are on, such as features
	// and traits. Only overviews show them.
	Options    []string   `json:"options,omitempty"`
	Provenance Provenance `json:"provenance"`
}

// Provenance describes where documentation comes from.
type Provenance struct {
	// Source is the kind of place that was read: "GOROOT", "vendor",
	// "module cache", "workspace", "proxy", "node_modules", "registry".
	Source string `json:"source"`
	// Location is the place in terms that users know. It never holds a credential.
	Location string `json:"location,omitempty"`
	// ChosenBy names what chose the version: "go.mod of example.com/app", "requested",
	// "newest release, no project given".
	ChosenBy string `json:"chosenBy"`
	// Unused is true if the project neither has nor asks for the package, so that the
	// newest version was read.
	Unused bool `json:"unused,omitempty"`
	// Undeclared says, as a sentence without a final full stop, why the project's own code
	// cannot import the package yet although its dependencies use it; empty if it can.
	Undeclared string `json:"undeclared,omitempty"`
	// Integrity names what verified the bytes ("go.sum", "sha512 of
	// package-lock.json"), or says that they were not verified.
	Integrity string `json:"integrity,omitempty"`
}

// VersionFrom says what chose a version: "version from go.mod", "version: requested" or
// "version: newest release".
func VersionFrom(by string) string {
	for _, choice := range []string{"requested", "newest"} {
		if strings.HasPrefix(by, choice) {
			return "version: " + by
		}
	}
	return "version from " + by
}

// Symbol is one exported declaration with its members and examples.
type Symbol struct {
	// Path is the symbol's path within the package, as users write it: "Marshal",
	// "Client.Do", "AxiosInstance.get".
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// Signature is the declaration as the language's own tool prints it,
	// without bodies.
	Signature string `json:"signature"`
	// Refs are the names in Signature whose meaning cannot be told from the paths of the
	// package's symbols and from Package.Imports.
	Refs []Ref `json:"refs,omitempty"`
	// Doc is the doc comment as Markdown.
	Doc string `json:"doc,omitempty"`
	// Deprecated is the deprecation notice, empty if there is none.
	Deprecated string `json:"deprecated,omitempty"`
	// File is relative to the root of the package (of the module, in Go), with
	// forward slashes; Line counts from 1.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Group is the number, from 1, of the declaration group in which the symbol
	// was written (Go's "const ( … )"); 0 means that it is in no group.
	Group int `json:"group,omitempty"`
	// Of is the path of the type under which the language's own tool prints the
	// symbol although the symbol is not a member. The symbol is a constant of that
	// type, or a function that returns it. Such symbols follow their type directly.
	Of string `json:"of,omitempty"`
	// From names the type from which the symbol is promoted or inherited
	// ("io.Reader"). It is empty for a symbol that the type itself declares.
	From string `json:"from,omitempty"`
	// Constraint is the condition on the platform under which the symbol exists,
	// in the syntax of its language; empty if it exists on every platform.
	Constraint string    `json:"constraint,omitempty"`
	Examples   []Example `json:"examples,omitempty"`
	// AlsoType is true for a value or class whose first declaration is that of an interface of
	// the same name.
	AlsoType bool `json:"alsoType,omitempty"`
	// Members are methods, fields, values of an enumeration, and other symbols
	// that are accessed through this one. A decoded package may hold inherited
	// members in encoded form: AllMembers returns all members.
	Members []Symbol `json:"members,omitempty"`
	// Unlisted sums up, as a list of phrases, what the symbol takes or has that is not
	// among its members, such as the attributes of the element that a component renders.
	Unlisted  string `json:"unlisted,omitempty"`
	inherited *inherited
}

// Ref maps a name in a signature to the symbol that it means.
type Ref struct {
	Name string `json:"name"`
	// Package is the name of the package that declares the symbol, empty if that is the
	// package of the signature.
	Package string `json:"package,omitempty"`
	// Path is the path of the symbol, empty if Name is that of Package itself. If both
	// are empty, the name means no symbol of the package, and it is not known which
	// other symbol it means.
	Path string `json:"path"`
}

// Group is one declaration that holds several symbols.
type Group struct {
	// Signature is the whole declaration as the language's own tool prints it.
	Signature string `json:"signature"`
	// Doc is the comment on the group as a whole, as Markdown.
	Doc string `json:"doc,omitempty"`
}

// Example is code that shows a use.
type Example struct {
	// Name distinguishes the examples of one symbol; it may be empty.
	Name string `json:"name,omitempty"`
	Doc  string `json:"doc,omitempty"`
	Code string `json:"code"`
	// Output is the output of Code, if the package documents it.
	Output string `json:"output,omitempty"`
	// Unordered is true if the lines of Output may come in any order.
	Unordered bool `json:"unordered,omitempty"`
}

// Section is a titled part of prose documentation.
type Section struct {
	// ID is stable within one version of a package: "readme/installation".
	ID    string `json:"id"`
	Title string `json:"title"`
	// Level is the depth of the heading, 1 for the outermost.
	Level int `json:"level"`
	// Body is Markdown without the heading.
	Body string `json:"body"`
	File string `json:"file,omitempty"`
	// Origin names the source of a section that is not part of the package, worded
	// as the end of a sentence. The readers of languages leave it empty.
	Origin string `json:"origin,omitempty"`
}

// SkillPrefix begins the IDs of the sections that quote the skills for coding agents
// that a package ships. Their bodies begin with the description, in one paragraph.
const SkillPrefix = "skills/"

// Subpackage is a package below another.
type Subpackage struct {
	Name     string `json:"name"`
	Synopsis string `json:"synopsis,omitempty"`
	Command  bool   `json:"command,omitempty"`
}

// IsBelow reports whether the name of a package begins with that of another.
func IsBelow(name, parent string) bool {
	rest, ok := strings.CutPrefix(name, parent)
	return ok && rest != "" && strings.ContainsRune("/.:", rune(rest[0]))
}

// All calls yield for every symbol of the package, parents before their
// members, in order.
func (p *Package) All(yield func(*Symbol) bool) {
	walk(p.Symbols, yield)
}

func walk(symbols []Symbol, yield func(*Symbol) bool) bool {
	for i := range symbols {
		if !yield(&symbols[i]) || !walk(symbols[i].AllMembers(), yield) {
			return false
		}
	}
	return true
}
