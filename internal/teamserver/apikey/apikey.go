// Package apikey manages the keys with which clients sign in to a server. A file contains only the
// hashes of the keys. A key consists of 32 random bytes, so a plain hash is sufficient protection.
package apikey

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Prefix is the beginning of every key. It distinguishes keys from other tokens, and programs that
// search for leaked secrets can find keys by it.
const Prefix = "docent_"

const (
	keyBytes = 32
	// maxName is the maximum length of the name of a key or group in bytes.
	maxName = 100
	// maxGroups is the maximum number of groups of a key.
	maxGroups = 32
	// maxKeys is the maximum number of keys in a file.
	maxKeys = 10_000
)

// A Key describes a key. It does not contain the key itself.
type Key struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Groups   []string  `json:"groups,omitempty"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"` // zero if the key does not expire
	LastFour string    `json:"lastFour"`
	SHA256   string    `json:"sha256"`
}

// Expired reports whether the key has expired at a time.
func (k *Key) Expired(now time.Time) bool { return !k.Expires.IsZero() && !now.Before(k.Expires) }

// check returns an error for a description that is not valid.
func (k *Key) check() error {
	hash, err := hex.DecodeString(k.SHA256)
	switch {
	case err != nil || len(hash) != sha256.Size:
		return fmt.Errorf("key %.50q has no SHA-256 hash", k.ID)
	case k.ID == "":
		return errors.New("a key has no ID")
	case len(k.Groups) > maxGroups:
		return fmt.Errorf("key %.50q is in %d groups; the limit is %d", k.ID, len(k.Groups), maxGroups)
	}
	for _, name := range append([]string{k.Name}, k.Groups...) {
		if err := CheckName(name); err != nil {
			return fmt.Errorf("key %.50q: %w", k.ID, err)
		}
	}
	return nil
}

// CheckName returns an error for text that is not a valid name of a key or of a group.
func CheckName(name string) error {
	bad := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune(`,"\`, r) }
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("%.120q is not a valid name; use 1 to %d characters without spaces, commas or quotes", name, maxName)
	}
	return nil
}

// create returns a new key and its description.
func create(name string, groups []string, now, expires time.Time) (text string, k Key, err error) {
	secret := make([]byte, keyBytes)
	rand.Read(secret)
	text = Prefix + base64.RawURLEncoding.EncodeToString(secret)
	id := make([]byte, 4)
	rand.Read(id)
	k = Key{
		ID: hex.EncodeToString(id), Name: name, Groups: slices.Compact(slices.Sorted(slices.Values(groups))),
		Created: now.UTC().Truncate(time.Second), LastFour: text[len(text)-4:], SHA256: hash(text),
	}
	if !expires.IsZero() {
		k.Expires = expires.UTC().Truncate(time.Second)
	}
	return text, k, k.check()
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
