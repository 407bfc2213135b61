package ecosystem

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/highlight"
)

// Language finds and reads packages of one language. It is safe for concurrent use. It never runs,
// imports or builds a package. HasProject, Names and Doctor do not take a context because they are
// quick. HasProject only checks whether files exist. Names and Doctor spend at most a second on
// reading local files, and cache what they read for the next call.
type Language interface {
	// Info describes the language and its packages. It returns the same value
	// each time. Callers must not modify it.
	Info() *Info
	// Find locates the package, trying local installations first. It does not
	// read any documentation. An error that the user can act on is an *Error.
	Find(ctx context.Context, q Query) (*Found, error)
	// HasProject reports whether dir is inside one of the language's projects.
	HasProject(dir string) bool
	// Names returns up to limit names of packages that begin with prefix, sorted. It is used for
	// completion, so it reads only local files and skips unreadable ones. projectDir may be empty.
	Names(projectDir, prefix string, limit int) []string
	// Doctor reports the toolchain, caches, registries, whether credentials are configured (but not
	// their values), and the project. It does not run programs or use the network. projectDir may
	// be empty.
	Doctor(projectDir string) []Fact
}

// Info describes a language and its packages.
type Info struct {
	// ID identifies the language in commands and tools. For example, the tool for "npm" is
	// describe_npm_package. It consists of lower-case letters and digits.
	ID apidoc.Ecosystem
	// Spellings are other names of the language, in lower case, such as "golang".
	Spellings []string
	// Style specifies how its symbols are written and shown.
	Style apidoc.Style
	// Popular lists the names of popular packages, one in each line. Lines that begin with # are
	// comments. Names in the registry that differ from one of them by a typing error are suspicious.
	Popular string
	// Lexis specifies how its code is highlighted.
	Lexis highlight.Lexis
	// Extent specifies how its declarations end.
	Extent extent.Rules
	// Manifests are the files that make a directory a project, such as "go.mod".
	Manifests []string
	// ProjectFiles are the files that select versions, relative to a project's
	// directory or any directory above it, such as "go.mod" and
	// "vendor/modules.txt". Answers within a project are cached in memory until
	// one of these files changes, and not at all if the list is empty.
	ProjectFiles []string

	// Platform describes the platform that a query may specify. It is empty if packages are the
	// same on every platform.
	Platform string
	// Features describes the optional parts of a package that a query may enable. It is empty if
	// packages have none.
	Features string
	// Nothing contains the names of types whose values have no members; programs exclude them
	// before they use a member.
	Nothing []string
	// Inherent are the names of members that every value or type has, although no declaration
	// lists them.
	Inherent []string
	// Called is true if a call of a type makes a value of that type.
	Called bool
	// Indexes is true if packages have several entry points whose exported names
	// can be listed without reading each entry point.
	Indexes bool
	// IndexReadsAll is true if the index of a package is made from all its files, which takes
	// seconds for a package with hundreds of entry points.
	IndexReadsAll bool
	// Prose is true if packages come with prose, such as a README, guides,
	// examples or a changelog, which is read into sections.
	Prose bool
	// OptionalTypes is true if symbols that only the compiler uses can be omitted
	// from an overview.
	OptionalTypes bool
	// OptionalExamples is true if examples can be omitted from an answer.
	OptionalExamples bool

	// Help explains the language's packages in tools and commands.
	Help Help
}

// Help explains packages of a language in tools and commands. Agents load the
// text in every session, so be brief.
type Help struct {
	// Noun is a package with its article, such as "an npm package".
	Noun string
	// Package describes the name of a package, with examples, such as "import paths
	// (net/http,net/url) or project directories (./db)".
	Package string
	// Versioned is a package name with a version, such as "axios@1".
	Versioned string
	// Import is the statement that imports a package, with NAME for its name, such as `import
	// "NAME"`.
	Import string
	// Symbols are examples of paths of symbols, as they are written in code.
	Symbols []string
	// Versions lists the files and directories that select versions in a project, in a form that
	// fits into a sentence, such as "go.mod, go.work or vendor directory".
	Versions string
	// Describe and Search are examples of the arguments that follow the language in docent's
	// commands, such as "net/http Client.Do".
	Describe, Search []string
}

// Tool returns the name of a tool for the language: "describe_go_package" for
// the pattern "describe_%s_package".
func (i *Info) Tool(pattern string) string {
	return strings.Replace(pattern, "%s", string(i.ID), 1)
}

// Languages is the list of all languages, in the order in which tools list
// them.
type Languages []Language

// Find returns the language with an ID or spelling, ignoring case, or nil if
// there is none.
func (ls Languages) Find(name string) Language {
	for _, l := range ls {
		if i := l.Info(); strings.EqualFold(string(i.ID), name) || slices.ContainsFunc(i.Spellings, func(s string) bool { return strings.EqualFold(s, name) }) {
			return l
		}
	}
	return nil
}

// Get returns the language that Find returns. If there is none, the error lists the languages.
func (ls Languages) Get(name string) (Language, error) {
	if l := ls.Find(name); l != nil {
		return l, nil
	}
	return nil, Fail(Invalid, "docent does not support the language %.100q", name).WithNext("specify one of these languages: %s", strings.Join(ls.IDs(), ", "))
}

// shellLexis is used for shells and configuration files.
var shellLexis = highlight.Lexis{LineComment: "#"}

// headerLexis is used for C headers, and for the source files that they belong to.
var headerLexis = highlight.Lexis{
	Keywords: highlight.Words(`auto bool break case char class const continue default do double else enum extern float for goto if inline int long namespace private protected public
		register restrict return short signed sizeof static struct switch template this typedef typename union unsigned using virtual void volatile while`),
	LineComment: "//", BlockComments: true,
}

// Lexis returns the lexis with which to highlight a code block that has the given info string, such
// as "go", "bash" or "rust,no_run". It returns nil if the block should not be highlighted.
func (ls Languages) Lexis(info string) *highlight.Lexis {
	info, _, _ = strings.Cut(strings.ToLower(info), ",")
	switch info {
	case "sh", "bash", "shell", "console", "toml", "yaml", "yml":
		return &shellLexis
	case "c", "h", "m", "mm", "cc", "cpp", "hpp", "hh", "c++", "objc", "objective-c":
		return &headerLexis
	case "tsx", "jsx", "mjs", "cjs", "mts", "vue", "svelte":
		info = "ts"
	case "", "text", "txt", "plain", "plaintext":
		return nil
	}
	if l := ls.Find(info); l != nil {
		return &l.Info().Lexis
	}
	return &highlight.Lexis{}
}

// Each returns the non-empty results of calling say for each language.
func (ls Languages) Each(say func(*Info) string) []string {
	var all []string
	for _, l := range ls {
		if s := say(l.Info()); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// IDs returns the IDs of the languages.
func (ls Languages) IDs() []string {
	return ls.Each(func(i *Info) string { return string(i.ID) })
}
