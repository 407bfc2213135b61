package ecosystem

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Language finds and reads packages of one language. It is safe for concurrent
// use. It never runs, imports or builds a package.
type Language interface {
	// Info says what the language is called and what its packages have. It
	// returns the same each time, and callers do not change it.
	Info() *Info
	// Find locates the package, local installations first, and reads no more
	// than that takes. An error that the user can act on is an *Error.
	Find(ctx context.Context, q Query) (*Found, error)
	// HasProject reports whether dir lies in one of the language's projects.
	HasProject(dir string) bool
	// Names lists, in order, packages whose names begin with prefix and that
	// could be asked for, at most limit. It is for completion: it reads local
	// files alone and leaves out what it cannot read. projectDir may be empty.
	Names(projectDir, prefix string, limit int) []string
	// Doctor lists what packages would be looked for with: toolchain, caches,
	// registries, whether there are credentials (never their values), and the
	// project. It runs nothing and asks no network. projectDir may be empty.
	Doctor(projectDir string) []Fact
}

// Info is what a language says of itself.
type Info struct {
	// ID names the language in commands and tools: "npm" makes
	// describe_npm_package. It has lower-case letters and digits only.
	ID apidoc.Ecosystem
	// Spellings are other names that users have for it ("golang"), in lower case.
	Spellings []string
	// Style says how its symbols are written and shown.
	Style apidoc.Style
	// Manifests are the files that make a directory a project: "go.mod".
	Manifests []string
	// ProjectFiles are the files that choose versions, relative to a project's
	// directory or any directory above it: "go.mod", "vendor/modules.txt".
	// Answers within a project are kept in memory as long as none of them
	// changes, and not at all if there are none.
	ProjectFiles []string

	// Platform describes the platform that a query may name; empty if packages
	// are the same on every platform.
	Platform string
	// Indexes is true if packages have several entry points, and the names that
	// all of them export can be listed without reading each.
	Indexes bool
	// Prose is true if packages come with prose that is read into sections:
	// README, guides, examples, changelog.
	Prose bool
	// OptionalTypes is true if symbols that exist for the compiler alone can be
	// left out of an overview.
	OptionalTypes bool
	// OptionalExamples is true if examples can be left out of an answer.
	OptionalExamples bool

	// Help is how tools and commands explain the language's packages.
	Help Help
}

// Help is what tools and commands say about packages of a language. Every word
// of the tools is paid in every session of an agent: be brief.
type Help struct {
	// Noun is a package with its article: "an npm package".
	Noun string
	// Package says what names a package, with examples: "import path (net/http) or
	// directory of the project (./internal/db)".
	Package string
	// Versioned is the name of a package with a version: "axios@1".
	Versioned string
	// Symbols are paths of symbols as they are written in code.
	Symbols []string
	// Versions are the files and directories that choose versions in a project,
	// as a sentence lists them: "go.mod, go.work or vendor directory".
	Versions string
	// Describe and Search are examples of arguments to docent's commands after
	// the language: "net/http Client.Do".
	Describe, Search []string
}

// Tool is the name of one of the tools for the language: "describe_go_package"
// for "describe_%s_package".
func (i *Info) Tool(pattern string) string {
	return strings.Replace(pattern, "%s", string(i.ID), 1)
}

// Languages are all languages that there are, in the order in which they are
// offered.
type Languages []Language

// Find returns the language with an ID or spelling, in upper or lower case; nil
// if there is none.
func (ls Languages) Find(name string) Language {
	for _, l := range ls {
		if i := l.Info(); strings.EqualFold(string(i.ID), name) || slices.ContainsFunc(i.Spellings, func(s string) bool { return strings.EqualFold(s, name) }) {
			return l
		}
	}
	return nil
}

// Each collects what a function says of each language, empty texts left out.
func (ls Languages) Each(say func(*Info) string) []string {
	var all []string
	for _, l := range ls {
		if s := say(l.Info()); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// IDs lists the IDs of the languages.
func (ls Languages) IDs() []string {
	return ls.Each(func(i *Info) string { return string(i.ID) })
}
