package prose

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/markup"
)

// This file reads the prose of a package other than its README: guides in docs/ and in the root
// directory, examples, and the changelog.

// These constants limit the guides and examples of a package.
const (
	maxGuides    = 600       // maximum number of files of prose
	maxGuide     = 512 << 10 // maximum size in bytes of one file
	maxExamples  = 100       // maximum number of files of examples
	maxExample   = 32 << 10  // maximum size in bytes of one file
	maxProse     = 4 << 20   // maximum size in bytes of all files
	maxChangelog = 32 << 10  // maximum size in bytes of the part of the changelog that is kept: its newest entries
	maxWalked    = 3000      // maximum number of files and directories that are examined
	maxDepth     = 6         // maximum depth of directories
)

var (
	guideDirs   = set("doc docs documentation guide guides manual tutorial tutorials recipes cookbook wiki handbook")
	exampleDirs = set("example examples sample samples demo demos")
	// notGuides are directories below guides that contain other files.
	notGuides = set("node_modules assets asset images image img static public build dist css fonts media scripts test tests __tests__ template templates themes")
	// notProse matches files at the top that do not explain how to use the
	// package.
	notProse  = lazyregexp.New(`(?i)^(readme|licen[cs]e|copying|notice|contribut|code[-_]of[-_]conduct|security|governance|support|sponsors?|backers?|authors|maintainers|owners|patents|third[-_]?party|project[-_]charter|charter|pull[-_]request|issue[-_]template|release|roadmap|todo|publishing|development|developing|agents|claude|gemini|copilot|collaborator|credits|funding|threat)`)
	changelog = lazyregexp.New(`(?i)^(changelog|changes|history|releases|news)(\.(md|markdown|txt))?$`)
)

// guides reads all prose except the README.
func (b *collector) guides() {
	places := b.places()
	w := walk{collector: b, remaining: maxWalked}
	for _, dir := range places.guides {
		w.dir(dir, 0, false)
	}
	for _, dir := range places.examples {
		w.dir(dir, 0, true)
	}
	b.topLevel()
	slices.Sort(w.prose)
	slices.Sort(w.code)
	size, remaining := 0, w.over
	for i, name := range w.prose {
		if i >= maxGuides || size > maxProse {
			remaining++
			continue
		}
		size += b.guide(name)
	}
	for i, name := range w.code {
		if i >= maxExamples || size > maxProse {
			remaining++
			continue
		}
		size += b.example(name)
	}
	if remaining > 0 {
		b.notes = append(b.notes, fmt.Sprintf("docent did not read %d more documentation and example files in the package", remaining))
	}
	b.changes()
}

// places are the directories of guides and examples.
type places struct{ guides, examples []string }

// places finds the directories by the package's layout and by usual names.
// Directories that programs import are not examples.
func (b *collector) places() places {
	var found places
	add := func(to *[]string, dir string) {
		dir = path.Clean(strings.Trim(dir, "/"))
		if dir == "." || !fs.ValidPath(dir) || slices.Contains(*to, dir) || b.layout.imported(dir) {
			return
		}
		if info, err := fs.Stat(b.files, dir); err == nil && info.IsDir() {
			*to = append(*to, dir)
		}
	}
	for _, dir := range b.layout.Guides {
		add(&found.guides, dir)
	}
	for _, dir := range b.layout.Examples {
		add(&found.examples, dir)
	}
	entries, err := fs.ReadDir(b.files, ".")
	if err != nil {
		return found
	}
	shipped := slices.Clone(b.layout.Shipped)
	for _, e := range entries {
		if e.IsDir() {
			shipped = append(shipped, e.Name())
		}
	}
	for _, dir := range shipped {
		switch name := strings.ToLower(path.Base(dir)); {
		case guideDirs[name]:
			add(&found.guides, dir)
		case exampleDirs[name]:
			add(&found.examples, dir)
		}
	}
	return found
}

// imported reports whether programs import from a directory, or from one below it unless
// the directory has the name of a guide directory.
func (l *Layout) imported(dir string) bool {
	return slices.ContainsFunc(l.Imported, func(e string) bool {
		return e == dir || strings.HasPrefix(e, dir+"/") && !guideDirs[strings.ToLower(path.Base(dir))]
	})
}

// walk collects files of prose and code below a directory.
type walk struct {
	collector   *collector
	prose, code []string
	remaining   int
	over        int // directories that were not searched
}

func (w *walk) dir(dir string, depth int, examples bool) {
	entries, err := fs.ReadDir(w.collector.files, dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if w.remaining--; w.remaining < 0 || depth > maxDepth {
			w.over++
			return
		}
		name := path.Join(dir, e.Name())
		lower := strings.ToLower(e.Name())
		switch ext := path.Ext(lower); {
		case strings.HasPrefix(lower, "."):
		case e.IsDir():
			if notGuides[lower] || elsewhere().MatchString(lower) {
				continue
			}
			w.dir(name, depth+1, examples || exampleDirs[lower])
		case w.collector.isProse(ext):
			if changelog().MatchString(lower) || otherLanguage(lower) || notProse().MatchString(lower) && !strings.HasPrefix(lower, "readme") {
				continue
			}
			w.prose = append(w.prose, name)
		case examples && w.collector.layout.Code[ext] != "" && !strings.Contains(lower, ".min.") && !strings.HasSuffix(lower, ".config.js"):
			w.code = append(w.code, name)
		}
	}
}

// elsewhere matches names of directories with translations, such as zh-CN, pt_BR and ja.
var elsewhere = lazyregexp.New(`^(?:(?:zh|pt|es|fr)[-_][a-z]{2,4}|zh|ja|ko|ru|de|fr|es|it|pt|tr|vi|ar|pl|uk|cn|jp)$`)

// otherLanguage reports whether a file's name shows that it is not in English:
// options.zh-CN.md, README_ja.md.
func otherLanguage(name string) bool {
	name = strings.TrimSuffix(name, path.Ext(name))
	if index := strings.LastIndexAny(name, "._"); index > 0 {
		return elsewhere().MatchString(name[index+1:])
	}
	if index := strings.Index(name, "-"); index > 0 {
		return elsewhere().MatchString(name[index+1:])
	}
	return false
}

var isProse = set(".md .markdown .mdown .mkd .mdx .html .htm")

// isProse reports whether files with an extension contain readable prose.
func (b *collector) isProse(ext string) bool { return isProse[ext] || b.layout.Markdown[ext] != nil }

// topLevel reads the guides that are next to the README.
func (b *collector) topLevel() {
	entries, err := fs.ReadDir(b.files, ".")
	if err != nil {
		return
	}
	n := 0
	for _, e := range entries {
		lower := strings.ToLower(e.Name())
		ext := path.Ext(lower)
		if e.IsDir() || lower != "llms.txt" && (!b.isProse(ext) || ext == ".html" || ext == ".htm") || notProse().MatchString(lower) ||
			changelog().MatchString(lower) || otherLanguage(lower) {
			continue
		}
		if n++; n > maxGuides {
			return
		}
		b.guide(e.Name())
	}
}

// guide reads a file of prose and returns its size in bytes.
func (b *collector) guide(name string) int {
	text, whole, ok := b.read(name, maxGuide)
	if !ok || foreign(text) {
		return 0
	}
	if !whole {
		b.notes = append(b.notes, fmt.Sprintf("docent read only the first %[2]d bytes of %[1]s", name, maxGuide))
	}
	b.add(fileID(name), name, text)
	return len(text)
}

// example reads a file of code as a separate section. It returns the size of the file's
// text in bytes, or 0 if the file is not text.
func (b *collector) example(name string) int {
	text, whole, ok := b.read(name, maxExample)
	text = strings.Trim(text, "\n")
	if !ok || text == "" || strings.ContainsRune(text, 0) {
		return 0
	}
	if !whole {
		text = text[:strings.LastIndexByte(text, '\n')+1] + "// …"
	}
	fence := markup.Fence(text)
	body := fence + b.layout.Code[strings.ToLower(path.Ext(name))] + "\n" + text + "\n" + fence
	b.sections = append(b.sections, apidoc.Section{ID: b.id(fileID(name), "", true), Title: name, Level: 1, Body: body, File: name})
	return len(text)
}

// changes reads the newest entries of the changelog.
func (b *collector) changes() {
	entries, err := fs.ReadDir(b.files, ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() || !changelog().MatchString(e.Name()) {
			continue
		}
		text, whole, ok := b.read(e.Name(), maxChangelog)
		if !ok {
			return
		}
		if !whole { // The excerpt ends with a complete entry, or a complete line.
			end := strings.LastIndex(text, "\n#")
			if end < maxChangelog/4 {
				end = strings.LastIndexByte(text, '\n')
			}
			text = text[:max(end, 0)] + "\n\n(Older entries are in the package's " + e.Name() + ".)\n"
		}
		body := strings.TrimSpace(markup.Demote(markup.Plain(markup.WithoutHTML(text)), 2))
		if body != "" {
			b.sections = append(b.sections, apidoc.Section{ID: b.id("changelog", "", true), Title: "Changelog", Level: 1, Body: body, File: e.Name()})
		}
		return
	}
}

// fileID returns the section ID for a path: docs/guides/getting-started for
// docs/Guides/Getting Started.md.
func fileID(name string) string {
	name = strings.TrimSuffix(name, path.Ext(name))
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		parts = append(parts, slug(strings.ReplaceAll(part, ".", "-")))
	}
	return strings.Join(parts, "/")
}

var (
	componentLine = lazyregexp.New(`^\s*</?[A-Z][\w.]*(?:\s[^<>]*)?/?>\s*$`)
	mdxComment    = lazyregexp.New(`\{/\*.*?\*/\}`)
)

// withoutComponents removes imports, exports and components from MDX.
func withoutComponents(text string, mdx bool) string {
	var b strings.Builder
	b.Grow(len(text))
	program := false
	for l := range markup.Lines(text) {
		trimmed := strings.TrimSpace(l.Text)
		switch {
		case l.Code:
		case program:
			program = trimmed != ""
			continue
		case mdx && (strings.HasPrefix(l.Text, "import ") || strings.HasPrefix(l.Text, "export ")):
			program = !strings.HasSuffix(trimmed, ";") && !strings.HasSuffix(trimmed, "'") && !strings.HasSuffix(trimmed, `"`)
			continue
		case componentLine().MatchString(l.Text):
			continue
		case strings.Contains(l.Text, "{/*"):
			l.Text = mdxComment().ReplaceAllString(l.Text, "")
		}
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}
