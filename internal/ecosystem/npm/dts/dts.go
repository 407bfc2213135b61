// Package dts reads the declarations of one TypeScript or JavaScript file: what
// it imports and exports, and the name, kind, type, modifiers and doc comment of
// everything that it declares. It reads declaration files (.d.ts, .d.mts,
// .d.cts), plain TypeScript, and JavaScript typed by JSDoc.
//
// Reading has two steps. The tokenizer (token.go) turns the source into an array
// of tokens in which every bracket refers to its partner. The parser (parse*.go)
// can thus look ahead and skip the bodies of functions at no cost. It builds a
// tree of [Node]. It does not parse bodies, execute anything or open other files.
// [Node.Signature] prints a declaration as TypeScript's own printer does, and
// [ReadDoc] turns a doc comment into Markdown.
//
// Every input may be hostile. Time and memory are linear in the size of the
// source, and nesting is limited. A declaration with syntax that the parser does
// not know is skipped and reported in [File.Warnings].
package dts

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/work"
)

// MaxSize is the maximum size of a source file, in bytes.
const MaxSize = 64 << 20

// These limits apply to the content of a source, whatever its size.
const (
	maxTokens = 4 << 20
	maxNodes  = 1 << 20 // maximum number of nodes in all declarations
)

// ErrTooMuch is the error of Parse for a source with more than maxTokens tokens
// or maxNodes nodes.
var ErrTooMuch = fmt.Errorf("it exceeds the limit of %d tokens or %d parts of declarations", maxTokens, maxNodes)

// maxDepth limits how deeply types, namespaces and members may nest.
const maxDepth = 1000

// maxWarnings is the maximum number of warnings about a file.
const maxWarnings = 20

// Language is the dialect that a file is written in.
type Language uint8

// These are the dialects.
const (
	// Declarations is a .d.ts, .d.mts or .d.cts file.
	Declarations Language = iota
	// TypeScript is a .ts, .mts, .cts or .tsx file: declarations have bodies.
	TypeScript
	// JavaScript is a .js, .mjs, .cjs or .jsx file: types are in doc comments, and assignments to
	// module.exports may create exports.
	JavaScript
)

// LanguageOf returns the dialect of a file, by its name. It returns false for
// files that this package does not read.
func LanguageOf(name string) (Language, bool) {
	name = name[strings.LastIndexByte(name, '/')+1:]
	ext := name[strings.LastIndexByte(name, '.')+1:]
	switch ext {
	case "ts", "mts", "cts", "tsx":
		stem := strings.TrimSuffix(name, "."+ext)
		// The file "styles.d.css.ts" declares the exports of styles.css.
		if strings.HasSuffix(stem, ".d") || strings.Contains(stem, ".d.") {
			return Declarations, true
		}
		return TypeScript, true
	case "js", "mjs", "cjs", "jsx":
		return JavaScript, true
	}
	return 0, false
}

// File is a parsed source. It is immutable and safe for concurrent use.
type File struct {
	Language Language
	// Source is the text that was read. All names in the tree are parts of it.
	Source string
	// Root contains the statements of the file as its children.
	Root *Node
	// Module is true if the file has an import or export at its top level; its declarations are
	// then local to it and not global.
	Module bool
	// References are the triple-slash directives at the top of the file.
	References []Reference
	// Warnings lists the declarations that could not be parsed. Dropped is the number of further
	// declarations that could not be parsed, beyond maxWarnings.
	Warnings []Warning
	Dropped  int

	docs  []comment
	lines sync.Once
	start []uint32 // offset of each line, computed at the first use
}

// Reference is a triple-slash directive, such as /// <reference types="node" />.
type Reference struct {
	// Kind is "path", "types" or "lib".
	Kind string
	// Target is the attribute's value.
	Target string
}

// Warning describes a piece of source that could not be parsed and was skipped.
type Warning struct {
	Line int
	Text string
}

// String returns the warning as one sentence without the file's name.
func (w Warning) String() string { return fmt.Sprintf("line %d: %s", w.Line, w.Text) }

// Parse parses a source. It returns an error only if the source is larger than
// MaxSize, or ErrTooMuch if it contains too much. Syntax that the parser does not
// know becomes a warning.
func Parse(src string, lang Language) (*File, error) { return ParseMetered(nil, src, lang) }

// ParseMetered is like [Parse] and counts its steps with m.
func ParseMetered(m *work.Meter, src string, lang Language) (*File, error) {
	if len(src) > MaxSize {
		return nil, fmt.Errorf("source of %d bytes is larger than the limit of %d", len(src), MaxSize)
	}
	f := &File{Language: lang, Source: src}
	lx := lexers.Get().(*lexer)
	defer lx.release()
	lx.meter = m
	if lx.lex(f); lx.full {
		return nil, ErrTooMuch
	}
	p := parser{f: f, src: f.Source, toks: lx.toks, ambient: lang == Declarations, meter: m}
	if p.file(); p.full() {
		return nil, ErrTooMuch
	}
	if lang == JavaScript {
		readJSDoc(f)
	}
	return f, nil
}

// Line returns the line of an offset in the source, counted from 1.
func (f *File) Line(pos uint32) int {
	f.lines.Do(func() {
		f.start = append(make([]uint32, 0, len(f.Source)/32+1), 0)
		for i := 0; ; {
			n := strings.IndexByte(f.Source[i:], '\n')
			if n < 0 {
				return
			}
			i += n + 1
			f.start = append(f.start, uint32(i))
		}
	})
	line, _ := slices.BinarySearch(f.start, pos+1)
	return line
}

// FileDoc returns the raw doc comment that describes the whole file and has the
// tag @packageDocumentation, @module, @fileoverview or @file. It returns the
// empty string if there is none.
func (f *File) FileDoc() string {
	for i := range f.docs {
		if f.docs[i].file {
			return f.docs[i].text(f.Source)
		}
	}
	return ""
}
