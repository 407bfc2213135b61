package redisstore

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed seal_key.lua
	sealKeyText string
	sealKey     = redis.NewScript(sealKeyText)
)

// SealKey returns a key for mcp.ServerOptions.SealKey. It consists of 32 random bytes, which are
// the same in all processes. The first call creates them and stores them in Redis, so everyone who
// can read Redis has the key. In contrast to all other keys in Redis, it does not expire.
func (s *Store) SealKey(ctx context.Context) ([]byte, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	key := make([]byte, 32)
	rand.Read(key)
	text, err := sealKey.Run(ctx, s.client, []string{s.prefix + "sealkey"}, key).Text()
	switch {
	case err != nil:
		return nil, failed("reading the seal key", err)
	case len(text) != len(key):
		return nil, failed("reading the seal key", errors.New("the key in Redis was not written by this version of the package"))
	}
	return []byte(text), nil
}
