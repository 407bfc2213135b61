package rust

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// A member that no code declares does not exist, whatever the type of the value is. Its name may
// also be written in the definition or in a call of a macro, or in a file from which code is
// generated. Therefore the words of these are declarations, too, except names of members that are used.

const (
	// maxWordFiles is the maximum number of files of one package that are searched for words, and
	// maxWordFile is the maximum size in bytes of one of them.
	maxWordFiles = 20_000
	maxWordFile  = 16 << 20
	// maxWordBytes is the maximum size in bytes of the searched files of one package.
	maxWordBytes = 256 << 20
	// maxPendingText is the maximum size in bytes of the files of one package whose text remains in memory until their outlines are
	// needed.
	maxPendingText = 32 << 20
	// maxWordDepth is the maximum nesting depth of directories in a package. The time to open a file grows with its depth.
	maxWordDepth = 100
	// wordFormat names the rules by which words are read, and the form in which they are cached.
	wordFormat = "4"
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
	build string   // absolute path of its build script
	// mark is the path of a file that changes whenever the files of the package do, or "" if there is none.
	mark string
	seen *fingerprint.Fingerprint // records the files of a package without a mark; nil for others
	// files and listed describe a package without a mark, by absolute path: each file that was read, and the names in each directory.
	files  map[string]*wordFile
	listed map[string][]string

	once  sync.Once
	names hashes
	// affixes are the words that begin or end with an underscore and that macros may join with
	// other words.
	affixes map[string]bool
	partial bool // whether some files could not be read
}

// wordFile contains what a file of a package without a mark may declare.
type wordFile struct {
	names    hashes
	text     string   // of a Rust file, or "" once it is outlined
	outlined *outline // the result of outline, or nil before it is needed
}

// outline returns the outline of a Rust file, which is needed only after the file has changed.
func (f *wordFile) outline() outline {
	if f.outlined == nil {
		o := outlineOf(f.text)
		f.outlined, f.text = &o, ""
	}
	return *f.outlined
}

// hashes are the hashes of names, in order. They take little memory, and some absent names may count as
// present.
type hashes []uint32

func (h hashes) has(name string) bool {
	_, ok := slices.BinarySearch(h, hashOf(name))
	return ok
}

// bytes returns the hashes in little-endian order.
func (h hashes) bytes() []byte {
	data, _ := binary.Append(nil, binary.LittleEndian, h) // cannot fail
	return data
}

// hashesOf reads what bytes returned.
func hashesOf(data []byte) hashes {
	h := make(hashes, len(data)/4)
	_, _ = binary.Decode(data, binary.LittleEndian, h) // its length fits
	return h
}

// hashOf returns the FNV-1a hash of a name, which is the same in all processes.
func hashOf(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

// wordSet collects the hashes of names.
type wordSet map[uint32]struct{}

func (s wordSet) add(name string) { s[hashOf(name)] = struct{}{} }

func (s wordSet) hashes() hashes { return slices.Sorted(maps.Keys(s)) }

// has reports whether the package may declare a name. It returns true if its files cannot be read.
func (w *words) has(name string) bool { return w.partial || w.names.has(name) }

// load reads the words of the package from the cache, or from its files.
func (w *words) load(ctx context.Context, cache *cachedir.Cache) {
	w.once.Do(func() {
		if w.mark == "" {
			w.read(ctx)
			return
		}
		file := cachedir.HashName("rust/words/", wordFormat, w.mark, fmt.Sprint(w.macro, fingerprint.StampOf(w.mark)))
		if data, err := cache.Read(file, maxWordBytes); err == nil && w.decode(data) == nil {
			return
		}
		if w.read(ctx); !w.partial {
			_ = cache.Write(file, func(f *os.File) error { // if this fails, the files are read again
				data, err := w.encode()
				if err == nil {
					_, err = f.Write(data)
				}
				return err
			})
		}
	})
}

// cachedWords is the cached form of words.
type cachedWords struct {
	Names   []byte // hashes
	Affixes []string
}

func (w *words) encode() ([]byte, error) {
	return json.Marshal(cachedWords{w.names.bytes(), slices.Sorted(maps.Keys(w.affixes))})
}

// decode reads the cached form.
func (w *words) decode(data []byte) error {
	var c cachedWords
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	w.names, w.affixes = hashesOf(c.Names), map[string]bool{}
	for _, word := range c.Affixes {
		w.affixes[word] = true
	}
	return nil
}

func (w *words) read(ctx context.Context) {
	names := wordSet{}
	w.affixes = map[string]bool{}
	w.files, w.listed = map[string]*wordFile{}, map[string][]string{}
	files, size := 0, 0
	for _, dir := range w.dirs {
		fsys := rootfs.New(dir)
		err := w.walk(ctx, fsys, dir, func(name string, isDir bool) error {
			full := filepath.Join(dir, filepath.FromSlash(name))
			if w.seen != nil {
				w.seen.Add(full)
				if name != "." {
					w.listed[filepath.Dir(full)] = append(w.listed[filepath.Dir(full)], filepath.Base(full))
				}
			}
			if isDir {
				return nil
			}
			text, err := readText(fsys, name, maxWordFile)
			files++
			size += len(text)
			if err != nil || files > maxWordFiles || size > maxWordBytes {
				w.partial = w.partial || path.Ext(name) == ".rs"
				return nil
			}
			if w.seen == nil {
				w.addTo(names, name, text)
			} else {
				w.files[full] = w.file(name, text)
				if size > maxPendingText {
					w.files[full].outline()
				}
			}
			return nil
		})
		w.partial = w.partial || err != nil
	}
	if w.seen == nil {
		w.names = names.hashes()
	} else {
		w.merge()
	}
}

// addTo adds the names that a file may declare.
func (w *words) addTo(names wordSet, name, text string) {
	if path.Ext(name) == ".rs" && !w.macro {
		eachDeclared(text, names.add)
	} else {
		addWords(text, names)
	}
	w.addAffixes(text)
}

// file returns what a file may declare.
func (w *words) file(name, text string) *wordFile {
	names := wordSet{}
	w.addTo(names, name, text)
	f := &wordFile{names: names.hashes()}
	if path.Ext(name) == ".rs" {
		f.text = text
	}
	return f
}

// merge updates the names of the package to those of its files.
func (w *words) merge() {
	w.names = w.names[:0]
	for _, f := range w.files {
		w.names = append(w.names, f.names...)
	}
	slices.Sort(w.names)
	w.names = slices.Compact(w.names)
}

var copyBuffers = sync.Pool{New: func() any { buffer := make([]byte, 32<<10); return &buffer }}

// readText returns the text of a file of at most limit bytes.
func readText(files fs.FS, name string, limit int) (string, error) {
	file, err := files.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var b strings.Builder
	if info, err := file.Stat(); err == nil {
		b.Grow(int(min(info.Size(), int64(limit))) + 512)
	}
	buffer := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buffer)
	n, err := io.CopyBuffer(&b, io.LimitReader(file, int64(limit)+1), *buffer)
	if err == nil && n > int64(limit) {
		err = project.ErrTooLarge
	}
	return b.String(), err
}

var errDepth = errors.New("the directories of the package are nested too deeply")

// walk calls visit with the directories in a directory of the package, and with the files that may declare names.
func (w *words) walk(ctx context.Context, fsys fs.FS, dir string, visit func(name string, isDir bool) error) error {
	return fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case strings.Count(name, "/") > maxWordDepth:
			return errDepth
		case name == "." || mayDeclare(filepath.Join(dir, filepath.FromSlash(name)), entry):
			return visit(name, entry.IsDir())
		case entry.IsDir():
			return fs.SkipDir
		}
		return nil
	})
}

// mayDeclare reports whether a file, or the files in a directory, may declare names.
func mayDeclare(full string, entry fs.DirEntry) bool {
	if entry.IsDir() {
		return !strings.HasPrefix(entry.Name(), ".") && !isOther(full)
	}
	return schemas[filepath.Ext(full)]
}

// isOther reports whether a directory in a package contains what cargo built, or a vendored package.
func isOther(dir string) bool {
	return filepath.Base(dir) == "target" && project.IsFile(filepath.Join(dir, "CACHEDIR.TAG")) || markOf(dir) != ""
}

// markOf returns the file that cargo wrote when it unpacked the package in a directory, or "" if there is none.
// Cargo does not build such a package if its files have changed.
func markOf(dir string) string {
	for _, name := range []string{".cargo-ok", ".cargo-checksum.json"} {
		if mark := filepath.Join(dir, name); project.IsFile(mark) {
			return mark
		}
	}
	return ""
}

// standardMark returns a file in the directory of the standard library that changes with the toolchain.
func standardMark(dir string) string { return filepath.Join(dir, "std", "src", "lib.rs") }

// addAffixes adds the words of a text that macros may join with others.
func (w *words) addAffixes(text string) {
	if w.macro || strings.Contains(text, "[<") {
		eachWord(text, func(word string, _ bool) {
			if len(word) > 1 && (word[0] == '_' || word[len(word)-1] == '_') && !w.affixes[word] && utf8.ValidString(word) {
				w.affixes[strings.Clone(word)] = true
			}
		})
	}
}

// addWords adds all words of a text that may be declared.
func addWords(text string, names wordSet) {
	eachWord(text, func(word string, used bool) {
		if !used {
			names.add(word)
		}
	})
}

// maxWord is the maximum length in bytes of a literal without spaces that contains names.
const maxWord = 64

// eachDeclared calls visit with the words of a Rust file that may be names of members: those after fn or before a
// colon, those of types and variants, from which macros form names, and all words in literals, in attributes, and in
// definitions and calls of macros, except those of the standard library whose arguments are expressions.
func eachDeclared(text string, visit func(string)) {
	s := source.Scanner{Text: text}
	var last [3]source.Token // the tokens before t, the nearest first
	textOf := func(t source.Token) string { return text[t.Start:t.End] }
	depth := 0 // of brackets in a macro or an attribute
	for t := s.Next(); t.Kind != source.EOF; last[2], last[1], last[0], t = last[1], last[0], t, s.Next() {
		switch name := strings.TrimPrefix(textOf(t), "r#"); t.Kind {
		case source.Literal:
			if depth > 0 || len(name) <= maxWord || strings.Contains(name, " ") {
				eachWord(name, func(word string, _ bool) { visit(word) })
			}
		case source.Ident:
			if depth > 0 && (last[0].Byte != '.' || last[1].Byte == '.') || name[0] >= 'A' && name[0] <= 'Z' || last[0].Kind == source.Ident && textOf(last[0]) == "fn" {
				visit(name)
			}
		case source.Punct:
			switch t.Byte {
			case ':':
				if depth == 0 && last[0].Kind == source.Ident && !strings.HasPrefix(text[t.End:], ":") {
					visit(strings.TrimPrefix(textOf(last[0]), "r#"))
				}
			case '(', '[', '{':
				mark, name := last[0], last[1]
				if mark.Kind == source.Ident && name.Byte == '!' { // macro_rules! name
					mark, name = last[1], last[2]
				}
				attribute := t.Byte == '[' && (mark.Byte == '#' || mark.Byte == '!' && name.Byte == '#')
				if depth > 0 || attribute || mark.Byte == '!' && name.Kind == source.Ident && name.End == mark.Start && !expressions[textOf(name)] && !messages[textOf(name)] {
					depth++
				}
			case ')', ']', '}':
				depth = max(depth-1, 0)
			}
		}
	}
}

// outlineWords returns the words of the outline of the standard library.
func outlineWords() *words {
	w := &words{}
	w.once.Do(func() { w.names, w.affixes = standardWords(), map[string]bool{} })
	return w
}

var standardWords = sync.OnceValue(func() hashes {
	names := wordSet{}
	for text := range crate.StandardTexts() {
		eachDeclared(text, names.add)
	}
	return names.hashes()
})

// eachWord calls visit with the words of a text. used is true if a word is the name of a member that is used, as in
// x.name, and not the end of a range, or the name of a macro's variable.
func eachWord(text string, visit func(word string, used bool)) {
	before := -1 // the last byte that is neither a space nor a part of r# before a name
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
			continue
		case !isWordByte(c):
			before = i
			i++
			continue
		case c == 'r' && i+2 < len(text) && text[i+1] == '#' && isWordByte(text[i+2]):
			i += 2
			continue
		}
		start := i
		for i < len(text) && isWordByte(text[i]) {
			i++
		}
		if c < '0' || c > '9' {
			visit(text[start:i], before >= 0 && (text[before] == '$' || text[before] == '.' && (before == 0 || text[before-1] != '.')))
		}
		before = i - 1
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// library contains the words of all packages of a project.
type library struct {
	ctx      context.Context
	cache    *cachedir.Cache
	packages []*words     // those that declare the most names first
	read     atomic.Int64 // number of packages that were read
	mu       sync.Mutex
	names    map[string]bool // results of has
}

// any reports whether ok returns true for a package. It reads no more packages than it needs.
func (l *library) any(ok func(w *words) bool) bool {
	for i, w := range l.packages {
		if read := int(l.read.Load()); i >= read {
			next := l.packages[i:min(i+4*runtime.GOMAXPROCS(0), len(l.packages))]
			parallel.Each(len(next), func(k int) { next[k].load(l.ctx, l.cache) })
			l.read.CompareAndSwap(int64(read), int64(i+len(next)))
		}
		if ok(w) {
			return true
		}
	}
	return l.ctx.Err() != nil
}

// has reports whether a member with a name may exist.
func (l *library) has(name string) bool {
	l.mu.Lock()
	known, ok := l.names[name]
	l.mu.Unlock()
	if !ok {
		known = l.isWord(name) || l.isFormed(name)
		l.mu.Lock()
		l.names[name] = known
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
	return l.any(func(w *words) bool { return w.has(name) || w.has(upper) || w.has(lower) })
}

// isFormed reports whether a macro may form a name from one that a package declares, such as
// set_size or size_mut from size, or from the number of a field.
func (l *library) isFormed(name string) bool {
	isAffix := func(part string) bool { return l.any(func(w *words) bool { return w.affixes[part] }) }
	for i := range len(name) {
		if i > 0 && name[i-1] != '_' || i > 0 && !isAffix(name[:i]) {
			continue
		}
		rest := name[i:]
		if i > 0 && (l.isWord(rest) || isNumber(rest)) {
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

// isNumber reports whether a name consists of digits, as those of the fields of tuples do.
func isNumber(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }

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
