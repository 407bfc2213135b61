package rust

import (
	"bytes"
	"context"
	"hash/maphash"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// A member that no code declares does not exist, whatever the type of the value is. Its name may
// also be written in the definition or in a call of a macro, or in a file from which code is
// generated. Therefore all words of the files of a project and its dependencies are declarations,
// except names of members that are used.

const (
	// maxWordFiles is the maximum number of files of one package that are searched for words, and
	// maxWordFile is the maximum size in bytes of one of them.
	maxWordFiles = 20_000
	maxWordFile  = 16 << 20
	// maxWordBytes is the maximum size in bytes of the searched files of one package.
	maxWordBytes = 256 << 20
)

// schemas are the extensions of files from which build scripts and macros generate declarations.
var schemas = map[string]bool{
	".rs": true, ".proto": true, ".h": true, ".hpp": true, ".capnp": true, ".fbs": true, ".graphql": true, ".gql": true, ".sql": true, ".lalrpop": true,
	".udl": true, ".wit": true, ".thrift": true, ".avsc": true, ".json": true, ".xml": true, ".yaml": true, ".yml": true, ".toml": true, ".slint": true, ".in": true,
}

// words are the names that the files of one package may declare.
type words struct {
	dirs  []string // absolute paths
	macro bool     // whether its procedural macros may form names from others

	once  sync.Once
	names map[uint64]struct{} // hashes
	// affixes are the words that begin or end with an underscore and that macros may join with
	// other words.
	affixes map[string]bool
	unread  bool // whether some files could not be read

	traitsOnce sync.Once
	traits     map[uint64]struct{} // hashes of the names that traits may declare
	unparsed   bool                // whether some files could not be read for traits
}

var wordSeed = maphash.MakeSeed()

// has reports whether the package may declare a name. It returns true if its files cannot be read.
func (w *words) has(ctx context.Context, name string) bool {
	w.once.Do(func() { w.read(ctx) })
	_, ok := w.names[maphash.String(wordSeed, name)]
	return ok || w.unread
}

func (w *words) read(ctx context.Context) {
	w.names, w.affixes = map[uint64]struct{}{}, map[string]bool{}
	files, size := 0, 0
	for _, dir := range w.dirs {
		fsys := rootfs.New(dir)
		err := w.walk(ctx, fsys, dir, func(name string) error {
			text, err := project.ReadFS(fsys, name, maxWordFile)
			files++
			size += len(text)
			if err != nil || files > maxWordFiles || size > maxWordBytes {
				w.unread = w.unread || path.Ext(name) == ".rs"
				return nil
			}
			w.add(string(text))
			return nil
		})
		w.unread = w.unread || err != nil
	}
}

// walk calls visit with the files in a directory of the package that may declare names.
func (w *words) walk(ctx context.Context, fsys fs.FS, dir string, visit func(name string) error) error {
	return fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "target" && project.IsFile(filepath.Join(dir, filepath.FromSlash(name), "CACHEDIR.TAG"))):
			return fs.SkipDir
		case entry.IsDir() || !schemas[path.Ext(base)]:
			return nil
		}
		return visit(name)
	})
}

// add adds the words of a text.
func (w *words) add(text string) {
	composes := w.macro || strings.Contains(text, "[<")
	for i := 0; i < len(text); {
		c := text[i]
		if !isWordByte(c) {
			i++
			continue
		}
		start := i
		for i < len(text) && isWordByte(text[i]) {
			i++
		}
		if c >= '0' && c <= '9' {
			continue
		}
		word := text[start:i]
		if composes && len(word) > 1 && (c == '_' || word[len(word)-1] == '_') {
			w.affixes[strings.Clone(word)] = true
		}
		if !usesMember(text[:start]) {
			w.names[maphash.String(wordSeed, word)] = struct{}{}
		}
	}
}

// usesMember reports whether a name after the given text is the name of a member that is used, as
// in x.name, and not the end of a range.
func usesMember(before string) bool {
	before = strings.TrimRight(strings.TrimSuffix(before, "r#"), " \t\r\n")
	return strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "..")
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// library contains the words of all packages of a project.
type library struct {
	ctx      context.Context
	packages []*words // those that declare most names first
	mu       sync.Mutex
	known    map[string]bool // results of has
}

// has reports whether a member with a name may exist.
func (l *library) has(name string) bool {
	l.mu.Lock()
	known, ok := l.known[name]
	l.mu.Unlock()
	if !ok {
		known = l.isWord(name) || l.isFormed(name)
		l.mu.Lock()
		l.known[name] = known
		l.mu.Unlock()
	}
	return known
}

// isWord reports whether a package declares a name, or the same name in another case.
func (l *library) isWord(name string) bool {
	upper := camelCase(name)
	lower := ""
	if upper != "" {
		lower = strings.ToLower(upper[:1]) + upper[1:]
	}
	for _, w := range l.packages {
		if w.has(l.ctx, name) || w.has(l.ctx, upper) || w.has(l.ctx, lower) {
			return true
		}
	}
	return l.ctx.Err() != nil
}

// isFormed reports whether a macro may form a name from one that a package declares, such as
// set_size or size_mut from size.
func (l *library) isFormed(name string) bool {
	isAffix := func(part string) bool {
		for _, w := range l.packages {
			if w.affixes[part] {
				return true
			}
		}
		return false
	}
	for i := range len(name) {
		if i > 0 && name[i-1] != '_' || i > 0 && !isAffix(name[:i]) {
			continue
		}
		rest := name[i:]
		if i > 0 && l.isWord(rest) {
			return true
		}
		for k := 1; k < len(rest); k++ {
			if rest[k] == '_' && isAffix(rest[k:]) && l.isWord(rest[:k]) {
				return true
			}
		}
	}
	return false
}

// inTrait reports whether a trait of a package may declare an item with a name.
func (l *library) inTrait(name string) bool {
	for _, w := range l.packages {
		if w.inTrait(l.ctx, name) {
			return true
		}
	}
	return l.isFormed(name)
}

// inTrait reports whether a trait in the files of the package may declare an item with a name. It returns
// true if these cannot be read.
func (w *words) inTrait(ctx context.Context, name string) bool {
	if w.macro {
		return w.has(ctx, name) // the functions of macros write traits
	}
	w.traitsOnce.Do(func() {
		w.traits = map[uint64]struct{}{}
		for _, dir := range w.dirs {
			fsys := rootfs.New(dir)
			err := w.walk(ctx, fsys, dir, func(file string) error {
				if path.Ext(file) != ".rs" {
					return nil
				}
				text, err := project.ReadFS(fsys, file, maxWordFile)
				if err == nil && (bytes.Contains(text, []byte("trait")) || bytes.ContainsRune(text, '!')) {
					f := source.Parse(string(text))
					w.addTraits(f, f.Items)
					if f.Lost > 0 {
						eachWord(f.Text, func(name string) { w.traits[maphash.String(wordSeed, name)] = struct{}{} })
					}
				}
				return err
			})
			w.unparsed = w.unparsed || err != nil
		}
	})
	_, ok := w.traits[maphash.String(wordSeed, name)]
	return ok || w.unparsed
}

// addTraits adds the names that traits in a file may declare, including the words of macros.
func (w *words) addTraits(f *source.File, items []*source.Item) {
	add := func(name string) { w.traits[maphash.String(wordSeed, name)] = struct{}{} }
	for _, it := range items {
		switch it.Kind {
		case source.Trait, source.Impl: // an attribute may declare a trait with the items of an implementation
			for _, m := range it.Items {
				switch {
				case it.Kind == source.Impl && (len(it.Attrs) == 0 || !it.Trait.Empty()):
				case m.Kind == source.MacroCall:
					eachWord(m.Body.Of(f.Text), add)
				default:
					add(m.Name)
				}
			}
		case source.MacroRules, source.MacroDecl, source.MacroCall:
			eachWord(it.Body.Of(f.Text), add)
		case source.Module, source.ConstBlock:
			w.addTraits(f, it.Items)
		}
	}
}

// eachWord calls add with the words of a text, except names of members that are used.
func eachWord(text string, add func(string)) {
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && isWordByte(text[i]) {
			i++
		}
		if i > start && !usesMember(text[:start]) {
			add(text[start:i])
		}
	}
}

// camelCase returns a name such as http_client as HttpClient.
func camelCase(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		for i, c := range part {
			if i == 0 {
				c = unicode.ToUpper(c)
			}
			b.WriteRune(c)
		}
	}
	return b.String()
}
