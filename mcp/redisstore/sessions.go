package redisstore

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/docent-mcp/docent/mcp"
)

var _ mcp.SessionStore = (*Store)(nil)

// A session has four keys, which expire together. One is a hash with the session's version and
// data, the position of its last event, and the sizes of its events. Two are Redis streams, one for
// the events of requests and one for other events; the ID of an entry is the event's position. The
// fourth is a hash with the number of the last event of each stream, or of each source for stream
// 0. The key "sessions" contains the IDs of all sessions, ordered by expiry, to count them.
func (s *Store) sessionKeys(id string) []string {
	key := s.prefix + "session:" + id
	return []string{key, key + ":events", key + ":messages", key + ":streams", s.prefix + "sessions"}
}

// channel returns the name of the channel that announces the events of a session.
func (s *Store) channel(id string) string { return s.prefix + "events:" + id }

var (
	//go:embed session_create.lua
	createSessionText string
	createSession     = redis.NewScript(createSessionText)

	//go:embed session_load.lua
	loadSessionText string
	loadSession     = redis.NewScript(loadSessionText)

	//go:embed session_update.lua
	updateSessionText string
	updateSession     = redis.NewScript(updateSessionText)

	//go:embed session_append.lua
	appendEventsText string
	appendEvents     = redis.NewScript(appendEventsText)
)

// Create implements mcp.SessionStore.
func (s *Store) Create(ctx context.Context, rec *mcp.SessionRecord, ttl time.Duration) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	stored, err := createSession.Run(ctx, s.client, s.sessionKeys(rec.ID), rec.ID, []byte(rec.Data), milliseconds(ttl), s.opts.MaxSessions).Int()
	switch {
	case err != nil:
		return failed("storing a session", err)
	case stored == 0:
		return mcp.ErrTooManySessions
	}
	rec.Version = 1
	return nil
}

// milliseconds returns d in milliseconds, at least 1 unless d is 0.
func milliseconds(d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return max(d.Milliseconds(), 1)
}

// Load implements mcp.SessionStore.
func (s *Store) Load(ctx context.Context, id string, ttl time.Duration) (*mcp.SessionRecord, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	found, err := loadSession.Run(ctx, s.client, s.sessionKeys(id), id, milliseconds(ttl)).StringSlice()
	switch {
	case err != nil:
		return nil, failed("loading a session", err)
	case len(found) != 2:
		return nil, mcp.ErrSessionNotFound
	}
	version, err := strconv.ParseInt(found[0], 10, 64)
	if err != nil {
		return nil, failed("loading a session", errors.New("its version in Redis is not a number"))
	}
	return &mcp.SessionRecord{ID: id, Version: version, Data: []byte(found[1])}, nil
}

// Update implements mcp.SessionStore.
func (s *Store) Update(ctx context.Context, rec *mcp.SessionRecord) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	version, err := updateSession.Run(ctx, s.client, s.sessionKeys(rec.ID)[:1], rec.Version, []byte(rec.Data)).Int64()
	switch {
	case err != nil:
		return failed("storing a session", err)
	case version < 0:
		return mcp.ErrSessionNotFound
	case version == 0:
		return mcp.ErrSessionChanged
	}
	rec.Version = version
	return nil
}

// Delete implements mcp.SessionStore.
func (s *Store) Delete(ctx context.Context, id string) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	keys := s.sessionKeys(id)
	_, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Del(ctx, keys[:4]...)
		p.ZRem(ctx, keys[4], id)
		return nil
	})
	if err != nil {
		return failed("deleting a session", err)
	}
	return nil
}

// maxAppended is the maximum number of events that one script appends, because a script that runs
// for a long time blocks all others.
const maxAppended = 500

// Append implements mcp.SessionStore.
func (s *Store) Append(ctx context.Context, id string, events []mcp.SessionEvent, maxBytes int) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	for len(events) > 0 {
		part := events[:min(len(events), maxAppended)]
		events = events[len(part):]
		args := []any{s.channel(id), maxBytes}
		for _, e := range part {
			last := 0
			if e.Last {
				last = 1
			}
			args = append(args, e.Stream, e.Source, e.Number, last, []byte(e.Data))
		}
		found, err := appendEvents.Run(ctx, s.client, s.sessionKeys(id)[:4], args...).Int()
		switch {
		case err != nil:
			return failed("storing events", err)
		case found == 0:
			return mcp.ErrSessionNotFound
		}
	}
	return nil
}

// Events implements mcp.SessionStore.
func (s *Store) Events(ctx context.Context, id string, after int64) ([]mcp.SessionEvent, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	var found [2]*redis.XMessageSliceCmd
	_, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		for i, key := range s.sessionKeys(id)[1:3] {
			found[i] = p.XRange(ctx, key, fmt.Sprintf("%d-1", after), "+")
		}
		return nil
	})
	if err != nil {
		return nil, failed("reading events", err)
	}
	var events []mcp.SessionEvent
	for _, part := range found {
		for _, entry := range part.Val() {
			e, err := parseEntry(entry)
			if err != nil {
				return nil, failed("reading events", err)
			}
			events = append(events, e)
		}
	}
	slices.SortFunc(events, func(a, b mcp.SessionEvent) int { return cmp.Compare(a.Position, b.Position) })
	return events, nil
}

func parseEntry(entry redis.XMessage) (mcp.SessionEvent, error) {
	field := func(name string) string {
		text, _ := entry.Values[name].(string)
		return text
	}
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	position, _, _ := strings.Cut(entry.ID, "-")
	e := mcp.SessionEvent{Position: number(position), Stream: number(field("s")), Number: number(field("n")), Last: field("l") == "1"}
	if data := field("d"); data != "" {
		e.Data = []byte(data)
	}
	if e.Position < 1 || e.Stream < 0 || e.Number < 0 {
		return e, errors.New("an event in Redis was not written by this version of the package")
	}
	return e, nil
}

// Watch implements mcp.SessionStore.
func (s *Store) Watch(id string, f func()) (stop func()) {
	return s.bus.subscribe(s.channel(id), &subscriber{message: func(string) { f() }, begin: f})
}
