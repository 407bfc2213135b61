// Package apidoc is the model of package documentation. The readers of languages produce it, and
// answers are rendered from it. It does not depend on any language, registry or protocol.
//
// All text in it was written by other people, in doc comments, README files and examples. It is
// data to be shown, never an instruction to be followed. The readers that fill the model strip
// invisible and bidirectional control characters from it.
package apidoc

import "strings"

// Ecosystem is the ID of a language and its packages, such as "go" or "npm".
type Ecosystem string

// Package is the complete documentation of one package at one version. Package answer shortens it
// for answers.
type Package struct {
	// Ecosystem and Style are copied from the language's Info; its reader leaves
	// them empty.
	Ecosystem Ecosystem `json:"ecosystem"`
	Style     Style     `json:"-"`
	// Name is what users import, such as "encoding/json", "axios" or "@tanstack/react-query".
	Name string `json:"name"`
	// Module is the unit of versioning and download if it differs from the package, such as the
	// path of a Go module, or "std" for Go's standard library.
	Module string `json:"module,omitempty"`
	// Version is the exact version that was read, such as "v1.8.0", "go1.26.8" or "4.1.12". It is
	// empty for a package of the user's own project.
	Version string `json:"version,omitempty"`
	// LocalName is the identifier that an import binds by default, if the language
	// has one ("json" for encoding/json).
	LocalName string `json:"localName,omitempty"`
	// Qualifiers are additional names to which programs bind the whole package, according to its
	// declarations or documentation, such as "Papa" for papaparse.
	Qualifiers []string `json:"qualifiers,omitempty"`
	// Command is true for a program, which has documentation but no symbols.
	Command bool `json:"command,omitempty"`
	// Synopsis is the first sentence of Doc, as plain text.
	Synopsis string `json:"synopsis,omitempty"`
	// Doc is the package's own documentation, as Markdown.
	Doc string `json:"doc,omitempty"`
	// Deprecated is the deprecation notice, or "" if there is none.
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
	// Symbols are the exported declarations in the order in which the language's own documentation
	// tool prints them.
	Symbols []Symbol `json:"symbols"`
	// Imports are the names that signatures use for other packages and for their symbols. It
	// contains only names that mean the same in all signatures.
	Imports []Ref `json:"imports,omitempty"`
	// TypeVars are names in signatures that represent any type although no declaration lists them
	// as its type parameters, such as T = TypeVar("T") in Python.
	TypeVars []string `json:"typeVars,omitempty"`
	// Groups are the declarations with several symbols, in the order of
	// Symbol.Group: Groups[0] is group 1.
	Groups []Group `json:"groups,omitempty"`
	// Elsewhere are symbols that exist only on other platforms, which their Constraint specifies. A
	// member of a type that exists on Platform is listed here with its full path.
	Elsewhere []Symbol `json:"elsewhere,omitempty"`
	// Internal are types that the signatures of exported symbols refer to but that users cannot
	// import, or can only import from another package. They are shown with these symbols and found
	// by name.
	Internal []Symbol `json:"internal,omitempty"`
	// Hidden are the names that programs can reach in the package although they are not part of its
	// API, such as private names and, in Python, names that it imports. Below the path of a function, they are
	// parameters that it does not declare. "*" represents additional, unknown names.
	Hidden []string `json:"hidden,omitempty"`
	// Wrapped are the paths of functions and classes that are changed when the program runs, for
	// example by a decorator. Calls may take different arguments than declared. "*" represents all functions and classes.
	Wrapped []string `json:"wrapped,omitempty"`
	// Examples belong to the package as a whole.
	Examples []Example `json:"examples,omitempty"`
	// Sections are parts of prose documentation, such as the README and guides.
	Sections []Section `json:"sections,omitempty"`
	// Above is the package whose answer contains the README, if this package is a part of it and
	// the names do not show that: "requests" for Python's "requests.sessions". For that package
	// itself, it equals Name if the package has several modules side by side, such as Swift's
	// "swift-nio/NIO".
	Above string `json:"above,omitempty"`
	// AllNames is true if the symbols and Hidden are known to contain all names of the package, whatever Warnings
	// and Dynamic say.
	AllNames bool `json:"allNames,omitempty"`
	// Dynamic explains, as the end of a sentence, why the package may export names that are not
	// found by reading it. It is empty if it does not export such names.
	Dynamic string `json:"dynamic,omitempty"`
	// Unread are the names of exported symbols that were not read, because the package is
	// too large. Each of them can be read on its own, as the package Name/NAME.
	Unread []string `json:"unread,omitempty"`
	// Part is the name of the only exported symbol that was read, if the package is read in
	// parts; see Unread.
	Part string `json:"part,omitempty"`
	// Subpackages are the packages below this one.
	Subpackages []Subpackage `json:"subpackages,omitempty"`
	// Advice contains sentences that users of the documentation should know, for example that the
	// project uses another version, or another package with that name.
	Advice []string `json:"advice,omitempty"`
	// Warnings are sentences about parts that could not be read. Only overviews show
	// them.
	Warnings []string `json:"warnings,omitempty"`
	// Omissions are sentences about omitted prose, such as files that are too long. Only overviews
	// show them.
	Omissions []string `json:"omissions,omitempty"`
	// Options are sentences about the optional parts that are enabled, such as features and traits.
	// Only overviews show them.
	Options    []string   `json:"options,omitempty"`
	Provenance Provenance `json:"provenance"`
}

// Provenance describes where documentation comes from.
type Provenance struct {
	// Source is the kind of place that was read, such as "GOROOT", "vendor", "module cache",
	// "workspace", "proxy", "node_modules" or "registry".
	Source string `json:"source"`
	// Location is the place in terms that users know. It never contains a credential.
	Location string `json:"location,omitempty"`
	// ChosenBy describes what determined the version, such as "go.mod of example.com/app",
	// "requested" or "newest release, no project given".
	ChosenBy string `json:"chosenBy"`
	// Unused is true if the project neither contains nor requires the package; then the newest
	// version was read.
	Unused bool `json:"unused,omitempty"`
	// Undeclared explains, as a sentence without a final full stop, why the project's own code
	// cannot import the package yet although its dependencies use it. It is empty if the code can
	// import it.
	Undeclared string `json:"undeclared,omitempty"`
	// Integrity describes what verified the bytes, such as "go.sum" or "sha512 of
	// package-lock.json", or states that they were not verified.
	Integrity string `json:"integrity,omitempty"`
}

// VersionFrom states what determined a version, such as "version from go.mod", "version: requested"
// or "version: newest release".
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
	// Path is the symbol's path within the package, as users write it, such as "Marshal",
	// "Client.Do" or "AxiosInstance.get".
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// Signature is the declaration as the language's own documentation tool prints it, without
	// bodies.
	Signature string `json:"signature"`
	// Refs are the names in Signature whose meaning does not follow from the paths of the package's
	// symbols and from Package.Imports.
	Refs []Ref `json:"refs,omitempty"`
	// Doc is the doc comment as Markdown.
	Doc string `json:"doc,omitempty"`
	// Deprecated is the deprecation notice, or "" if there is none.
	Deprecated string `json:"deprecated,omitempty"`
	// File is the path relative to the root of the package (in Go, of the module), with forward
	// slashes. Line counts from 1.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Group is the number, counted from 1, of the declaration group in which the symbol was
	// written, such as Go's "const ( … )". 0 means that the symbol is not in a group.
	Group int `json:"group,omitempty"`
	// Of is the path of the type under which the language's own documentation tool prints the
	// symbol although it is not a member. The symbol is a constant of that type, or a function that
	// returns it. Such symbols directly follow their type.
	Of string `json:"of,omitempty"`
	// From is the type from which the symbol is promoted or inherited ("io.Reader"). It is empty
	// for a symbol that the type itself declares.
	From string `json:"from,omitempty"`
	// Constraint is the condition on the platform under which the symbol exists, in the syntax of
	// its language. It is empty if the symbol exists on every platform.
	Constraint string    `json:"constraint,omitempty"`
	Examples   []Example `json:"examples,omitempty"`
	// AlsoType is true for a value or class that has the same name as an interface, whose
	// declaration comes first.
	AlsoType bool `json:"alsoType,omitempty"`
	// Closed is true for a type that is known to have no other members than those that AllMembers
	// returns, if no other package adds any.
	Closed bool `json:"closed,omitempty"`
	// Members are methods, fields, values of an enumeration, and other symbols that are accessed
	// through this one. A stored package has inherited members as records, so use
	// AllMembers to get all members.
	Members []Symbol `json:"members,omitempty"`
	// Unlisted summarizes, as a list of phrases, what the symbol accepts or has besides its
	// members, such as the attributes of the element that a component renders.
	Unlisted  string `json:"unlisted,omitempty"`
	inherited *Inherited
}

// Ref maps a name in a signature to the symbol that it refers to.
type Ref struct {
	Name string `json:"name"`
	// Package is the name of the package that declares the symbol. It is empty if that is the
	// package of the signature.
	Package string `json:"package,omitempty"`
	// Path is the path of the symbol. It is empty if Name refers to Package itself. If both are
	// empty, the name does not refer to a symbol of the package, and its target is unknown.
	Path string `json:"path"`
}

// Group is one declaration that contains several symbols.
type Group struct {
	// Signature is the whole declaration as the language's own documentation tool prints it.
	Signature string `json:"signature"`
	// Doc is the comment on the group as a whole, as Markdown.
	Doc string `json:"doc,omitempty"`
}

// Example is code that shows how something is used.
type Example struct {
	// Name distinguishes the examples of one symbol. It may be empty.
	Name string `json:"name,omitempty"`
	Doc  string `json:"doc,omitempty"`
	Code string `json:"code"`
	// Output is the output of Code, if the package documents it.
	Output string `json:"output,omitempty"`
	// After is Markdown that follows Code.
	After string `json:"after,omitempty"`
	// Unordered is true if the lines of Output may come in any order.
	Unordered bool `json:"unordered,omitempty"`
}

// Section is a titled part of prose documentation.
type Section struct {
	// ID is stable within one version of a package. An example is "readme/installation".
	ID    string `json:"id"`
	Title string `json:"title"`
	// Level is the depth of the heading. The outermost level is 1.
	Level int `json:"level"`
	// Body is Markdown without the heading.
	Body string `json:"body"`
	File string `json:"file,omitempty"`
	// Origin describes the source of a section that is not part of the package, worded as the end
	// of a sentence. The readers of languages leave it empty.
	Origin string `json:"origin,omitempty"`
}

// SkillPrefix begins the IDs of the sections that quote the skills that a package ships for coding
// agents. Their bodies begin with the description, in one paragraph.
const SkillPrefix = "skills/"

// Subpackage is a package below another one.
type Subpackage struct {
	Name     string `json:"name"`
	Synopsis string `json:"synopsis,omitempty"`
	Command  bool   `json:"command,omitempty"`
}
