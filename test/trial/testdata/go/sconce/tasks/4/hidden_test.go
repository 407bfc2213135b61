package solve

import (
	"testing"
	"time"
)

func TestBeam(t *testing.T) {
	// "a b" is sent as "d" "e": 1 2 1, 1 2 2, and the check digit 9%3+1.
	light, total, err := Beam("a b")
	if err != nil || light != time.Second || total != 1000*time.Millisecond+3*50*time.Millisecond+7*300*time.Millisecond {
		t.Fatal(light, total, err)
	}
	if _, _, err := Beam("4"); err == nil {
		t.Fatal("4 is a letter")
	}
	if s, err := Read([]int{1, 2, 1, 1, 2, 2, 1}); s != "ab" || err != nil {
		t.Fatal(s, err)
	}
	if _, err := Read([]int{1, 2, 1, 1, 2, 2, 2}); err == nil {
		t.Fatal("wrong check digit")
	}
}
