package main

import (
	"context"
	"testing"
)

// TestConstructs compares docent's and the compiler's descriptions of a package that contains every
// construct once. They must be equal.
func TestConstructs(t *testing.T) {
	const dir = "../../../internal/ecosystem/swift/module/testdata/constructs"
	s, err := judge(context.Background(), dir+".jsonl", dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range s.part {
		if p.right != p.total {
			t.Errorf("%s: %d of %d", header[i], p.right, p.total)
		}
	}
	for _, d := range s.differences {
		t.Error(d)
	}
	if s.symbols < 500 {
		t.Errorf("only %d symbols were compared", s.symbols)
	}
}
