package mcp

import (
	"fmt"
	"testing"
	"time"
)

func TestAsManyPrincipalsAsThereIsRoomForAreDistinguished(t *testing.T) {
	var b buckets
	now := time.Unix(1e9, 0)
	asks := func(principal string) bool { return b.forPrincipal(principal, now).take(1, now) }
	if !asks("") {
		t.Error("the first request is refused")
	}
	for i := range maxBuckets - 1 {
		if !asks(fmt.Sprint("p", i)) {
			t.Fatalf("principal %d is limited by others", i)
		}
	}
	if asks("one more") {
		t.Error("one for whom there is no room has a limit of its own")
	}
	if asks("p7") {
		t.Error("a principal has lost count")
	}
	now = now.Add(2 * time.Second)
	if !asks("one more") || !asks("another") || asks("another") {
		t.Error("principals that are quiet take up room")
	}
	if len(b.byName) > maxBuckets {
		t.Errorf("there are %d buckets", len(b.byName))
	}
}
