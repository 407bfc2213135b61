package redisstore_test

import (
	"bytes"
	"testing"

	"github.com/docent-mcp/docent/mcp/redisstore"
)

func TestSealKey(t *testing.T) {
	address := redisURL(t)
	keys := map[string][]byte{}
	for _, prefix := range []string{"seal1", "seal2"} {
		for range 2 {
			key, err := openAt(t, address, &redisstore.Options{Prefix: prefix}).SealKey(t.Context())
			if err != nil || len(key) != 32 {
				t.Fatalf("the key is %x, %v", key, err)
			}
			if other := keys[prefix]; other != nil && !bytes.Equal(key, other) {
				t.Error("two processes get different keys")
			}
			keys[prefix] = key
		}
	}
	if bytes.Equal(keys["seal1"], keys["seal2"]) {
		t.Error("servers with different prefixes get the same key")
	}
}
