package main

import "testing"

func TestAttacks(t *testing.T) {
	for _, a := range allAttacks() {
		t.Run(a.name, func(t *testing.T) {
			line, err := a.try(t.TempDir(), 1)
			t.Log(line)
			if err != nil {
				t.Error(err)
			}
		})
	}
}
