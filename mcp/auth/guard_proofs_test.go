package auth

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestUsedProofs(t *testing.T) {
	var p usedProofs
	now := time.Now()
	expiry := now.Add(proofAge)
	for i := range maxProofsOfKey {
		if err := p.add("a", fmt.Sprint(i), now, expiry); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.add("a", "more", now, expiry); !errors.Is(err, errProofs) || errors.Is(err, ErrInvalidToken) {
		t.Errorf("a key beyond its share: %v", err)
	}
	if err := p.add("b", "0", now, expiry); err != nil {
		t.Errorf("another key: %v", err)
	}
	if err := p.add("a", "0", now, expiry); !errors.Is(err, errProof) {
		t.Errorf("a proof that was used: %v", err)
	}
	for n := 1; len(p.used) < maxProofs; n++ {
		if err := p.add(fmt.Sprint("key ", n%8), fmt.Sprint(n), now, expiry.Add(proofAge)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.add("c", "0", now, expiry); !errors.Is(err, errProofs) {
		t.Errorf("beyond the bound: %v", err)
	}
	if err := p.add("a", "0", expiry, expiry.Add(proofAge)); err != nil {
		t.Errorf("after the proofs have expired: %v", err)
	}
	if n := len(p.used); n != maxProofs-maxProofsOfKey {
		t.Errorf("%d proofs are remembered", n)
	}
	if len(p.ofKey) != 9 || p.ofKey["a"] != 1 {
		t.Errorf("proofs by key: %v", p.ofKey)
	}
}
