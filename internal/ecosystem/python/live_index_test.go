package python

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pypiserver runs a real index that serves files to the user clerk, whose password is
// s3cret-word, and returns its host.
func (b *toolbox) pypiserver(t *testing.T, content map[string][]byte, args ...string) string {
	t.Helper()
	bin := b.tool("pypiserver", "passlib", "setuptools<81")
	dir := t.TempDir()
	for name, data := range content {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	passwords := filepath.Join(t.TempDir(), "htpasswd")
	sum := sha1.Sum([]byte("s3cret-word"))
	if err := os.WriteFile(passwords, []byte("clerk:{SHA}"+base64.StdEncoding.EncodeToString(sum[:])+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 5 { // Another process may use the port first, so try several ports.
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		host := listener.Addr().String()
		listener.Close()
		_, port, _ := net.SplitHostPort(host)
		ctx, cancel := context.WithCancel(context.Background())
		cmd := exec.CommandContext(ctx, filepath.Join(bin, "pypi-server"),
			append(append([]string{"run", "-i", "127.0.0.1", "-p", port, "-a", "list,download", "-P", passwords}, args...), dir)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			_ = cmd.Wait()
			close(ended)
		}()
		t.Cleanup(func() {
			cancel()
			<-ended
		})
		if answers(host, ended) {
			return host
		}
	}
	t.Fatal("pypiserver does not start")
	return ""
}

// answers waits until pypiserver responds. It returns false if pypiserver has exited.
func answers(host string, ended <-chan struct{}) bool {
	for {
		select {
		case <-ended:
			return false
		default:
		}
		resp, err := http.Get("http://" + host + "/")
		if err != nil {
			continue
		}
		data, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if bytes.Contains(data, []byte("pypiserver")) {
			return true
		}
	}
}

func TestAPrivateIndexOfPypiserver(t *testing.T) {
	b := newToolbox(t)
	host := b.pypiserver(t, map[string][]byte{
		"till-1.0-py3-none-any.whl": wheel(t, "till", "1.0", files{"till/__init__.py": module}), "till-1.1.tar.gz": sdist(t, "till", "1.1", files{"till/__init__.py": module}),
		"shop_core-2.0-py3-none-any.whl": wheel(t, "shop-core", "2.0", files{"shop_core/__init__.py": module}),
	}, "--disable-fallback")
	plain, login := "http://"+host+"/simple/", "http://clerk:s3cret-word@"+host+"/simple/"
	const expired = "e30.eyJleHAiOjE1MDAwMDAwMDB9.x"
	for _, tt := range []struct {
		name    string
		env     []string
		home    files
		request string
		want    string // version, or words in the error
	}{
		{"in the address", []string{"PIP_INDEX_URL=" + login}, nil, "till", "1.1"},
		{"a wheel", []string{"PIP_INDEX_URL=" + login}, nil, "till==1.0", "1.0"},
		{"a name with a dash", []string{"PIP_INDEX_URL=" + login}, nil, "shop_core", "2.0"},
		{"pip.conf", nil, files{".config/pip/pip.conf": "[global]\nindex-url = " + login + "\n"}, "till", "1.1"},
		{"netrc", []string{"PIP_INDEX_URL=" + plain}, files{".netrc": "machine 127.0.0.1\nlogin clerk\npassword s3cret-word\n"}, "till", "1.1"},
		{"uv", nil, files{".config/uv/uv.toml": "[[index]]\nname='shop'\nurl='" + login + "'\ndefault=true\n"}, "till", "1.1"},
		{"uv's variable", []string{"UV_DEFAULT_INDEX=" + login}, nil, "till", "1.1"},
		{"none", []string{"PIP_INDEX_URL=" + plain}, nil, "till", "no credential for it is configured"},
		{"a wrong one", []string{"PIP_INDEX_URL=http://clerk:wrong@" + host + "/simple/"}, nil, "till", "the credential for it, the address in the environment"},
		{"an expired token", []string{"PIP_INDEX_URL=http://__token__:" + expired + "@" + host + "/simple/"}, nil, "till", "expired on 2017-07-14"},
		{"an expired token in netrc", []string{"PIP_INDEX_URL=" + plain}, files{".netrc": "machine 127.0.0.1\nlogin __token__\npassword " + expired + "\n"}, "till", "expired on 2017-07-14"},
		{"another name", []string{"PIP_INDEX_URL=" + login}, nil, "absent", "has no absent"},
		{"another version", []string{"PIP_INDEX_URL=" + login}, nil, "till==3", "there is no version of till"},
	} {
		w := newWorld(t, tt.env...)
		w.write(w.home, tt.home)
		if got := w.refusedOr(w.query(tt.request)); !strings.Contains(got, tt.want) || strings.Contains(got, "s3cret") || strings.Contains(got, expired) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// before starts a proxy for another server. The proxy edits the responses that pass through.
func before(t *testing.T, host string, ask func(*http.Request), edit func(*http.Response, []byte) []byte) *httptest.Server {
	t.Helper()
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: host})
		r.Out.Header.Del("Accept-Encoding")
		if ask != nil {
			ask(r.Out)
		}
	}}
	proxy.ModifyResponse = func(r *http.Response) error {
		data, err := io.ReadAll(r.Body)
		if edit != nil {
			data = edit(r, data)
		}
		r.Body = io.NopCloser(bytes.NewReader(data))
		r.Header.Set("Content-Length", strconv.Itoa(len(data)))
		r.ContentLength = int64(len(data))
		return err
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s
}

func TestAPrivateIndexThatIsAttacked(t *testing.T) {
	b := newToolbox(t)
	giant := "giant-1.0-py3-none-any.whl"
	content := map[string][]byte{
		"till-1.0-py3-none-any.whl": wheel(t, "till", "1.0", files{"till/__init__.py": module}), "till-1.1-py3-none-any.whl": wheel(t, "till", "1.1", files{"till/__init__.py": module}),
		giant: storedZip(t, wheel(t, "giant", "1.0", files{"giant/__init__.py": module, "giant/lib.so": strings.Repeat("library", 200_000)})),
	}
	// The other index has the packages that the private one lacks, and a newer till.
	other := shop(t)
	other.add("till-99.0-py3-none-any.whl", wheel(t, "till", "99.0", files{"till/__init__.py": module}))
	other.add("common-1.0-py3-none-any.whl", wheel(t, "common", "1.0", files{"common.py": module}))
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) + "/simple"
	host := b.pypiserver(t, content, "--fallback-url", elsewhere)
	login := func(server string) string {
		return strings.Replace(strings.TrimSuffix(server, "/"), "http://", "http://clerk:s3cret-word@", 1) + "/simple/"
	}
	direct := login("http://" + host)

	t.Run("a redirect to another host carries no credential", func(t *testing.T) {
		other.logins = nil
		w := newWorld(t, "PIP_INDEX_URL="+direct)
		if p := w.must(w.query("common")); p.Version != "1.0" {
			t.Error(place(p))
		}
		if len(other.logins) < 2 || strings.Join(other.logins, "") != "" {
			t.Errorf("the other host was sent %q", other.logins)
		}
	})
	t.Run("a yanked version is taken only if it is asked for", func(t *testing.T) {
		s := before(t, host, nil, func(_ *http.Response, data []byte) []byte {
			return bytes.ReplaceAll(data, []byte(">till-1.1-py3"), []byte(` data-yanked="it loses coins">till-1.1-py3`))
		})
		w := newWorld(t, "PIP_INDEX_URL="+login(s.URL))
		if p := w.must(w.query("till")); p.Version != "1.0" {
			t.Error(place(p))
		}
		if p := w.must(w.query("till==1.1")); p.Version != "1.1" || !advises(p, "it loses coins") {
			t.Error(place(p), p.Advice)
		}
	})
	t.Run("a file of another hash is refused", func(t *testing.T) {
		s := before(t, host, nil, func(r *http.Response, data []byte) []byte {
			if strings.HasSuffix(r.Request.URL.Path, ".whl") {
				return wheel(t, "till", "1.1", files{"till/__init__.py": "def stolen(): pass\n"})
			}
			return data
		})
		w := newWorld(t, "PIP_INDEX_URL="+login(s.URL))
		if err := w.refused(w.query("till")); !strings.Contains(err.What, "does not match the sha256 that the index gives") {
			t.Error(err)
		}
	})
	t.Run("a hash that the index changed is not that of the lock file", func(t *testing.T) {
		s := before(t, host, nil, func(_ *http.Response, data []byte) []byte {
			return regexp.MustCompile(`sha256=[0-9a-f]{64}`).ReplaceAll(data, []byte("sha256="+strings.Repeat("ab", 32)))
		})
		w := newWorld(t, "PIP_INDEX_URL="+login(s.URL))
		w.write(w.project, files{"pyproject.toml": "", "requirements.txt": "till==1.0 --hash=sha256:" + strings.Repeat("cd", 32) + "\n"})
		if err := w.refused(w.query("till")); !strings.Contains(err.What, "none of the files of till 1.0") {
			t.Error(err)
		}
	})
	t.Run("a large wheel comes in parts, or not at all without ranges", func(t *testing.T) {
		w := newWorld(t, "PIP_INDEX_URL="+direct)
		w.options.MaxDownload = 100_000
		if p := w.must(w.query("giant")); p.Provenance.Integrity != partsOnly {
			t.Error(p.Provenance)
		}
		s := before(t, host, func(r *http.Request) { r.Header.Del("Range") }, nil)
		w = newWorld(t, "PIP_INDEX_URL="+login(s.URL))
		w.options.MaxDownload = 100_000
		if err := w.refused(w.query("giant")); !strings.Contains(err.What, "its server does not support range requests") {
			t.Error(err)
		}
	})
	t.Run("a name that is bound is asked for at its index alone", func(t *testing.T) {
		plain := "http://" + host + "/simple"
		netrc := files{".netrc": "machine 127.0.0.1\nlogin clerk\npassword s3cret-word\n"}
		for _, tt := range []struct {
			name    string
			env     []string
			project files
			want    string
		}{
			{"by index-url before extra-index-url", []string{"PIP_INDEX_URL=" + plain, "PIP_EXTRA_INDEX_URL=" + elsewhere}, nil, "1.1"},
			{"by the lock file", []string{"PIP_INDEX_URL=" + elsewhere}, files{
				"uv.lock": "version = 1\n[[package]]\nname = 'till'\nversion = '1.0'\nsource = {registry = '" + plain + "'}\n", "pyproject.toml": "[project]\nname='app'\n[[tool.uv.index]]\nurl='" + plain + "'\n",
			}, "1.0"},
			{"by an explicit index", []string{"PIP_INDEX_URL=" + elsewhere}, files{
				"pyproject.toml": "[project]\nname='app'\n[[tool.uv.index]]\nname='shop'\nurl='" + plain + "'\nexplicit=true\n[tool.uv.sources]\ntill={index='shop'}\n",
			}, "1.1"},
		} {
			other.log = nil
			w := newWorld(t, tt.env...)
			w.write(w.home, netrc)
			w.write(w.project, tt.project)
			if got := w.refusedOr(w.query("till")); got != tt.want {
				t.Errorf("%s: %s", tt.name, got)
			}
			if paths := other.requests(); slices.ContainsFunc(paths, func(path string) bool { return strings.Contains(path, "till") }) {
				t.Errorf("%s: the other index was asked for %q", tt.name, paths)
			}
		}
	})
}
