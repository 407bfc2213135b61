package mcp

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// registry contains a server's tools, prompts, resources or templates, sorted by name. Readers lock
// it only after a change. The list for each revision is encoded once, and cached until the next
// change.
type registry[E listed] struct {
	server *Server
	kind   string // name of the list in results and in cursors
	name   func(E) string
	append func(e E, b []byte, rev revision.Revision) []byte

	mu      sync.Mutex
	byName  map[string]E               // guarded by mu; nil until something is added
	inUse   atomic.Bool                // see used
	current atomic.Pointer[entries[E]] // nil if byName has changed since the last snapshot
}

// listed is an element of a registry.
type listed interface{ entry() Entry }

// entries is a snapshot of a registry. It is immutable except for its pages, which are encoded when
// they are first used.
type entries[E listed] struct {
	sorted []E
	byName map[string]E
	pages  [revision.Count]atomic.Pointer[[]encodedResult]
}

func (g *registry[E]) init(s *Server, kind string, name func(E) string, append func(E, []byte, revision.Revision) []byte) {
	g.server, g.kind, g.name, g.append = s, kind, name, append
}

// used reports whether an entry has ever been added or whether the capability is declared.
func (g *registry[E]) used() bool { return g.inUse.Load() }

// state returns the current snapshot.
func (g *registry[E]) state() *entries[E] {
	if state := g.current.Load(); state != nil {
		return state
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	state := &entries[E]{byName: maps.Clone(g.byName)}
	for _, name := range sortedKeys(state.byName) {
		state.sorted = append(state.sorted, state.byName[name])
	}
	g.current.Store(state)
	return state
}

func (g *registry[E]) find(name string) (E, bool) {
	e, ok := g.state().byName[name]
	return e, ok
}

// findJSON returns the entry whose name is value, which is JSON. ok is false if there is no such
// entry.
func (g *registry[E]) findJSON(value []byte) (e E, ok bool) {
	if len(value) >= 2 && value[0] == '"' && bytes.IndexByte(value, '\\') < 0 {
		e, ok = g.state().byName[string(value[1:len(value)-1])] // look up the name without an allocation
		return e, ok
	}
	if name, isString := jsonrpc.String(value); isString {
		return g.find(name)
	}
	return e, false
}

// An AddOption modifies how a tool, prompt, resource or template is added to a Server.
type AddOption int

// Replace replaces the entry with the same name, URI or URI template, if there is one. Without this
// option, adding such an entry fails. Requests in flight continue with the old entry.
const Replace AddOption = 1

// ErrNameTaken is wrapped by the error for adding, without the option Replace, a tool or prompt
// whose name is already in use, or a resource or resource template whose URI or URI template is
// already in use.
var ErrNameTaken = errors.New("the name is taken")

// duplicateError is an ErrNameTaken with the kind of key that is in use.
type duplicateError struct{ key string } // "name", "URI" or "URI template"

func (e duplicateError) Error() string {
	return "the " + e.key + " is taken; choose another, or add it with the option Replace"
}

func (e duplicateError) Is(target error) bool { return target == ErrNameTaken }

// add adds an entry. It returns a duplicateError if the entry's name is in use and options do not
// include Replace. key is the term for the name in errors.
func (g *registry[E]) add(e E, key string, options []AddOption) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, exists := g.byName[g.name(e)]; exists && !slices.Contains(options, Replace) {
		return duplicateError{key}
	}
	if g.byName == nil {
		g.byName = map[string]E{}
	}
	g.byName[g.name(e)] = e
	g.inUse.Store(true)
	g.current.Store(nil)
	return nil
}

// remove removes the entries with the given names and reports whether there
// were any.
func (g *registry[E]) remove(names []string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := len(g.byName)
	for _, name := range names {
		delete(g.byName, name)
	}
	if len(g.byName) == before {
		return false
	}
	g.current.Store(nil)
	return true
}

// list answers a list request (specification: Pagination). A cursor contains the name of the last
// entry of the previous page, so it remains valid if the list changes.
func (g *registry[E]) list(r *Request) (Result, error) {
	state := g.state()
	size := g.server.opts.PageSize
	sorted, scope := state.sorted, "public"
	filtered := g.server.opts.Visible != nil
	if filtered {
		sorted, scope = g.shown(r, sorted), "private"
	}
	start := 0
	if r.params.hasCursor() {
		cursor, ok := jsonrpc.String(r.params.cursor)
		last, genuine := g.server.openCursor(g.kind, cursor)
		if !ok || !genuine {
			return nil, errorf(CodeInvalidParams, "Invalid cursor")
		}
		var found bool
		start, found = slices.BinarySearchFunc(sorted, last, func(e E, name string) int {
			return strings.Compare(g.name(e), name)
		})
		if found {
			start++
		}
	}
	if filtered || start%size != 0 {
		return g.page(sorted, start, r.rev, scope), nil
	}
	pages := state.pages[r.rev].Load()
	if pages == nil {
		pages = new([]encodedResult)
		for i := 0; i == 0 || i < len(sorted); i += size {
			*pages = append(*pages, g.page(sorted, i, r.rev, scope))
		}
		state.pages[r.rev].Store(pages)
	}
	if start/size >= len(*pages) {
		return g.page(sorted, start, r.rev, scope), nil
	}
	return (*pages)[start/size], nil
}

// page returns the encoded page that begins with entry start.
func (g *registry[E]) page(sorted []E, start int, rev revision.Revision, scope string) encodedResult {
	end := min(start+g.server.opts.PageSize, len(sorted))
	b := append(wire.Name(open(), g.kind), '[')
	for _, e := range sorted[start:end] {
		b = g.append(e, wire.Comma(b), rev)
	}
	b = append(b, ']')
	if end < len(sorted) {
		b = wire.Field(b, "nextCursor", g.server.sealCursor(g.kind, g.name(sorted[end-1])))
	}
	if rev.HasResultType() {
		b = g.server.appendCaching(b, scope)
	}
	return encodedResult(b[1:])
}

// sealCursor returns a cursor that contains the name of an entry and is authenticated with SealKey.
func (s *Server) sealCursor(kind, name string) string {
	return base64.RawURLEncoding.EncodeToString(append(s.cursorMAC(kind, name), name...))
}

// openCursor returns the name in a cursor, and whether sealCursor created the cursor.
func (s *Server) openCursor(kind, cursor string) (string, bool) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(data) < macSize {
		return "", false
	}
	name := string(data[macSize:])
	return name, hmac.Equal(data[:macSize], s.cursorMAC(kind, name))
}

const macSize = 16

func (s *Server) cursorMAC(kind, name string) []byte {
	mac := hmac.New(sha256.New, s.opts.SealKey)
	mac.Write([]byte("cursor\x00" + kind + "\x00" + name))
	return mac.Sum(nil)[:macSize]
}
