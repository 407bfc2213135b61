package rust

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/work"
)

// idleReading is the time for which the parsed files of a crate are kept in memory after use,
// because a search reads several modules of one crate.
const idleReading = 2 * time.Second

// readings contains the crates whose parsed files are in use, and the crate that was used last.
type readings struct {
	mu  sync.Mutex
	all map[string]*reading // keyed by finder.crateKey
}

// reading is a crate with its parsed files.
type reading struct {
	users int         // guarded by readings.mu
	idle  *time.Timer // guarded by readings.mu

	mu     sync.Mutex    // guards the fields below
	finder *finder       // the finder that opened the files
	reader *crate.Reader // nil until the crate is read
	ctx    context.Context
}

// use returns the reading for a key. The caller must release it.
func (rs *readings) use(key string) *reading {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.all == nil {
		rs.all = map[string]*reading{}
	}
	r := rs.all[key]
	if r == nil {
		r = &reading{}
		rs.all[key] = r
	}
	r.users++
	if r.idle != nil {
		r.idle.Stop()
		r.idle = nil
	}
	return r
}

// release ends the use of a reading. An idle reading is kept for idleReading,
// unless another one becomes idle.
func (rs *readings) release(key string, r *reading) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if r.users--; r.users > 0 {
		return
	}
	rs.dropIdle()
	r.idle = time.AfterFunc(idleReading, func() {
		rs.mu.Lock()
		defer rs.mu.Unlock()
		rs.drop(key, r)
	})
}

// makeRoom drops the idle reading before something large is read.
func (rs *readings) makeRoom() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.dropIdle()
}

// dropIdle drops the readings that are idle. It requires mu.
func (rs *readings) dropIdle() {
	for key, r := range rs.all {
		if r.idle != nil {
			rs.drop(key, r)
		}
	}
}

// drop closes a reading that has no users. It requires mu.
func (rs *readings) drop(key string, r *reading) {
	if r.users == 0 && rs.all[key] == r {
		delete(rs.all, key)
		if r.idle != nil {
			r.idle.Stop()
		}
		r.close()
	}
}

func (r *reading) close() {
	if r.finder != nil {
		r.finder.close()
	}
	r.finder, r.reader = nil, nil
}

// usedReading is the use of a reading, which ends when the finder is closed.
type usedReading struct {
	rs  *Rust
	key string
	r   *reading
}

func (u usedReading) Close() error {
	u.rs.readings.release(u.key, u.r)
	return nil
}

// readModule reads the requested module. It parses the files of a crate only
// once for several modules.
func (f *finder) readModule(ctx context.Context, l *located) (*apidoc.Package, error) {
	return f.withReader(ctx, l, func(r *crate.Reader) (*apidoc.Package, error) { return r.Read(ctx, f.ask.module) })
}

// readIndex reads the index of the crate, with the files that were parsed for its modules.
func (f *finder) readIndex(ctx context.Context, l *located) (*apidoc.Package, error) {
	return f.withReader(ctx, l, func(r *crate.Reader) (*apidoc.Package, error) { return r.Index(ctx, f.ask.names) })
}

// withReader calls read with the reader of a crate, which it opens if the crate's files have not been parsed.
func (f *finder) withReader(ctx context.Context, l *located, read func(*crate.Reader) (*apidoc.Package, error)) (*apidoc.Package, error) {
	src := f.source(l)
	key := f.crateKey(l)
	if key == "" {
		reader, err := crate.NewReader(ctx, src, f.importer(func() context.Context { return ctx }))
		if err != nil {
			return nil, err
		}
		return read(reader)
	}
	r := f.rs.readings.use(key)
	f.rs.readings.makeRoom()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ctx = ctx
	use := usedReading{f.rs, key, r}
	defer func() { f.closers = append(f.closers, use) }()
	if r.reader != nil && !r.finder.seen.Unchanged() {
		r.close()
	}
	if r.reader == nil {
		if err := r.open(ctx, f, src); err != nil {
			return nil, err
		}
	}
	usable := false
	defer func() {
		if !usable { // Read failed, was stopped, or skipped parts
			r.close()
		}
	}()
	out, err := read(r.reader)
	f.seen.Include(r.finder.seen)
	usable = (err == nil || errors.Is(err, fs.ErrNotExist)) && !work.FromContext(ctx).Spent()
	return out, err
}

// open parses the files of a crate. They stay open as long as the reading is
// cached. If open fails or is stopped, f closes them.
func (r *reading) open(ctx context.Context, f *finder, src *crate.Source) error {
	opener := *f
	opened := false
	defer func() {
		if !opened {
			f.closers = opener.closers
		}
	}()
	reader, err := crate.NewReader(ctx, src, opener.importer(func() context.Context { return r.ctx }))
	if err != nil {
		return err
	}
	opened = true
	f.closers = nil
	f.opened, f.manifests, f.sources = maps.Clone(f.opened), maps.Clone(f.manifests), maps.Clone(f.sources)
	r.finder, r.reader = &opener, reader
	return nil
}
