package mcp

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// UnreadBytes returns the number of bytes that are claimed from the budget for unread responses.
func (s *Server) UnreadBytes() (n int) {
	s.unread.mu.Lock()
	defer s.unread.mu.Unlock()
	for _, p := range s.unread.parts {
		n += p.used
	}
	return n
}

// cutOffs is a laggard that counts the calls of cutOff.
type cutOffs struct{ n atomic.Int64 }

func (c *cutOffs) cutOff() { c.n.Add(1) }

// inBudget runs f in fake time with a budget of 8 MiB. It consists of 2 MiB for small responses, 2
// MiB for responses of up to 1 MiB, and 4 MiB for larger ones.
func inBudget(t *testing.T, f func(t *testing.T, u *unreadBudget)) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnreadBudget(8 << 20)
		f(t, u)
		for i, p := range u.parts {
			if p.used != 0 || p.written != 0 || len(p.waiters) > 0 {
				t.Errorf("part %d is left with %+v", i, p)
			}
		}
		if len(u.peers)+len(u.firsts) > 0 {
			t.Errorf("%d connections are left", len(u.peers)+len(u.firsts))
		}
	})
}

// reserveLater calls reserve on another goroutine and returns a channel for the result.
func reserveLater(ctx context.Context, u *unreadBudget, c *claim, n int) <-chan bool {
	done := make(chan bool, 1)
	go func() { done <- u.reserve(ctx, c, n, unreadPartOf(n), nil, 0) }()
	synctest.Wait()
	return done
}

const mib = 1 << 20

func TestUnreadBudget_Waits(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		var a, b, c, small claim
		ctx := t.Context()
		if !u.reserve(ctx, &a, 3*mib, 2, nil, 0) || !u.reserve(ctx, &small, 60_000, 0, nil, 0) {
			t.Fatal("there is no room")
		}
		first := reserveLater(ctx, u, &b, 2*mib)
		second := reserveLater(ctx, u, &c, mib+1) // this one would fit, but it is behind another waiter
		if len(first)+len(second) > 0 || !u.isFull(2*mib) || u.isFull(1000) {
			t.Error("a claim beyond the part has not waited, or in the wrong part")
		}
		u.correct(&a, 2*mib) // the response was smaller than expected
		synctest.Wait()
		if len(first) != 1 || len(second) != 0 {
			t.Error("the first one has no room, or the second one has")
		}
		u.correct(&a, 0)
		if !<-second {
			t.Error("the second one was refused")
		}
		for _, c := range []*claim{&b, &c, &small} {
			u.correct(c, 0)
		}
	})
}

// TestUnreadBudget_ClaimsThatGrowCount lets connections collect responses in one part until they
// are counted in a larger part. The first part is then empty.
func TestUnreadBudget_ClaimsThatGrowCount(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		var slow cutOffs
		peers := make([]peerClaim, 4)
		for i := range peers {
			peers[i].owner = &slow
			u.correctPeer(&peers[i], 3*mib/2) // together 6 MiB, which is the limit for these responses and those of up to 1 MiB
		}
		var medium, small claim
		waiting := reserveLater(t.Context(), u, &medium, 100_000)
		if len(waiting) != 0 || !u.isFull(100_000) || u.isFull(1000) {
			t.Error("an answer has room beyond the budget, or the wrong parts are full")
		}
		if !u.reserve(t.Context(), &small, 1000, 0, nil, 0) {
			t.Error("a small answer has no room")
		}
		time.Sleep(2 * stallTime) // fake time
		synctest.Wait()
		if n := slow.n.Load(); n != 1 {
			t.Errorf("%d slow connections are closed", n)
		}
		u.correctPeer(&peers[0], 0)
		if !<-waiting {
			t.Error("the answer was refused")
		}
		for i := range peers {
			u.correctPeer(&peers[i], 0)
		}
		u.correct(&medium, 0)
		u.correct(&small, 0)
	})
}

func TestUnreadBudget_OneLargerThanItsPartPassesAlone(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		var a, b claim
		if !u.reserve(t.Context(), &a, 50*mib, 2, nil, 0) {
			t.Fatal("it does not pass")
		}
		other := reserveLater(t.Context(), u, &b, 50*mib)
		if len(other) > 0 {
			t.Error("two pass")
		}
		u.correct(&a, 0)
		<-other
		u.correct(&b, 0)
	})
}

func TestUnreadBudget_WaitingEnds(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		var a, b, c, d claim
		u.reserve(t.Context(), &a, 4*mib, 2, nil, 0)
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := reserveLater(ctx, u, &b, 3*mib)
		next := reserveLater(t.Context(), u, &c, 2*mib)
		began := time.Now()
		if u.reserve(t.Context(), &d, mib, 2, nil, time.Second) || time.Since(began) != time.Second {
			t.Error("it has not waited for a second")
		}
		u.correct(&a, 2*mib) // frees room for the second one
		cancel()
		if <-cancelled || !<-next {
			t.Error("the one whose context has ended holds up the next")
		}
		u.correct(&a, 0)
		u.correct(&c, 0)
	})
}

func TestUnreadBudget_ConnectionsTakeTurns(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		var full claim
		u.reserve(t.Context(), &full, 4*mib, 2, nil, 0)
		claims := make([]claim, 8)
		served := make(chan int, len(claims))
		for i, conn := range []any{"a", "a", "a", "b", "b", nil, nil, "a"} {
			go func() {
				u.reserve(t.Context(), &claims[i], 4*mib, 2, conn, 0)
				served <- i
			}()
			synctest.Wait()
		}
		u.correct(&full, 0)
		var order []int
		for range claims {
			i := <-served
			order = append(order, i)
			u.correct(&claims[i], 0)
		}
		if want := []int{0, 3, 5, 6, 1, 4, 2, 7}; !slices.Equal(order, want) {
			t.Errorf("they were served in the order %v", order)
		}
	})
}

func TestUnreadBudget_EndsTheSlowest(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		var ends [4]cutOffs
		peers := make([]peerClaim, len(ends))
		sizes := []int{2 * mib, 2 * mib, 2 * mib, 100_000}
		for i := range peers {
			peers[i].owner = &ends[i]
			u.correctPeer(&peers[i], sizes[i])
		}
		ended := func() (n [4]int64) {
			synctest.Wait()
			for i := range ends {
				n[i] = ends[i].n.Load()
			}
			return n
		}
		read := func(seconds int) { // each second, the first client reads 1 KB, the second nothing, and the third 1 MB
			for range seconds {
				time.Sleep(time.Second) // fake time
				peers[0].took.Add(1000)
				peers[2].took.Add(mib)
			}
		}
		read(1)
		var c claim
		waits := reserveLater(t.Context(), u, &c, 2*mib)
		read(3)
		if got := ended(); got != [4]int64{} {
			t.Errorf("after 4 seconds %v", got)
		}
		read(3) // 4 MiB are missing
		if got := ended(); got != [4]int64{1, 1, 0, 0} {
			t.Errorf("after 7 seconds %v", got)
		}
		u.correctPeer(&peers[0], 0)
		u.correctPeer(&peers[1], 0)
		if !<-waits {
			t.Error("the call has no room")
		}
		read(60)
		if got := ended(); got != [4]int64{1, 1, 0, 0} {
			t.Errorf("when nothing waits %v", got)
		}
		u.correct(&c, 0)
		for i := range peers {
			u.correctPeer(&peers[i], 0)
		}
	})
}

func TestUnreadBudget_DropsFirstWhatIsKept(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		var slow, dropped cutOffs
		conn, kept := peerClaim{owner: &slow}, peerClaim{owner: &dropped, isStored: true}
		u.correctPeer(&conn, 2*mib)
		u.correctPeer(&kept, 2*mib)
		time.Sleep(time.Minute) // fake time
		if dropped.n.Load() != 0 {
			t.Error("events were dropped though nothing waits")
		}
		var c claim
		waits := reserveLater(t.Context(), u, &c, 2*mib)
		if s, d := slow.n.Load(), dropped.n.Load(); s != 0 || d != 1 {
			t.Errorf("%d connections were closed, %d events dropped", s, d)
		}
		u.correctPeer(&kept, 0)
		<-waits
		u.correct(&c, 0)
		u.correctPeer(&conn, 0)
	})
}

func TestUnreadBudget_HandlersThatTakeLongLetOthersBegin(t *testing.T) {
	inBudget(t, func(t *testing.T, u *unreadBudget) {
		claims := make([]claim, 6)
		var waits []<-chan bool
		began := time.Now()
		for i := range claims {
			waits = append(waits, reserveLater(t.Context(), u, &claims[i], 2*mib))
		}
		var took []time.Duration
		for _, w := range waits {
			<-w
			took = append(took, time.Since(began).Round(time.Second))
		}
		if want := []time.Duration{0, 0, 5 * time.Second, 6 * time.Second, 7 * time.Second, 8 * time.Second}; !slices.Equal(took, want) {
			t.Errorf("they began after %v", took)
		}
		for i := range claims {
			u.correct(&claims[i], 0)
		}
		// No request starts while clients use the room.
		var slow cutOffs
		conn := peerClaim{owner: &slow}
		u.correctPeer(&conn, 4*mib)
		c := reserveLater(t.Context(), u, &claims[0], 2*mib)
		for range 20 {
			time.Sleep(time.Second) // fake time
			conn.took.Add(mib)
		}
		if len(c) > 0 || slow.n.Load() > 0 {
			t.Error("a call began without room, or a quick client was closed")
		}
		u.correctPeer(&conn, 0)
		<-c
		u.correct(&claims[0], 0)
	})
}

func TestAnswerSize(t *testing.T) {
	var s answerSize
	s.add(1 << 20)
	if got := s.mean.Load(); got != 1<<20 {
		t.Errorf("after the first answer %d", got)
	}
	s.add(2 << 20)
	if got := s.mean.Load(); got != 3<<19 {
		t.Errorf("after a larger one %d", got)
	}
	for range 200 {
		s.add(10)
	}
	if got := s.mean.Load(); got != uncountedAnswer {
		t.Errorf("after small ones %d", got)
	}
}
