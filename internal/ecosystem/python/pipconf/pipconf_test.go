package pipconf

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// settings reads the files of a home directory and a project, and environment
// variables.
func settings(t testing.TB, env []string, home, project map[string]string) *Config {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "home"), home)
	filetest.Write(t, filepath.Join(dir, "app"), project)
	e := environ.Parse(append([]string{"HOME=" + filepath.Join(dir, "home"), "USERPROFILE=" + filepath.Join(dir, "home"), "XDG_CONFIG_DIRS=" + filepath.Join(dir, "xdg")}, env...))
	var p *pylock.Project
	if project != nil {
		var l pylock.Loader
		var err error
		if p, err = l.Find(context.Background(), filepath.Join(dir, "app"), e); err != nil {
			t.Fatal(err)
		}
	}
	return Read(e, filepath.Join(dir, "root"), p, "")
}

// order returns the indexes for a package as text.
func order(t *testing.T, c *Config, bound *Bound) string {
	t.Helper()
	all, err := c.Indexes("till", bound)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, i := range all {
		if i == nil {
			out = append(out, "standard")
			continue
		}
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(i.String(), "https://"), "/"))
	}
	return strings.Join(out, " ")
}

func TestIndexesOfEachTool(t *testing.T) {
	type files = map[string]string
	uv := "[project]\nname='app'\n[tool.uv]\n"
	for _, tt := range []struct {
		name          string
		env           []string
		home, project files
		want          string
	}{
		{"nothing", nil, nil, nil, "standard"},
		{"variables of pip", []string{"PIP_INDEX_URL=https://a.example", "PIP_EXTRA_INDEX_URL=https://b.example https://c.example"}, nil, nil, "a.example b.example c.example"},
		{"only an extra index", []string{"PIP_EXTRA_INDEX_URL=https://b.example"}, nil, nil, "b.example standard"},
		{"variables replace lists of files", []string{"PIP_EXTRA_INDEX_URL=https://b.example"}, files{".config/pip/pip.conf": "[global]\nindex-url=https://a.example\nextra-index-url=https://c.example\n"}, nil, "a.example b.example"},
		{"[install] wins over [global]", nil, files{".config/pip/pip.conf": "[install]\nindex-url=https://a.example\n[global]\nindex-url=https://b.example\n"}, nil, "a.example"},
		{"no index", []string{"PIP_NO_INDEX=1"}, nil, nil, ""},
		{"another file", []string{"PIP_CONFIG_FILE=" + os.DevNull}, files{".config/pip/pip.conf": "[global]\nindex-url=https://a.example\n"}, nil, "standard"},
		{"variables of uv", []string{"UV_INDEX=shop=https://a.example https://b.example", "UV_DEFAULT_INDEX=https://c.example"}, nil, files{"pyproject.toml": uv}, "a.example b.example c.example"},
		{"uv's project before uv's user", nil, files{".config/uv/uv.toml": "[[index]]\nurl='https://u.example'\ndefault=true\n"}, files{"pyproject.toml": uv + "[[tool.uv.index]]\nurl='https://p.example'\n"}, "p.example u.example"},
		{"uv.toml beside the project", nil, nil, files{"pyproject.toml": uv, "uv.toml": "index-url='https://p.example'\n"}, "p.example"},
		{"uv's settings in a project of pip", nil, files{".config/uv/uv.toml": "index-url='https://u.example'\n"}, files{"requirements.txt": "x\n"}, "u.example"},
		{"pip's before uv's in a project of pip", nil, files{".config/uv/uv.toml": "index-url='https://u.example'\n", ".pip/pip.conf": "[global]\nindex-url=https://p.example\n"}, files{"requirements.txt": "x\n"}, "p.example"},
		{"Poetry", nil, nil, files{"pyproject.toml": "[tool.poetry]\nname='app'\n[[tool.poetry.source]]\nname='a'\nurl='https://a.example'\n[[tool.poetry.source]]\nname='b'\nurl='https://b.example'\npriority='supplemental'\n[[tool.poetry.source]]\nname='c'\nurl='https://c.example'\npriority='explicit'\n"}, "b.example a.example"},
		{"pdm", nil, nil, files{"pyproject.toml": "[project]\nname='app'\n[[tool.pdm.source]]\nname='pypi'\nurl='https://a.example'\n[[tool.pdm.source]]\nname='b'\nurl='https://b.example'\n"}, "b.example a.example"},
		{"requirements", nil, nil, files{"requirements.txt": "--index-url https://a.example\n--extra-index-url=https://b.example\nx\n"}, "a.example b.example"},
		{"a host that is taken from a variable", []string{"X=secret"}, nil, files{"Pipfile": "[[source]]\nurl='https://${X}.example'\n"}, "the index configured in Pipfile of app cannot be used: it refers to a variable outside the user and password, which is unset or not allowed; correct it there"},
	} {
		if got := order(t, settings(t, tt.env, tt.home, tt.project), nil); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestABoundPackageHasOneIndex(t *testing.T) {
	c := settings(t, []string{"PIP_EXTRA_INDEX_URL=https://b.example"}, nil, map[string]string{"pyproject.toml": "[project]\nname='app'\n[tool.uv.sources]\ntill={index='shop'}\n[[tool.uv.index]]\nname='shop'\nurl='https://a.example'\nexplicit=true\n"})
	bound := c.Bind("Till", pep508.Environment{})
	if bound == nil || order(t, c, bound) != "a.example" {
		t.Error(bound, order(t, c, bound))
	}
	if c.Bind("other", pep508.Environment{}) != nil {
		t.Error("a package without a source is bound")
	}
	if got := order(t, c, &Bound{URL: "https://locked.example/simple", By: "uv.lock"}); got != "locked.example/simple" {
		t.Error(got)
	}
	if got := order(t, c, &Bound{Name: "gone", By: "Pipfile.lock"}); !strings.Contains(got, `"gone", which is not in the settings`) {
		t.Error(got)
	}
}

func TestCredentialsOfTheUserAreNotAProjects(t *testing.T) {
	home := map[string]string{".netrc": "machine a.example login u password s3cret\ndefault login d password default-s3cret\n", ".config/pip/pip.conf": "[global]\nindex-url=http://mine.example/simple\ncert=x.pem\n"}
	c := settings(t, nil, home, map[string]string{"requirements.txt": "--extra-index-url https://evil.example/simple\n--extra-index-url http://a.example/simple\nx\n"})
	address := func(s string) *url.URL {
		u, err := url.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	all, err := c.Indexes("x", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		if i == nil {
			continue
		}
		if cred := c.CredentialFor(i, i.URL); i.URL.Host == "evil.example" && cred.Present() {
			t.Error("the default entry of netrc goes to a host that a project names")
		}
	}
	if cred := c.CredentialFor(nil, address("https://a.example/files/x")); !cred.Present() || strings.Contains(strings.Join([]string{cred.String(), cred.GoString()}, ""), "s3cret") {
		t.Error(cred)
	}
	plain := address("http://a.example/simple/")
	if allowed, err := c.AllowPlain(plain, c.CredentialFor(nil, plain)); allowed || err == nil {
		t.Error("a credential goes over plain HTTP because a project says so")
	}
	mine := address("http://mine.example/simple/")
	local, err := ParseIndex(mine.String(), "pip.conf")
	if err != nil {
		t.Fatal(err)
	}
	if allowed, err := c.AllowPlain(mine, c.CredentialFor(local, mine)); !allowed || err != nil {
		t.Error("the user's own http:// does not count", err)
	}
	if _, err := c.NetworkFor(nil, mine, Credential{}).TLS(); err == nil || !strings.Contains(err.Error(), "x.pem") {
		t.Error(err)
	}
}

// FuzzConfig reads hostile settings for every tool.
func FuzzConfig(f *testing.F) {
	f.Fuzz(func(t *testing.T, pip, uv, pyproject string) {
		c := settings(t, []string{"U=u", "P=p"}, map[string]string{".config/pip/pip.conf": pip, ".config/uv/uv.toml": uv, ".netrc": pip}, map[string]string{"pyproject.toml": pyproject, "requirements.txt": pip})
		all, err := c.Indexes("x", c.Bind("x", pep508.Environment{}))
		if err != nil {
			return
		}
		for _, i := range append(all, c.Links()...) {
			if i == nil || i.URL == nil {
				continue
			}
			if i.URL.User != nil || i.URL.Host == "" {
				t.Errorf("%s has a user, or no host", i)
			}
			c.NetworkFor(i, i.URL, c.CredentialFor(i, i.URL)).Key()
		}
	})
}

func TestCredential_Sources(t *testing.T) {
	type files = map[string]string
	const uv = "[project]\nname='app'\n[[tool.uv.index]]\nname='my-shop'\nurl='https://shop.example/simple'\n"
	const poetry = "[tool.poetry]\nname='app'\n[[tool.poetry.source]]\nname='my-shop'\nurl='https://shop.example/simple'\n"
	for name, tt := range map[string]struct {
		env           []string
		home, project files
		target        string // what is requested, https://shop.example/simple/x/ if empty
		login, where  string // "user:password" and the end of the place, or empty
	}{
		"in the address": {project: files{"requirements.txt": "--index-url https://u:p@shop.example/simple\nx\n"}, login: "u:p", where: "requirements.txt of app"},
		"a token alone":  {project: files{"requirements.txt": "--index-url https://tok@shop.example/simple\nx\n"}, login: "tok:", where: "requirements.txt of app"},
		"variables of uv": {env: []string{"UV_INDEX_MY_SHOP_USERNAME=u", "UV_INDEX_MY_SHOP_PASSWORD=p"}, project: files{"pyproject.toml": uv},
			login: "u:p", where: "UV_INDEX_MY_SHOP_PASSWORD"},
		"variables of uv that a project may not use": {env: []string{"UV_INDEX_MY_SHOP_USERNAME=u", "UV_INDEX_MY_SHOP_PASSWORD=p", "DOCENT_PROJECT_VARIABLES=OTHER"},
			project: files{"pyproject.toml": uv}},
		"variables of uv that a project may use": {env: []string{"UV_INDEX_MY_SHOP_USERNAME=u", "UV_INDEX_MY_SHOP_PASSWORD=p", "DOCENT_PROJECT_VARIABLES=UV_INDEX_MY_SHOP_USERNAME, UV_INDEX_MY_SHOP_PASSWORD"},
			project: files{"pyproject.toml": uv}, login: "u:p", where: "UV_INDEX_MY_SHOP_PASSWORD"},
		"variables of Poetry": {env: []string{"POETRY_HTTP_BASIC_MY_SHOP_USERNAME=u", "POETRY_HTTP_BASIC_MY_SHOP_PASSWORD=p"}, project: files{"pyproject.toml": poetry},
			login: "u:p", where: "POETRY_HTTP_BASIC_MY_SHOP_PASSWORD"},
		"files of the index on its host":   {project: files{"requirements.txt": "--index-url https://u:p@shop.example/simple\nx\n"}, target: "https://shop.example/files/x.whl", login: "u:p", where: "requirements.txt of app"},
		"files of the index elsewhere":     {project: files{"requirements.txt": "--index-url https://u:p@shop.example/simple\nx\n"}, target: "https://files.example/x.whl"},
		"files of the index over http":     {project: files{"requirements.txt": "--index-url https://u:p@shop.example/simple\nx\n"}, target: "http://shop.example/x.whl"},
		"the address before netrc":         {home: files{".netrc": "machine shop.example login n password q\n"}, project: files{"requirements.txt": "--index-url https://u:p@shop.example/simple\nx\n"}, login: "u:p", where: "requirements.txt of app"},
		"netrc, if the index has no login": {home: files{".netrc": "machine shop.example login n password q\n"}, project: files{"pyproject.toml": uv}, login: "n:q", where: ".netrc"},
	} {
		t.Run(name, func(t *testing.T) {
			c := settings(t, tt.env, tt.home, tt.project)
			all, err := c.Indexes("x", nil)
			if err != nil || len(all) == 0 || all[0] == nil {
				t.Fatal(all, err)
			}
			target, err := url.Parse(cmp.Or(tt.target, "https://shop.example/simple/x/"))
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if tt.login != "" {
				user, password, _ := strings.Cut(tt.login, ":")
				want = fetch.Basic(user, password)
			}
			if cred := c.CredentialFor(all[0], target); cred.Authorization != want || !strings.HasSuffix(cred.Where(), tt.where) {
				t.Errorf("got %q from %q, want %q from %q", cred.Authorization, cred.Where(), want, tt.where)
			}
		})
	}
}
