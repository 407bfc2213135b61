package manifest

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// Compiler is the compiler version for which manifests are read. It is the
// newest known version.
var Compiler = swiftpm.Version{Major: 6, Minor: 3, Patch: 1}

// holds reports whether the condition of #if holds in a manifest. Custom
// conditions, including DEBUG, are not set.
func holds(condition, host string, tools swiftpm.Version) bool {
	p := &parser{text: condition}
	p.scan(func(string) bool { return false })
	c := &conditions{p, host, tools}
	return c.or()
}

type conditions struct {
	p     *parser
	host  string
	tools swiftpm.Version
}

func (c *conditions) or() bool {
	yes := c.and()
	for c.p.accept("||") {
		next := c.and()
		yes = yes || next
	}
	return yes
}

func (c *conditions) and() bool {
	yes := c.operand()
	for c.p.accept("&&") {
		next := c.operand()
		yes = yes && next
	}
	return yes
}

func (c *conditions) operand() bool {
	if c.p.depth++; c.p.depth > maxDepth || c.p.end() {
		return false
	}
	defer func() { c.p.depth-- }()
	if c.p.accept("!") {
		return !c.operand()
	}
	if c.p.accept("(") {
		yes := c.or()
		c.p.accept(")")
		return yes
	}
	if c.p.tok().Kind != source.Ident {
		c.p.pos++
		return false
	}
	name := c.p.name()
	if name == "true" || name == "false" || !c.p.accept("(") {
		return name == "true"
	}
	start := c.p.pos
	for !c.p.end() && !c.p.is(")") {
		c.p.pos++
	}
	argument := ""
	if c.p.pos > start {
		argument = c.p.text[c.p.toks[start].Start:c.p.toks[c.p.pos-1].End]
	}
	c.p.accept(")")
	return c.function(name, strings.ReplaceAll(argument, " ", ""))
}

func (c *conditions) function(name, argument string) bool {
	switch name {
	case "os":
		return strings.EqualFold(argument, c.host) || argument == "OSX" && c.host == "macOS"
	case "canImport":
		return canImport(argument, c.host)
	case "swift", "compiler":
		return compares(argument, Compiler)
	case "_compiler_version":
		return true
	}
	return false
}

// compares reports whether a version satisfies an argument such as ">=5.9" or "<6".
func compares(argument string, v swiftpm.Version) bool {
	if s, ok := strings.CutPrefix(argument, ">="); ok {
		return v.Compare(parseTools(s)) >= 0
	}
	if s, ok := strings.CutPrefix(argument, "<"); ok {
		return v.Compare(parseTools(s)) < 0
	}
	return false
}

// canImport reports whether a host has a module.
func canImport(module, host string) bool {
	module, _, _ = strings.Cut(module, ",")
	switch module {
	case "Swift", "Foundation", "PackageDescription", "CompilerPluginSupport", "FoundationEssentials", "Dispatch":
		return true
	case "Darwin", "ObjectiveC", "AppleProductTypes":
		return host == "macOS" && module != "AppleProductTypes"
	case "Glibc", "FoundationNetworking", "FoundationXML":
		return host == "linux"
	case "WinSDK", "CRT", "ucrt":
		return host == "windows"
	}
	return host == "macOS" && slices.Contains([]string{"AppKit", "Combine", "SwiftUI", "CryptoKit", "os", "XCTest"}, module)
}
