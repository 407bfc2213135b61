package mcp

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// unreadBudget limits the memory for responses that clients have not read, on all connections of a
// server together (Limits.MaxUnreadBytes).
//
// Before its handler runs, a call reserves as much room as recent responses of the handler needed.
// When the response has been encoded, the reservation is corrected to its size. Then it becomes
// part of the claim of the connection that writes the response. A call waits if there is no room
// for it. While calls wait, events that are kept for clients that may reconnect are dropped, and
// connections that read their responses too slowly are closed, beginning with the slowest.
//
// Small, medium and large responses have separate parts of the budget, so that small ones do not
// wait for large ones. A claim can move to another part, which may then exceed its limit.
// Therefore, a call starts only if its response fits into its part and into all larger parts
// together.
type unreadBudget struct {
	mu       sync.Mutex
	parts    [3]unreadPart
	peers    map[*peerClaim]struct{} // non-empty claims of connections and kept events, which can be cut off
	firsts   map[any]*firstCalls     // calls whose responses have an unknown size, by connection
	nFirsts  int                     // number of these calls
	sweeper  *time.Timer             // calls sweep while calls wait
	sweeping bool                    // whether sweeper is running
}

// unreadPart is the part of an unreadBudget for responses up to a certain size.
type unreadPart struct {
	limit   int
	used    int // total size in bytes of all claims
	written int // bytes in used that belong to claims of connections
	waiters []*unreadWaiter
	round   int // round of the last waiter that was served
}

// claim is the part of an unreadBudget that a response uses. The budget's mu guards its fields. The
// holder of a claim may read bytes without it.
type claim struct {
	bytes   int
	part    uint8
	peer    bool // whether the claim belongs to a peerClaim
	unsized bool // whether the call has started although the size of its response is unknown
	first   any  // the connection if the call is counted in firsts, otherwise nil
}

// firstCalls describes the calls on a connection that are running although the size of their
// responses is unknown.
type firstCalls struct {
	n     int
	since time.Time // when n was last 0
}

// peerClaim is the claim of a connection, or of the events that are kept for a client without a
// connection.
type peerClaim struct {
	claim
	owner    laggard
	isStored bool         // whether the bytes are stored and no connection is writing them
	took     atomic.Int64 // bytes that the client has read

	// These fields are used by sweep to calculate the rate.
	marked   time.Time // when took had the value mark; zero if the claim has no bytes
	mark     int64
	isEnding bool // whether cutOff was called
}

// A laggard holds data that a client does not read.
type laggard interface {
	// cutOff closes the connection or drops the kept events. It does not wait until that is done.
	cutOff()
}

type unreadWaiter struct {
	claim *claim
	bytes int
	conn  any // the connection; nil if it has no other calls
	round int // waiters are served in the order of rounds; a round contains one waiter of each connection
	since time.Time
	ready chan struct{} // closed when the bytes have been reserved for claim
}

const (
	smallAnswer  = 64 << 10 // maximum size in bytes of responses in the first part
	mediumAnswer = 1 << 20  // maximum size in bytes of responses in the second part

	// uncountedAnswer is the size in bytes up to which a response is not counted, because the
	// waiting connection and request use more memory than the response.
	uncountedAnswer = 4 << 10

	// While calls wait, a connection is closed if its client reads too slowly. That is the case if,
	// at its rate during the last stallTime, the client would need longer than slowestTime for its
	// responses.
	stallTime   = writeTimeout / 6
	slowestTime = 2 * writeTimeout

	unreadSweep = time.Second

	// Before the size of a handler's responses is known, firstAnswers calls may run at a time.
	// Additional calls wait for firstAnswerTime. Then firstAnswers calls of each connection may run
	// and, after stallTime, one more each second.
	firstAnswers    = 4
	firstAnswerTime = time.Second
	// maxFirsts is the number of these calls above which each connection may have only one.
	maxFirsts = 16
)

func newUnreadBudget(limit int) *unreadBudget {
	u := &unreadBudget{peers: map[*peerClaim]struct{}{}, firsts: map[any]*firstCalls{}}
	u.parts[0].limit, u.parts[1].limit, u.parts[2].limit = limit/4, limit/4, limit/2
	u.sweeper = time.AfterFunc(time.Hour, u.sweep)
	u.sweeper.Stop()
	return u
}

func unreadPartOf(bytes int) uint8 {
	switch {
	case bytes <= smallAnswer:
		return 0
	case bytes <= mediumAnswer:
		return 1
	}
	return 2
}

// fits reports whether n more bytes fit into a part. A response that is larger than the part fits
// if the part is empty. The caller must hold mu.
func (u *unreadBudget) fits(part, n int) bool {
	if p := &u.parts[part]; n > p.limit {
		return p.used == 0
	}
	return u.excess(part, n, (*unreadPart).all) <= 0
}

func (p *unreadPart) all() int     { return p.used }
func (p *unreadPart) toWrite() int { return p.written }

// excess returns the number of bytes by which n more bytes in a part would exceed a limit. The
// limits are that of the part, that of the part and all larger ones together, and that of these
// together with smaller parts. The caller must hold mu.
func (u *unreadBudget) excess(part, n int, used func(*unreadPart) int) int {
	maximum := used(&u.parts[part]) - u.parts[part].limit
	for first := range part + 1 {
		maximum = max(maximum, u.excessOf(first, used))
	}
	return maximum + n
}

// excessOf returns the number of bytes by which a part and all larger ones together exceed their
// limits. The caller must hold mu.
func (u *unreadBudget) excessOf(first int, used func(*unreadPart) int) (sum int) {
	for i := range u.parts[first:] {
		p := &u.parts[first+i]
		sum += used(p) - p.limit
	}
	return sum
}

// add makes w wait after the waiters of its round, so that a connection with many calls does not
// delay the others. A result that waits to be encoded already uses memory, so it is placed before
// calls that have not started.
func (p *unreadPart) add(w *unreadWaiter) {
	w.round = p.round
	if w.claim.unsized {
		i := 0
		for i < len(p.waiters) && p.waiters[i].claim.unsized {
			i++
		}
		p.waiters = slices.Insert(p.waiters, i, w)
		return
	}
	for _, other := range slices.Backward(p.waiters) {
		if w.conn != nil && other.conn == w.conn {
			w.round = other.round + 1
			break
		}
	}
	i := len(p.waiters)
	for i > 0 && p.waiters[i-1].round > w.round {
		i--
	}
	p.waiters = slices.Insert(p.waiters, i, w)
}

// reserve waits until c has n bytes of a part. The calls of conn alternate with the calls of other
// connections. reserve returns false if ctx is done first. Unless patience is 0, it also returns
// false after patience.
func (u *unreadBudget) reserve(ctx context.Context, c *claim, n int, part uint8, conn any, patience time.Duration) bool {
	u.mu.Lock()
	p := &u.parts[part]
	if len(p.waiters) == 0 && u.fits(int(part), n) {
		u.put(c, n, part)
		u.mu.Unlock()
		return true
	}
	w := &unreadWaiter{claim: c, bytes: n, conn: conn, since: time.Now(), ready: make(chan struct{})}
	c.part = part
	p.add(w)
	if !u.sweeping {
		u.sweeping = true
		u.sweeper.Reset(0)
	}
	u.mu.Unlock()
	var late <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-w.ready:
		return true
	case <-ctx.Done():
	case <-late:
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if i := slices.Index(p.waiters, w); i >= 0 {
		p.waiters = slices.Delete(p.waiters, i, i+1)
		u.grant()
		return false
	}
	return true // the reservation was granted at the same moment
}

// correct sets the size of c. The size may exceed the budget.
func (u *unreadBudget) correct(c *claim, n int) {
	if n <= uncountedAnswer && !c.peer {
		n = 0
	}
	if n == c.bytes && c.first == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if f := u.firsts[c.first]; f != nil {
		u.nFirsts--
		if f.n--; f.n == 0 {
			delete(u.firsts, c.first)
		}
		c.first = nil
	}
	u.put(c, n, unreadPartOf(n))
}

// begin counts c in firsts and reports whether the limits allowed that.
func (u *unreadBudget) begin(c *claim, conn any) bool {
	now := time.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	f := u.firsts[conn]
	if f == nil {
		f = &firstCalls{since: now}
		u.firsts[conn] = f
	}
	maximum := firstAnswers
	if u.nFirsts >= maxFirsts {
		maximum = 1
	}
	if f.n >= maximum+max(0, int((now.Sub(f.since)-stallTime)/time.Second)) {
		return false
	}
	f.n++
	u.nFirsts++
	c.first = conn
	return true
}

// correctPeer sets the size of p as correct does for a claim. It calls the owner of p without
// holding mu.
func (u *unreadBudget) correctPeer(p *peerClaim, n int) {
	if n == p.bytes {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case n == 0:
		delete(u.peers, p)
		p.marked, p.isEnding = time.Time{}, false
	case p.bytes == 0:
		u.peers[p] = struct{}{}
		p.marked, p.mark = time.Now(), p.took.Load()
	}
	p.peer = true
	u.put(&p.claim, n, unreadPartOf(n))
}

// put moves c, which has n bytes, to a part. The caller must hold mu.
func (u *unreadBudget) put(c *claim, n int, part uint8) {
	old, p := &u.parts[c.part], &u.parts[part]
	if c.peer {
		old.written -= c.bytes
		p.written += n
	}
	old.used -= c.bytes
	p.used += n
	c.bytes, c.part = n, part
	u.grant()
}

// grant serves the waiters for which there is room. The caller must hold mu.
func (u *unreadBudget) grant() {
	for i := range u.parts {
		p := &u.parts[i]
		for len(p.waiters) > 0 && u.fits(i, p.waiters[0].bytes) {
			u.grantFirst(p)
		}
	}
}

// grantFirst serves the first waiter of p. The caller must hold mu.
func (u *unreadBudget) grantFirst(p *unreadPart) {
	w := p.waiters[0]
	p.waiters[0] = nil
	p.waiters, p.round = p.waiters[1:], w.round
	p.used += w.bytes
	w.claim.bytes = w.bytes
	close(w.ready)
}

// isFull reports whether calls wait for room in the part for responses of the given size.
func (u *unreadBudget) isFull(bytes int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	part := unreadPartOf(bytes)
	return len(u.parts[part].waiters) > 0 || u.excess(int(part), 0, (*unreadPart).all) > 0
}

// hasWaiters reports whether calls are waiting for room.
func (u *unreadBudget) hasWaiters() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.ContainsFunc(u.parts[:], func(p unreadPart) bool { return len(p.waiters) > 0 })
}

// sweep frees room for the waiting calls.
func (u *unreadBudget) sweep() {
	now := time.Now()
	u.mu.Lock()
	u.sweeping = false
	var ends []*peerClaim
	for i := range u.parts {
		p := &u.parts[i]
		if len(p.waiters) == 0 {
			continue
		}
		u.sweeping = true
		ends = append(ends, u.slowest(uint8(i), now)...)
		// Slow handlers have reserved the room, and it is not used by unread responses, so one more
		// call may run.
		if w := p.waiters[0]; now.Sub(w.since) >= stallTime && (w.bytes > p.limit && p.written == 0 || u.excess(i, w.bytes, (*unreadPart).toWrite) <= 0) {
			u.grantFirst(p)
		}
	}
	if u.sweeping {
		u.sweeper.Reset(unreadSweep)
	}
	u.mu.Unlock()
	for _, p := range ends {
		p.owner.cutOff()
	}
}

// slowest selects the claims of a part that must end to make room for the waiting calls. It selects
// kept events first, and then the slowest connections. The caller must hold mu.
func (u *unreadBudget) slowest(part uint8, now time.Time) []*peerClaim {
	type candidate struct {
		*peerClaim
		rate float64 // share of the claim that the client would read in slowestTime
	}
	p := &u.parts[part]
	waiting := 0
	for _, w := range p.waiters {
		waiting += w.bytes
	}
	missing := min(p.used+waiting-p.limit, p.used)
	first, last := part, part // the parts that delay the waiters
	if n := p.waiters[0].bytes; p.used+n <= p.limit {
		for k := int(part); k >= 0; k-- {
			if over := u.excessOf(k, (*unreadPart).all); over+n > 0 {
				missing, first, last = over+waiting, uint8(k), uint8(len(u.parts)-1)
				break
			}
		}
	}
	var found []candidate
	for c := range u.peers {
		if c.part < first || c.part > last {
			continue
		}
		if c.isEnding {
			missing -= c.bytes
			continue
		}
		if c.isStored {
			found = append(found, candidate{c, -1})
			continue
		}
		passed := now.Sub(c.marked)
		if passed < stallTime {
			continue
		}
		took := c.took.Load()
		rate := float64(took-c.mark) / float64(c.bytes) * float64(slowestTime) / float64(passed)
		c.marked, c.mark = now, took
		if rate < 1 {
			found = append(found, candidate{c, rate})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		switch {
		case a.rate < b.rate:
			return -1
		case a.rate > b.rate:
			return 1
		}
		return 0
	})
	var ends []*peerClaim
	for _, c := range found {
		if missing <= 0 {
			break
		}
		missing -= c.bytes
		c.isEnding = true
		ends = append(ends, c.peerClaim)
	}
	return ends
}

// answerSize is the mean size in bytes of a handler's recent responses. It rises faster than it
// falls. It is 0 before the first response.
type answerSize struct{ mean atomic.Int64 }

// add counts a response of n bytes. If several responses are added at the same moment, some may not
// be counted.
func (s *answerSize) add(n int) {
	old, size := s.mean.Load(), int64(max(n, uncountedAnswer))
	switch {
	case size == old:
		return
	case old == 0:
	case size > old:
		size = (old + size) / 2
	default:
		size = old - max((old-size)/8, 1)
	}
	s.mean.Store(size)
}

// reserve waits until there is room for the response to r. It returns false if r ends first or its
// client disconnects.
func (s *Server) reserve(r *Request) bool {
	if r.method == "ping" || r.method == "initialize" {
		return true
	}
	size := s.answerSize(r)
	mean := uncountedAnswer
	if size != nil {
		mean = int(size.mean.Load())
	}
	behind := r.out.unread()
	if behind == 0 && mean > 0 && mean <= uncountedAnswer {
		return true
	}
	u := s.unread
	if mean == 0 { // the size of the handler's responses is not known yet
		last := uint8(len(u.parts) - 1)
		conn := r.out.connection()
		begins := u.reserve(&r.ctx, &r.answer, u.parts[last].limit/firstAnswers, last, conn, firstAnswerTime)
		for mean = int(size.mean.Load()); mean == 0 && r.ctx.Err() == nil; mean = int(size.mean.Load()) {
			if begins || conn == nil || u.begin(&r.answer, conn) {
				r.answer.unsized = !begins
				return true
			}
			select {
			case <-time.After(firstAnswerTime):
			case <-r.ctx.Done():
			}
		}
		if r.ctx.Err() != nil {
			return false
		}
		u.correct(&r.answer, 0) // the size of the handler's responses has become known in the meantime
	}
	if !u.reserve(&r.ctx, &r.answer, mean, unreadPartOf(behind+mean), r.out.connection(), 0) {
		return false
	}
	x, ok := r.out.(*exchange)
	return !ok || !x.hasLeft()
}

// reserveResult waits until there is room for the response to r, if r has started without a
// reservation and the size of the handler's responses is known now. Results therefore wait before
// they are encoded. reserveResult returns false if r ends first.
func (s *Server) reserveResult(r *Request) bool {
	size := s.answerSize(r)
	if size == nil {
		return true
	}
	mean := int(size.mean.Load())
	if mean <= uncountedAnswer {
		return true
	}
	s.unread.correct(&r.answer, 0)
	return s.unread.reserve(&r.ctx, &r.answer, mean, unreadPartOf(r.out.unread()+mean), r.out.connection(), 0)
}

// hasLeft reports whether the client of a session has closed the connection of
// the request, and has not resumed its stream.
func (x *exchange) hasLeft() bool {
	if x.session == nil || !x.gone() {
		return false
	}
	x.session.eventsMu.Lock()
	defer x.session.eventsMu.Unlock()
	return x.stream == nil || x.stream.conn == nil
}

// answerSize returns the counter for responses to requests like r. It returns nil for methods of
// the library with small responses.
func (s *Server) answerSize(r *Request) *answerSize {
	if r.tool != nil {
		return &r.tool.answers
	}
	switch target := r.target.(type) {
	case *prompt:
		return &target.answers
	case *reading:
		return &target.answers
	}
	return s.answers[r.method]
}
