package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestToken_CreateListRevoke(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	t.Setenv(keysVariable, file)
	code, key, stderr := runDocent("token", "create", "alice", "--group", "payments,search", "--expires", "30d")
	key = strings.TrimSpace(key)
	if code != exitOK || !strings.HasPrefix(key, "docent_") || strings.Contains(key, "\n") || !strings.Contains(stderr, "will not show it again") {
		t.Fatalf("%d %q %q", code, key, stderr)
	}
	for _, args := range [][]string{{"token", "list"}, {"token", "list", "--json"}} {
		code, out, _ := runDocent(args...)
		if code != exitOK || !strings.Contains(out, "alice") || !strings.Contains(out, "payments") || !strings.Contains(out, key[len(key)-4:]) ||
			strings.Contains(out, key[7:20]) || strings.Contains(out, "sha256") {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
	if code, out, _ := runDocent("token", "revoke", "alice"); code != exitOK || !strings.Contains(out, "Revoked key") {
		t.Errorf("%d %s", code, out)
	}
	if code, _, stderr := runDocent("token", "revoke", "alice"); code != exitFailure || !strings.Contains(stderr, "has no key") {
		t.Errorf("%d %s", code, stderr)
	}
}

func TestToken_RefusesWrongArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	for _, args := range [][]string{
		{"token", "create", "alice"},
		{"token", "create", "a b", "--keys", file},
		{"token", "create", "alice", "--keys", file, "--group", "a b"},
		{"token", "create", "alice", "--keys", file, "--expires", "soon"},
		{"token", "create", "alice", "--keys", file, "--expires", "0"},
	} {
		if code, _, stderr := runDocent(args...); code != exitUsage {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
}

func TestServe_RefusesToServeOthersWithoutAuthentication(t *testing.T) {
	code, _, stderr := runDocent("serve", "--http", "0.0.0.0:0")
	if code != exitFailure || !strings.Contains(stderr, "needs authentication") || !strings.Contains(stderr, "--insecure") {
		t.Errorf("%d %s", code, stderr)
	}
	if code, _, stderr := runDocent("serve", "--keys", "x"); code != exitUsage || !strings.Contains(stderr, "apply only to HTTP") {
		t.Errorf("%d %s", code, stderr)
	}
}

// runDocent runs a command line and returns the exit code and both outputs.
func runDocent(args ...string) (code int, stdout, stderr string) {
	o := docent(args...)
	return o.code, o.out, o.err
}
