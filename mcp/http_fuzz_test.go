package mcp

import (
	"encoding/base64"
	"math/big"
	"testing"
)

func FuzzEventID(f *testing.F) {
	for _, id := range []string{"", "0-0", "12-34", "1-2-3", "-1-2", "1--2", "1-2-", "9223372036854775808-1", "+1-2", "1-2-3-4"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		stream, n, ok := parseEventID(id)
		if !ok {
			return
		}
		if n < 0 {
			t.Errorf("%q is event %d", id, n)
		}
		again, m, ok := parseEventID((&eventStream{id: stream}).eventID(n))
		if stream >= 0 && (!ok || again != stream || m != n) {
			t.Errorf("%q is %d-%d, which is %d-%d", id, stream, n, again, m)
		}
	})
}

func FuzzHeaderValue(f *testing.F) {
	for _, value := range []string{"", "us-west1", "=?base64?SGVsbG8=?=", "=?base64?SGVsbG8?=", "=?BASE64?SGVsbG8=?=", "=?base64?", "caf\xe9", "42.0", "-4.2e1", "0x10", "1e999999999", "1/2"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if got, ok := decodeHeader(value); ok {
			for i := range len(value) {
				if value[i] > '~' || value[i] < ' ' && value[i] != '\t' {
					t.Errorf("%q was taken as %q", value, got)
				}
			}
		}
		if got, ok := decodeHeader("=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="); !ok || got != value {
			t.Errorf("%q in base64 is %q", value, got)
		}
		if n := parseNumber(value); n != nil {
			if want, ok := new(big.Rat).SetString(value); !ok || want.Cmp(n) != 0 {
				t.Errorf("%q is the number %v", value, n)
			}
		}
	})
}
