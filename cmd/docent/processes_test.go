package main

import (
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// server is a registry and a module proxy with one package each. It counts the requests.
type server struct {
	*httptest.Server

	mu     sync.Mutex
	files  map[string][]byte // files by path
	counts map[string]int
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{counts: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.counts[r.URL.Path]++
		data, ok := s.files[r.URL.Path]
		s.mu.Unlock()
		if ok {
			w.Write(data)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	tgz := filetest.TarGz(t, "", map[string]string{
		"package/package.json": `{"name":"till","version":"1.0.0","types":"index.d.ts"}`,
		"package/index.d.ts":   "/** Counts coins. */\nexport declare function coins(): number;\n",
	})
	sum := sha512.Sum512(tgz)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = map[string][]byte{
		"/till": fmt.Appendf(nil, `{"dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"dist":{"tarball":"%s/till.tgz","integrity":"sha512-%s"}}}}`,
			s.URL, base64.StdEncoding.EncodeToString(sum[:])),
		"/till.tgz":                       tgz,
		"/example.com/lib/@v/v1.0.0.info": []byte(`{"Version":"v1.0.0"}`),
		"/example.com/lib/@v/v1.0.0.mod":  []byte("module example.com/lib\n"),
		"/example.com/lib/@v/v1.0.0.zip": filetest.Zip(t, "", map[string]string{
			"example.com/lib@v1.0.0/go.mod": "module example.com/lib\n",
			"example.com/lib@v1.0.0/lib.go": "// Package lib counts.\npackage lib\n\n// Coins counts coins.\nfunc Coins() int { return 0 }\n",
		}),
	}
	return s
}

func (s *server) times(path string) int { return s.requests()[path] }

// requests returns the number of requests for each path.
func (s *server) requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.counts)
}

// downloads contains what the server provides: the docent command for it, a text in the answer, and
// the path that may be requested only once.
var downloads = []struct {
	args []string
	says string
	path string
}{
	{[]string{"describe", "npm", "till"}, "Counts coins.", "/till.tgz"},
	{[]string{"describe", "go", "example.com/lib@v1.0.0"}, "Coins counts coins.", "/example.com/lib/@v/v1.0.0.zip"},
}

// command returns a docent command in a separate process without the go command and npm.
func (s *server) command(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Dir = home
	cmd.Env = []string{
		"DOCENT_TEST_RUN=1", "DOCENT_CACHE=" + filepath.Join(home, "cache"), "HOME=" + home, "GOMODCACHE=" + filepath.Join(home, "mod"),
		"NPM_CONFIG_REGISTRY=" + s.URL, "GOPROXY=" + s.URL, "PATH=" + home, "SystemRoot=" + os.Getenv("SystemRoot"),
	}
	return cmd
}

func TestTwentyProcessesDownloadAPackageOnce(t *testing.T) {
	for _, d := range downloads {
		s, home := newServer(t), t.TempDir()
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if out, err := s.command(t, home, d.args...).CombinedOutput(); err != nil || !strings.Contains(string(out), d.says) {
					t.Errorf("%q: %v\n%s", d.args, err, out)
				}
			})
		}
		all.Wait()
		if s.times(d.path) != 1 || s.times("/till") > 1 {
			t.Errorf("%q: asked for %v", d.args, s.requests())
		}
	}
}

// damaged inverts a bit in every file of the cache and removes the information about which packages
// were read.
func damaged(t *testing.T, home string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(filepath.Join(home, "cache", "files-v1"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "pruned" || filepath.Base(filepath.Dir(path)) == "locks" {
			return err
		}
		if filepath.Base(filepath.Dir(path)) == "packages" {
			return os.Remove(path)
		}
		files++
		data, err := os.ReadFile(path)
		data[len(data)/3] ^= 1
		return errors.Join(err, os.WriteFile(path, data, 0o600))
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files were damaged, %v", files, err)
	}
}

func TestADamagedCacheHeals(t *testing.T) {
	for _, d := range downloads {
		s, home := newServer(t), t.TempDir()
		ask := func() (string, error) {
			out, err := s.command(t, home, d.args...).CombinedOutput()
			return string(out), err
		}
		before, err := ask()
		if err != nil {
			t.Fatalf("%q: %v\n%s", d.args, err, before)
		}
		damaged(t, home)
		if after, err := ask(); err != nil || after != before {
			t.Errorf("%q: %v\n%s", d.args, err, after)
		}
		if s.times(d.path) != 2 {
			t.Errorf("%q: asked for %v", d.args, s.requests())
		}
		counts := s.requests()
		damaged(t, home)
		out, err := s.command(t, home, append(d.args, "--offline")...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "was damaged and has been removed") || !strings.Contains(string(out), "network access is disabled") {
			t.Errorf("%q, offline: %v\n%s", d.args, err, out)
		}
		if !maps.Equal(counts, s.requests()) {
			t.Errorf("%q, offline: asked for %v", d.args, s.requests())
		}
		if after, err := ask(); err != nil || after != before {
			t.Errorf("%q, online again: %v\n%s", d.args, err, after)
		}
	}
}
