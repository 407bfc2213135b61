package golang

import (
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
)

// directWorld returns a world with the real go command, which uses version control
// directly, and a stand-in for git that records its arguments, its environment and the
// response of its proxy for each host.
func directWorld(t *testing.T) *world {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the one that stands in for git in this test; to run it, use another system")
	}
	w := newWorld(t, nil).withGo()
	w.write(map[string]string{"bin/git": "#!/bin/sh\necho \"$@\" >>\"$HOME/git\"\nenv >>\"$HOME/environment\"\nexit 1\n", "home/x": ""})
	if err := os.Chmod(w.path("bin/git"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.vars["PATH"] = w.path("bin") + ":" + w.vars["PATH"] + ":/usr/bin:/bin"
	w.vars["GOMODCACHE"], w.vars["GOPROXY"] = w.path("gomodcache"), "direct"
	return w
}

// git returns the command lines and the environment of the stand-in for git.
func (w *world) git() (lines string, env environ.Env) {
	data, _ := os.ReadFile(w.path("home/git"))
	vars, _ := os.ReadFile(w.path("home/environment"))
	return string(data), environ.Parse(strings.Split(string(vars), "\n"))
}

func TestReach_VersionControlOfAnUnnamedHost(t *testing.T) {
	w := directWorld(t)
	w.vars["GIT_SSH_COMMAND"], w.vars["GIT_ASKPASS"], w.vars["NO_PROXY"], w.vars["HTTPS_PROXY"] = "ssh -v", "window", "*", ""
	_, _ = w.locate("", "evil.test/x.git/y")
	lines, env := w.git()
	if lines == "" {
		t.Fatal("git was not run, so this test shows nothing")
	}
	for _, scheme := range []string{"ssh://", "git://", "http://", "git@"} {
		if strings.Contains(lines, scheme) {
			t.Errorf("git was asked to use %s:\n%s", scheme, lines)
		}
	}
	for name, want := range map[string]string{"GIT_ALLOW_PROTOCOL": "https", "GIT_SSH_COMMAND": "false", "GIT_ASKPASS": "false", "GIT_TERMINAL_PROMPT": "0", "NO_PROXY": "", "no_proxy": ""} {
		if got := env.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"HTTPS_PROXY", "https_proxy"} {
		if !strings.HasPrefix(env.Get(name), "http://docent:") {
			t.Errorf("%s is %q, so git would connect by itself", name, env.Get(name))
		}
	}
}

func TestReach_VersionControlOfANamedHost(t *testing.T) {
	w := directWorld(t)
	w.vars["GOPRIVATE"], w.vars["GIT_SSH_COMMAND"] = "*.corp.test", "ssh -v"
	_, _ = w.locate("", "git.corp.test/x.git/y")
	lines, env := w.git()
	if !strings.Contains(lines, "ssh://") || env.Get("GIT_SSH_COMMAND") != "ssh -v" || env.Get("GIT_ALLOW_PROTOCOL") != "" {
		t.Errorf("the user's own settings do not count: %q\n%s", env.List(), lines)
	}
}

// TestReach_Addresses requests modules on this machine, which no registry would have,
// and on a private network, which a local proxy does not know.
func TestReach_Addresses(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	for _, proxies := range []string{"direct", s.URL + "|direct"} {
		w := directWorld(t)
		w.vars["GOPROXY"] = proxies
		for _, pkg := range []string{"127.0.0.1/x.git/y", "127.0.0.1/x", "10.255.255.1/x.git", "169.254.169.254/latest.git", "0.0.0.0/x", "127.0.0.1/x@v1.0.0"} {
			w.wantError("", pkg, ecosystem.Refused, "your settings do not name this host", "GOPRIVATE")
		}
	}
}

func TestReach_NamedHosts(t *testing.T) {
	w := newWorld(t, map[string]string{"home/.netrc": "machine git.login.test login a password b\ndefault login c password d\n"})
	w.vars["GOPROXY"] = "https://me:secret@proxy.test/go,http://10.0.0.9:3000|direct"
	w.vars["GOSUMDB"] = "sum.test+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8 https://sumdb.test/x"
	w.vars["GOPRIVATE"], w.vars["GONOSUMDB"], w.vars["GOINSECURE"] = "*.corp.test,vanity.test/team,*", "nosum.test", "plain.test"
	g := w.golang()
	s := g.settings.load(g.env)
	if s.names("10.0.0.9", "443") || s.names("proxy.test", "80") || !s.names("git.corp.test", "8443") {
		t.Error("the ports are not looked at")
	}
	for host, want := range map[string]bool{
		"proxy.test": true, "10.0.0.9": true, "sum.test": true, "sumdb.test": true, "git.corp.test": true, "GIT.corp.TEST": true, "vanity.test": true,
		"nosum.test": true, "plain.test": true, "git.login.test": true, "evil.test": false, "corp.test": false, "direct": false, "c": false, "127.0.0.1": false, "": false,
	} {
		if got := s.names(host, map[bool]string{true: "3000", false: "443"}[host == "10.0.0.9"]); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
	for path, want := range map[string]bool{"git.corp.test/x": true, "vanity.test/team/x": true, "vanity.test/other": false, "plain.test/x": true, "nosum.test/x": false, "evil.test/x": false} {
		if got := s.trusts(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestReach_Settings(t *testing.T) {
	for list, want := range map[string]string{
		"": "*:git", "public:git|hg": "public:git,*:git", "*:off": "*:off", "private:all, public:off": "private:git,public:off,*:git", "example.com:hg": "example.com:off,*:git", "*:all": "*:git",
	} {
		if got := gitOnly(list); got != want {
			t.Errorf("GOVCS=%s becomes %q, want %q", list, got, want)
		}
	}
	for list, want := range map[string]string{
		"https://a.test,direct": "https://a.test", "https://a.test|https://b.test, direct": "https://a.test|https://b.test", "direct": "",
		"https://direct.test": "https://direct.test", "https://direct.test,direct,https://c.test": "https://direct.test",
	} {
		if got := withoutDirect(list); got != want {
			t.Errorf("GOPROXY=%s becomes %q, want %q", list, got, want)
		}
	}
	w := newWorld(t, nil)
	w.vars["GIT_ALLOW_PROTOCOL"] = "ssh:file"
	g := w.golang()
	if env := g.settings.load(g.env).restrictedVCS(); !slices.Contains(env, "GIT_ALLOW_PROTOCOL=none") {
		t.Errorf("got %q", env)
	}
}
