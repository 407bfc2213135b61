package apikey

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
)

func newKey(t *testing.T, file, name string, expires time.Time, groups ...string) (string, Key) {
	t.Helper()
	text, key, err := Create(file, name, groups, expires)
	if err != nil {
		t.Fatal(err)
	}
	return text, key
}

func TestFile_HasNoKeyAndIsPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	text, key := newKey(t, file, "alice", time.Time{}, "b", "a", "b")
	data := filetest.Read(t, file)
	if strings.Contains(string(data), strings.TrimPrefix(text, Prefix)[:8]) {
		t.Errorf("the file has the key: %s", data)
	}
	if len(text) < 40 || key.LastFour != text[len(text)-4:] || strings.Join(key.Groups, " ") != "a b" {
		t.Errorf("%q, %+v", text, key)
	}
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := os.Stat(file + ".lock"); err == nil {
		t.Error("the lock is left")
	}
}

func TestFile_RefusesWhatOthersCanWrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file modes, which this test sets; to run it, use another system")
	}
	file := filepath.Join(t.TempDir(), "keys.json")
	newKey(t, file, "alice", time.Time{})
	if err := os.Chmod(file, 0o620); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("got %v", err)
	}
}

func TestParse_RefusesWhatIsNoFileOfKeys(t *testing.T) {
	hash := strings.Repeat("ab", 32)
	for _, text := range []string{
		``, `[]`, `{"keys":[{}]}`, `{"keys":[]} x`, `{"keys":[],"more":1}`,
		`{"keys":[{"id":"1","name":"a","sha256":"abcd"}]}`,
		`{"keys":[{"id":"1","name":"a b","sha256":"` + hash + `"}]}`,
		`{"keys":[{"id":"1","name":"a","sha256":"` + hash + `"},{"id":"2","name":"b","sha256":"` + hash + `"}]}`,
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	if keys, err := Parse([]byte(`{"keys":[{"id":"1","name":"a","sha256":"` + hash + `"}]}`)); err != nil || len(keys) != 1 {
		t.Errorf("%v, %v", keys, err)
	}
}

func TestKeyring_FindsKeysUntilTheyExpireOrAreRevoked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	now := time.Now()
	lasting, want := newKey(t, file, "alice", time.Time{})
	short, _ := newKey(t, file, "bob", now.Add(time.Hour))
	ring, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	ring.now = func() time.Time { return now }
	key, valid, err := ring.Find(lasting)
	if err != nil || key.ID != want.ID {
		t.Fatalf("%+v, %v", key, err)
	}
	if _, _, err := ring.Find(short); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", Prefix, lasting + "a", strings.ToUpper(lasting), want.SHA256, Prefix + want.SHA256} {
		if _, _, err := ring.Find(text); !errors.Is(err, errUnknown) {
			t.Errorf("%q: %v", text, err)
		}
	}
	now = now.Add(2 * time.Hour)
	if _, _, err := ring.Find(short); !errors.Is(err, errUnknown) {
		t.Errorf("an expired key: %v", err)
	}
	if _, err := Revoke(file, "alice"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(recheck)
	if _, _, err := ring.Find(lasting); !errors.Is(err, errUnknown) {
		t.Errorf("a revoked key: %v", err)
	}
	if valid.Err() == nil {
		t.Error("what the revoked key has begun goes on")
	}
	if _, err := Revoke(file, "alice"); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("got %v", err)
	}
}

func TestKeyring_KeepsItsKeysWhileTheFileIsBroken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	text, _ := newKey(t, file, "alice", time.Time{})
	ring, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"keys":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if ring.Reload() == nil {
		t.Error("a broken file is read")
	}
	if _, _, err := ring.Find(text); err != nil {
		t.Error(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if ring.Reload() == nil {
		t.Error("a missing file is read")
	}
	if _, _, err := ring.Find(text); !errors.Is(err, errUnknown) {
		t.Errorf("keys of a file that was removed: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"keys":[{"id":"1","name":"a","groups":["b"],"created":"2026-01-01T00:00:00Z","lastFour":"wxyz","sha256":"` + strings.Repeat("ab", 32) + `"}]}`))
	f.Add([]byte(`{"keys":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, err := Parse(data)
		for _, k := range keys {
			if err == nil && k.check() != nil {
				t.Errorf("%+v", k)
			}
		}
	})
}
