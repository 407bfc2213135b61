// Package redisstore keeps the sessions, event streams and tasks of servers made with package mcp
// in Redis, so that several processes of a server can run behind a load balancer. Each of them can
// then serve any request:
//
//	store, err := redisstore.Open(ctx, os.Getenv("REDIS_URL"), nil)
//	…
//	key, err := store.SealKey(ctx)
//	…
//	server := mcp.NewServer(info, &mcp.ServerOptions{
//		SealKey: key,
//		Tasks:   mcp.TaskOptions{Store: store},
//	})
//	…
//	err = server.ListenAndServe(ctx, addr, &mcp.HTTPOptions{Sessions: store})
//
// Redis 5 or newer is required. It can be a cluster, and can be used with Sentinel or TLS. Changes
// to several keys are atomic, because scripts make them. In a cluster, all keys of a Store are in
// one slot. All keys except the one of SealKey expire. Set Redis's maxmemory-policy to noeviction,
// because any other policy may delete sessions and tasks that are in use.
//
// The data in Redis is as confidential as the results of tools, because it includes events and the
// results of tasks. Redis stores only hashes of session IDs.
package redisstore

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Options configure a Store. If a number or time is zero or negative, the default is used.
type Options struct {
	// Prefix is the beginning of the names of all keys and channels; default "mcp". Independent
	// servers that share a Redis need different prefixes. A prefix must not contain braces.
	Prefix string
	// Timeout is the maximum time of each call to the Store, including retries; default 5 seconds.
	Timeout time.Duration
	// MaxTasks is the maximum number of tasks that are kept; MaxTaskBytes is the maximum sum of
	// their sizes in bytes; default 10,000 and 256 MiB. At a limit, the tasks that ended first are
	// deleted. If that does not free enough space, Put returns ErrFull.
	MaxTasks     int
	MaxTaskBytes int
	// MaxSessions is the maximum number of open sessions in all processes; default 100,000.
	// Additional sessions are refused with status 503. HTTPOptions.MaxSessions limits the number of
	// sessions that one process serves, and HTTPOptions.MaxReplayBytes the size of the events of
	// each session.
	MaxSessions int
}

// ErrFull is returned by a Store that has reached a limit in its Options.
var ErrFull = errors.New("the store is full")

// A Store keeps the state of an MCP server in Redis. It implements mcp.SessionStore
// and mcp.TaskStore. Its methods are safe for concurrent use.
type Store struct {
	client redis.UniversalClient
	bus    *bus
	opts   Options
	prefix string // prefix of keys, including the hash tag
	owned  bool   // whether Close closes client
}

// Open connects to the Redis at a URL and checks the connection:
//
//	redis://USER:PASSWORD@HOST:PORT/DATABASE
//	rediss://…            the same with TLS and a verified certificate
//	unix://USER:PASSWORD@/PATH?db=DATABASE
//
// All parts except the host are optional. Options of go-redis can follow as a query, such as
// "?pool_size=50". Errors do not contain the URL, because it may contain a password. A nil opts
// means the zero value.
func Open(ctx context.Context, rawURL string, opts *Options) (*Store, error) {
	o, err := parseURL(rawURL)
	if err != nil {
		return nil, err
	}
	s, err := newStore(redis.NewClient(o), opts)
	if err != nil {
		return nil, err
	}
	s.owned = true
	ctx, cancel := s.bound(ctx)
	defer cancel()
	if err := s.client.Ping(ctx).Err(); err != nil {
		s.client.Close()
		return nil, failed("connecting", err)
	}
	return s, nil
}

// New returns a Store that uses your own client. This can be, for example, a client for a cluster
// or Sentinel, a client with TLS client certificates, or a client that gets its password from
// another source. Close does not close the client. New does not check the connection. A nil opts
// means the zero value.
func New(client redis.UniversalClient, opts *Options) (*Store, error) {
	return newStore(client, opts)
}

func newStore(client redis.UniversalClient, opts *Options) (*Store, error) {
	s := &Store{client: client, bus: newBus(client)}
	if opts != nil {
		s.opts = *opts
	}
	o := &s.opts
	o.Prefix = cmp.Or(o.Prefix, "mcp")
	if strings.ContainsAny(o.Prefix, "{}") {
		return nil, fmt.Errorf("redisstore: Options.Prefix %q contains a brace; choose one without braces", o.Prefix)
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	orDefault(&o.MaxTasks, 10_000)
	orDefault(&o.MaxTaskBytes, 256<<20)
	orDefault(&o.MaxSessions, 100_000)
	s.prefix = "{" + o.Prefix + "}:"
	return s, nil
}

func orDefault(n *int, value int) {
	if *n <= 0 {
		*n = value
	}
}

// Check returns an error if a URL is not valid for Open. It does not connect.
func Check(rawURL string) error {
	_, err := parseURL(rawURL)
	return err
}

// parseURL parses a Redis URL. Its errors do not contain any part of the URL, because a password
// with special characters can be mistaken for another part.
func parseURL(rawURL string) (*redis.Options, error) {
	const want = "want redis://USER:PASSWORD@HOST:PORT/DATABASE, rediss:// for TLS, or unix://; write special characters of the password as %XX"
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, errors.New("redisstore: the URL of Redis is malformed; " + want)
	}
	switch u.Scheme {
	case "redis", "rediss", "unix":
	case "":
		return nil, errors.New("redisstore: the URL of Redis has no scheme; " + want)
	default:
		return nil, errors.New("redisstore: the URL of Redis has an unknown scheme; " + want)
	}
	o, err := redis.ParseURL(rawURL)
	if err != nil {
		return nil, errors.New("redisstore: the database or an option in the URL of Redis is invalid; " + want)
	}
	if o.TLSConfig != nil && o.TLSConfig.MinVersion < tls.VersionTLS12 {
		o.TLSConfig.MinVersion = tls.VersionTLS12
	}
	o.ContextTimeoutEnabled = true
	return o, nil
}

// Close ends the subscriptions, and closes the connections to Redis if Open created them. Close the
// Store after the handlers that use it have shut down.
func (s *Store) Close() error {
	s.bus.close()
	if s.owned {
		return s.client.Close()
	}
	return nil
}

// bound returns ctx with the timeout of a call.
func (s *Store) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.opts.Timeout)
}

// failed returns the error of a failed call.
func failed(attempt string, err error) error {
	return fmt.Errorf("redisstore: %s: %w", attempt, err)
}
