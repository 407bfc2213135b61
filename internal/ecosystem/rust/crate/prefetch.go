package crate

import (
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/work"
)

// The files of a large crate are read and parsed on several processors: while the items of one file are
// collected, prefetch reads the files of the modules that it declares.

const (
	// maxPrefetchers is the maximum number of goroutines that read files of one crate ahead.
	maxPrefetchers = 4
	// maxAhead is the maximum size in bytes of the files that are read ahead and not used yet.
	maxAhead = 4 << 20
)

// prefetch reads files of a crate before they are used. The methods of a nil prefetch do nothing.
type prefetch struct {
	files fs.FS
	meter *work.Meter
	parse func(*work.Meter, string) *source.File
	limit int // maximum number of readers

	mu      sync.Mutex
	group   sync.WaitGroup
	readers int
	ahead   int                        // size in bytes of the files in parsed that are done
	queue   []string                   // names of files to read, the next one last
	parsed  map[string]*prefetchedFile // the files that were requested, by name
}

// prefetchedFile is a file that is queued, being read, or parsed.
type prefetchedFile struct {
	done chan struct{} // closed when the fields below are set; nil while the file is queued
	info fs.FileInfo
	size int          // size of the text in bytes
	file *source.File // nil if the file cannot be read
	// generates is true if a macro in the file may declare macros.
	generates bool
}

// newPrefetch returns a prefetch for a crate, or nil if its files are not read concurrently.
func newPrefetch(k *krate) *prefetch {
	limit := min(runtime.GOMAXPROCS(0)-1, maxPrefetchers)
	if k.src.Dir == "" || k.deferred != nil || limit < 1 {
		return nil
	}
	return &prefetch{files: k.src.FS, meter: k.w.meter, parse: k.parser(), limit: limit, parsed: map[string]*prefetchedFile{}}
}

// request queues files, which are used in the order of their names in the list.
func (p *prefetch) request(names []string) {
	if p == nil || len(names) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range slices.Backward(names) {
		if _, ok := p.parsed[name]; !ok {
			p.parsed[name] = &prefetchedFile{}
			p.queue = append(p.queue, name)
		}
	}
	p.start()
}

// start starts a reader if there is work for another one. It requires mu.
func (p *prefetch) start() {
	if len(p.queue) > 0 && p.readers < p.limit && p.ahead < maxAhead {
		p.readers++
		p.group.Go(p.read)
	}
}

// take returns a file that has been read ahead. It returns nil if the caller has to read the file.
func (p *prefetch) take(name string) *prefetchedFile {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	f := p.parsed[name]
	if f == nil || f.done == nil {
		p.parsed[name] = nil // Nobody else reads it.
		p.mu.Unlock()
		return nil
	}
	p.mu.Unlock()
	<-f.done
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parsed[name] = nil
	p.ahead -= f.size
	p.start()
	if f.file == nil {
		return nil
	}
	return f
}

// next returns the next file to read, or nil if there is none.
func (p *prefetch) next() (string, *prefetchedFile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) > 0 && p.ahead < maxAhead {
		name := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		if f := p.parsed[name]; f != nil {
			f.done = make(chan struct{})
			return name, f
		}
	}
	p.readers--
	return "", nil
}

// read reads the files in the queue.
func (p *prefetch) read() {
	buffer := make([]byte, 64<<10)
	for name, f := p.next(); f != nil; name, f = p.next() {
		p.readFile(name, f, buffer)
	}
}

func (p *prefetch) readFile(name string, f *prefetchedFile, buffer []byte) {
	defer close(f.done)
	defer func() { _ = recover() }() // The caller reads the file itself, and handles the panic.
	text, info, err := readText(p.files, name, buffer, nil)
	if err != nil {
		return
	}
	p.meter.Grant(int64(len(text)))
	file := p.parse(p.meter, text)
	p.mu.Lock()
	p.ahead += len(text)
	p.mu.Unlock()
	f.info, f.size, f.file, f.generates = info, len(text), file, strings.Contains(text, generator)
}

// stop ends the readers, and waits for them. Files that were not read yet are not read ahead.
func (p *prefetch) stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.queue = nil
	p.mu.Unlock()
	p.group.Wait()
}

// prefetch requests the files of the modules that are declared in a file. It leaves out modules
// with attributes, which may not be read or may be in other files.
func (k *krate) prefetch(m *module, items []*source.Item, u *unit) {
	if k.ahead == nil {
		return
	}
	dir := m.normal().dir
	if u.dir != "" {
		return
	}
	var names []string
	for _, it := range items {
		if it.Kind == source.Module && it.Flags&source.Semicolon != 0 && !hasAttributes(it) {
			if file := k.moduleFile(dir + "/" + it.Name); k.exists(file) && !k.granted[file] && k.src.Parsed.file(file) == nil {
				names = append(names, file)
			}
		}
	}
	k.ahead.request(names)
}

// hasAttributes reports whether an item has attributes other than comments.
func hasAttributes(it *source.Item) bool {
	for _, a := range it.Attrs {
		if a.Kind == source.Punct {
			return true
		}
	}
	return false
}

// readText reads a file. Before it reads the text, it calls admit, which may be nil.
func readText(files fs.FS, name string, buffer []byte, admit func(fs.FileInfo) error) (string, fs.FileInfo, error) {
	if texts, ok := files.(interface {
		ReadText(name string) (string, error)
	}); ok {
		info, err := fs.Stat(files, name)
		if err == nil && admit != nil {
			err = admit(info)
		}
		if err != nil {
			return "", nil, err
		}
		text, err := texts.ReadText(name)
		return text, info, err
	}
	file, err := files.Open(name)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && admit != nil {
		err = admit(info)
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > source.MaxText) {
		err = errTooMuch
	}
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	b.Grow(int(info.Size()))
	_, err = io.CopyBuffer(&b, struct{ io.Reader }{io.LimitReader(file, source.MaxText)}, buffer)
	return b.String(), info, err
}
