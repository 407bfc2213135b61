package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	t.Setenv("DOCENT_CACHE", filepath.Join(t.TempDir(), "cache"))
	command := func(code int, want string, args ...string) string {
		t.Helper()
		got := docent(append([]string{"cache"}, args...)...)
		if text := got.out + got.err; got.code != code || !strings.Contains(text, want) {
			t.Errorf("docent cache %v: code %d, want %d and %q in:\n%s", args, got.code, code, want, text)
		}
		return got.out
	}
	command(exitOK, "0 bytes of at most", "size")
	command(exitOK, "[]", "list", "--json")
	command(exitOK, "Removed 0 files", "clear")

	if got := docent("describe", "go", "strings", "Cut"); got.code != exitOK {
		t.Fatal(got.err)
	}
	var size cacheData
	if err := json.Unmarshal([]byte(command(exitOK, "", "size", "--json")), &size); err != nil || size.Files == 0 || size.Bytes == 0 || len(size.Owners) == 0 {
		t.Fatalf("%+v, %v", size, err)
	}
	command(exitOK, "packages", "size")
	command(exitOK, "packages/", "list", "packages")
	command(exitFailure, `no files of "nobody"`, "list", "nobody")
	command(exitUsage, "is not an age", "clear", "--older-than", "soon")
	command(exitOK, "Removed 0 files", "clear", "--older-than", "30d")
	command(exitOK, "Would remove ", "clear", "--dry-run")

	// Only the file that has not been used for a long time is removed.
	var files []fileData
	if err := json.Unmarshal([]byte(command(exitOK, "", "list", "packages", "--json")), &files); err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	old := time.Now().Add(-40 * 24 * time.Hour)
	matches, err := filepath.Glob(filepath.Join(size.Directory, "*", filepath.FromSlash(files[0].Name)))
	if err != nil || len(matches) != 1 {
		t.Fatal(matches, err)
	}
	if err := os.Chtimes(matches[0], old, old); err != nil {
		t.Fatal(err)
	}
	command(exitOK, files[0].Name, "clear", "--older-than", "30d", "--json")
	command(exitFailure, "no files of", "clear", "packages")
	if got := docent("describe", "go", "strings", "Cut"); got.code != exitOK {
		t.Fatal(got.err)
	}
	command(exitOK, "Removed 1 file,", "clear", "packages")
}

func TestDescribe_VersionAndSymbolFlags(t *testing.T) {
	t.Chdir(shop(t))
	byFlags := docent("describe", "npm", "till", "--symbol", "Till.count", "--symbol", "open")
	byArguments := docent("describe", "npm", "till", "Till.count", "open")
	if byFlags.out != byArguments.out || byFlags.code != exitOK {
		t.Errorf("code %d:\n%s\n%s", byFlags.code, byFlags.out, byArguments.out)
	}
	if got := docent("describe", "npm", "till", "--version", "9.9.9"); got.code == exitOK || !strings.Contains(got.err, "close by: till@1.0.0") {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
	if got := docent("search", "npm", "till", "count", "--version", "1.0.0"); got.code != exitOK {
		t.Errorf("code %d: %s", got.code, got.err)
	}
}
