package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/pflag"

	"github.com/docent-mcp/docent/internal/teamserver"
	"github.com/docent-mcp/docent/mcp/redisstore"
)

// redisVariable is the variable with the URL of Redis.
const redisVariable = "DOCENT_REDIS_URL"

// redisFlags contains the flags for sessions that replicas share.
type redisFlags struct{ url string }

func (r *redisFlags) add(f *pflag.FlagSet) {
	f.StringVar(&r.url, "redis", "", "the Redis in which replicas share sessions: redis://HOST:PORT/DATABASE, rediss:// for TLS, or "+redisVariable+"; without it, each replica has its own")
}

// checkCommandLine refuses a password on the command line, where all users of the machine can read
// it. It must be called before settings are loaded from variables and files.
func (r *redisFlags) checkCommandLine(f *pflag.FlagSet) error {
	if !f.Changed("redis") {
		return nil
	}
	if u, err := url.Parse(r.url); err != nil || hasPassword(u) {
		return errors.New("a password on the command line can be read in the list of processes; give the URL of Redis in " + redisVariable + " or in the configuration file")
	}
	return nil
}

// hasPassword reports whether a Redis URL contains a password.
func hasPassword(u *url.URL) bool {
	_, ok := u.User.Password()
	return ok || u.Query().Has("password")
}

// check returns the URL of Redis, or "" if none is configured.
func (r *redisFlags) check(stateless bool) (string, error) {
	address := cmp.Or(r.url, os.Getenv(redisVariable))
	switch {
	case address == "":
		return "", nil
	case stateless:
		return "", errors.New("--stateless keeps no sessions, so there are none to share in Redis; leave out one of --stateless and --redis")
	}
	return address, redisstore.Check(address)
}

// startTimeout is how long a starting replica waits for Redis.
const startTimeout = 30 * time.Second

// open connects to Redis, if it is configured, and makes the server share sessions.
func (r *redisFlags) open(ctx context.Context, o *teamserver.Options, log *slog.Logger) (closeStore func(), err error) {
	address, err := r.check(o.HTTP.Stateless)
	if err != nil || address == "" {
		return func() {}, err
	}
	redis.SetLogger(redisLog{log})
	var store *redisstore.Store
	for end := time.Now().Add(startTimeout); ; {
		if store, err = redisstore.Open(ctx, address, &redisstore.Options{Prefix: "docent"}); err == nil {
			break
		}
		if _, unreachable := errors.AsType[*net.OpError](err); !unreachable || ctx.Err() != nil || time.Now().After(end) {
			return nil, ran(fmt.Errorf("replicas cannot share sessions: %w", err))
		}
		log.Warn("Redis cannot be reached; the server waits for it", "error", err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	key, err := store.SealKey(ctx)
	if err != nil {
		_ = store.Close()
		return nil, ran(fmt.Errorf("replicas cannot share sessions: %w", err))
	}
	o.HTTP.Sessions = store
	o.Documentation.SealKey, o.Documentation.Tasks = key, store
	return func() { _ = store.Close() }, nil
}

// redisLog logs messages of the Redis client about its connections.
type redisLog struct{ log *slog.Logger }

func (l redisLog) Printf(_ context.Context, format string, v ...any) {
	l.log.Debug("redis: " + fmt.Sprintf(format, v...))
}
