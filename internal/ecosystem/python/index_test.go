package python

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

const module = "def f(x):\n    'Do it.'\n"

// shop returns a server with versions of a package called till.
func shop(t *testing.T) *server {
	s := newServer(t)
	for _, version := range []string{"1.0", "1.1", "2.0"} {
		s.add("till-"+version+"-py3-none-any.whl", wheel(t, "till", version, files{"till/__init__.py": module}))
	}
	s.add("till-3.0a1-py3-none-any.whl", wheel(t, "till", "3.0a1", files{"till/__init__.py": module}))
	return s
}

func TestTheNewestReleaseThatPythonCanUseIsChosen(t *testing.T) {
	for _, html := range []bool{false, true} {
		s := shop(t)
		s.html = html
		s.add("till-2.5-py3-none-any.whl", wheel(t, "till", "2.5", files{"till/__init__.py": module}))
		s.fields["till-2.5-py3-none-any.whl"] = map[string]string{"requires-python": ">=3.12"}
		s.add("till-2.6-py3-none-any.whl", wheel(t, "till", "2.6", files{"till/__init__.py": module}))
		s.fields["till-2.6-py3-none-any.whl"] = map[string]string{"yanked": "it loses coins"}
		w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
		w.venv(filepath.Join(w.project, ".venv"), nil)
		if got := place(w.must(w.query("till"))); got != "till@2.0 from index by newest release; app does not use it" {
			t.Error(html, got)
		}
		if !w.must(w.query("till")).Provenance.Unused || w.must(w.query("till<2")).Provenance.Unused {
			t.Error("it is not said that the project does not use it, or it is said of a version that was asked for")
		}
		for request, want := range map[string]string{"till==1.*": "1.1", "till@1.0": "1.0", "till<2": "1.1", "till>=3a0": "3.0a1", "till@latest": "2.0"} {
			if p := w.must(w.query(request)); p.Version != want {
				t.Errorf("%s is %s", request, p.Version)
			}
		}
		if p := w.must(w.query("till==2.6")); p.Version != "2.6" || !advises(p, "it loses coins") {
			t.Error(p.Version, p.Advice)
		}
		if p := w.must(w.query("till==2.5")); !advises(p, "does not support Python 3.11.7") {
			t.Error(p.Version, p.Advice)
		}
		if err := w.refused(w.query("till==7")); !strings.Contains(err.Error(), "2.0") || !strings.Contains(err.What, "till") {
			t.Error(err)
		}
	}
}

func TestAFileIsAskedForOnceAndVerified(t *testing.T) {
	s := shop(t)
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	p := w.must(w.query("till"))
	if p.Provenance.Integrity != "sha256 of the index" || p.Synopsis != "About till" || len(p.Sections) == 0 {
		t.Errorf("%+v", p)
	}
	w.must(w.query("till"))
	w.env = append(w.env, "DOCENT_OFFLINE=1")
	w.must(w.query("till==2.0"))
	if got := strings.Join(s.requests(), " "); got != "/simple/till/ /files/till-2.0-py3-none-any.whl" {
		t.Error(got)
	}
	if err := w.refused(w.query("other")); !strings.Contains(err.What, "network access is disabled") {
		t.Error(err)
	}

	s = shop(t)
	s.fields["till-2.0-py3-none-any.whl"] = map[string]string{"sha256": strings.Repeat("ab", 32)}
	w = newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	if err := w.refused(w.query("till")); !strings.Contains(err.What, "does not match the sha256 that the index gives") {
		t.Error(err)
	}
	if rest := w.options.Cache.List("python/files"); len(rest) > 0 {
		t.Errorf("%q is kept", rest)
	}
}

func TestALargeWheelIsFetchedInParts(t *testing.T) {
	const name = "giant-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
	content := files{"giant/__init__.py": module, "giant/sub.py": module, "giant/lib.so": strings.Repeat("library", 200_000), "other/z.py": module}
	s := newServer(t)
	s.add(name, storedZip(t, wheel(t, "giant", "1.0", content)))
	for _, hint := range []string{"", "no size"} {
		s.fields[name] = map[string]string{"no size": hint}
		w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
		w.options.MaxDownload = 100_000
		w.venv(filepath.Join(w.project, ".venv"), nil)
		s.log = nil
		p := w.must(w.query("giant"))
		if p.Provenance.Integrity != partsOnly || !advises(p, "could not verify them with the hash") {
			t.Error(p.Provenance, p.Advice)
		}
		if p := w.must(w.query("giant.sub")); p.Name != "giant.sub" {
			t.Error(p.Name)
		}
		for _, request := range s.requests() {
			if strings.HasPrefix(request, "/files/") && !strings.Contains(request, "bytes=") && hint == "" {
				t.Error("whole:", request)
			}
		}
	}
	s.noRanges = true
	s.fields = map[string]map[string]string{}
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.options.MaxDownload = 100_000
	if err := w.refused(w.query("giant")); !strings.Contains(err.What, "its server does not support range requests") {
		t.Error(err)
	}
}

func TestASourceDistributionIsReadAndNotBuilt(t *testing.T) {
	s := newServer(t)
	s.add("oldie-1.0.tar.gz", sdist(t, "oldie", "1.0", files{
		"src/oldie/__init__.py": module, "setup.py": "raise SystemExit('built')\n", "tests/test_x.py": "", "docs/guide.md": "# Guide\n\nHow to.\n", "README.md": "# Oldie\n\nText.\n",
	}))
	s.add("oldie-2.0.tar.gz", sdist(t, "oldie", "1.9", files{"oldie.py": module}))
	s.add("single-1.0.tar.gz", sdist(t, "single", "1.0", files{"single.py": module, "setup.py": ""}))
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	p := w.must(w.query("oldie==1.0"))
	guide := false
	for _, section := range p.Sections {
		guide = guide || section.ID == "docs/guide"
	}
	if p.Name != "oldie" || !advises(p, "without building it") || !guide {
		t.Error(place(p), p.Advice, p.Sections)
	}
	if p := w.must(w.query("single")); p.Name != "single" {
		t.Error(place(p))
	}
	if err := w.refused(w.query("oldie==2.0")); !strings.Contains(err.What, "claims to be oldie 1.9") {
		t.Error(err)
	}
}

func TestImportNamesLeadToDistributions(t *testing.T) {
	s := newServer(t)
	s.add("beautifulsoup4-4.12-py3-none-any.whl", wheel(t, "beautifulsoup4", "4.12", files{"bs4/__init__.py": module}))
	s.add("google_cloud_storage-2.0-py3-none-any.whl", wheel(t, "google-cloud-storage", "2.0", files{"google/cloud/storage/__init__.py": module}))
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	for request, want := range map[string]string{
		"bs4": "bs4 of beautifulsoup4", "beautifulsoup4": "bs4 of beautifulsoup4",
		"google-cloud-storage": "google.cloud.storage of google-cloud-storage", "google.cloud.storage": "google.cloud.storage of google-cloud-storage",
	} {
		if p := w.must(w.query(request)); p.Name+" of "+p.Module != want {
			t.Errorf("%s is %s of %s", request, p.Name, p.Module)
		}
	}
	if err := w.refused(w.query("bs4.nothing")); !strings.Contains(err.What, "has no module bs4.nothing") {
		t.Error(err)
	}
}

func TestNamesThatProgramsGiveModules(t *testing.T) {
	s := newServer(t)
	for _, name := range []string{"np", "numpy", "hx", "httpx", "sns", "seaborn", "b"} {
		s.add(name+"-1.0-py3-none-any.whl", wheel(t, name, "1.0", files{name + "/__init__.py": module, name + "/linalg.py": module}))
	}
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.write(w.project, files{
		"pyproject.toml": "[project]\nname = 'app'\ndependencies = ['sns']\n",
		"app.py":         "import httpx as hx, os\nimport os.path as p\n", "more.py": "import seaborn as sns\n", "loop.py": "import a as b\nimport b as a\n",
		"tests/old.py": "import numpy as hx\n", "tests/new.py": "if True:\n    import httpx as hx\n",
	})
	for request, want := range map[string]string{
		"np": "numpy: np is what programs call numpy; this is the documentation of numpy", "np.linalg": "numpy.linalg: np is what programs call numpy", "np@latest": "np: ", "np==1.0": "np: ",
		"hx": "httpx: hx is what the files of app call httpx", "sns": "sns: ", "a": "b: a is what the files of app call b",
	} {
		p := w.must(w.query(request))
		name, note, _ := strings.Cut(want, ": ")
		if p.Name != name || note != "" && !advises(p, note) || note == "" && advises(p, "is what") {
			t.Errorf("%s is %s, %v", request, p.Name, p.Advice)
		}
	}
	w.venv(filepath.Join(w.project, ".venv"), installed("np", "0.3", files{"np/__init__.py": module}))
	if p := w.must(w.query("np")); p.Name != "np" || p.Version != "0.3" {
		t.Errorf("the installed np is %s %s", p.Name, p.Version)
	}
}

func TestANameOfOneIndexIsAskedForThereAlone(t *testing.T) {
	private, public := shop(t), shop(t)
	public.add("till-99.0-py3-none-any.whl", wheel(t, "till", "99.0", files{"till/__init__.py": module}))
	public.add("common-1.0-py3-none-any.whl", wheel(t, "common", "1.0", files{"common.py": module}))
	uv := "[project]\nname = 'app'\n[[tool.uv.index]]\nname = 'shop'\nurl = '" + private.URL + "/simple'\nexplicit = true\n[[tool.uv.index]]\nname = 'all'\nurl = '" + public.URL +
		"/simple'\ndefault = true\n[tool.uv.sources]\ntill = {index = 'shop'}\n"
	lock := "version = 1\n[[package]]\nname = 'till'\nversion = '1.1'\nsource = {registry = '" + private.URL + "/simple'}\n"
	for _, tt := range []struct {
		name    string
		project files
		want    string // version
	}{
		{"an explicit index of uv", files{"pyproject.toml": uv}, "2.0"},
		{"the lock file", files{"pyproject.toml": strings.ReplaceAll(uv, "till = {index = 'shop'}", ""), "uv.lock": lock}, "1.1"},
		{"a source of Poetry", files{"pyproject.toml": "[tool.poetry]\nname = 'app'\n[tool.poetry.dependencies]\ntill = {version = '^1', source = 'shop'}\n[[tool.poetry.source]]\nname = 'shop'\nurl = '" + private.URL +
			"/simple'\npriority = 'explicit'\n[[tool.poetry.source]]\nname = 'all'\nurl = '" + public.URL + "/simple'\n"}, "1.1"},
		{"an index of pipenv", files{"pyproject.toml": "", "Pipfile": "[[source]]\nname = 'all'\nurl = '" + public.URL + "/simple'\n[[source]]\nname = 'shop'\nurl = '" + private.URL + "/simple'\n[packages]\ntill = {version = '*', index = 'shop'}\n"}, "2.0"},
	} {
		private.log, public.log = nil, nil
		w := newWorld(t)
		w.write(w.project, tt.project)
		if p := w.must(w.query("till")); p.Version != tt.want {
			t.Errorf("%s: %s", tt.name, place(p))
		}
		if got := public.requests(); len(got) > 0 {
			t.Errorf("%s: the other index was asked for %q", tt.name, got)
		}
		private.log = nil
		if w.refusedOr(w.query("common")) != "1.0" || len(private.requests()) > 0 && tt.name != "the lock file" {
			t.Errorf("%s: the explicit index was asked for %q", tt.name, private.requests())
		}
	}

	// Without a binding, the first index that has the name is used, and an index that
	// refuses a request or fails is not skipped.
	w := newWorld(t, "PIP_INDEX_URL="+private.URL+"/simple", "PIP_EXTRA_INDEX_URL="+public.URL+"/simple")
	if p := w.must(w.query("till")); p.Version != "2.0" {
		t.Error(place(p))
	}
	if p := w.must(w.query("common")); p.Version != "1.0" {
		t.Error(place(p))
	}
	private.login = "clerk:secret"
	public.log = nil
	w = newWorld(t, "PIP_INDEX_URL="+private.URL+"/simple", "PIP_EXTRA_INDEX_URL="+public.URL+"/simple")
	if err := w.refused(w.query("till")); err.Reason != "refused" || len(public.requests()) > 0 {
		t.Error(err, public.requests())
	}
}

func TestCredentialsGoToTheirHostOnly(t *testing.T) {
	s := shop(t)
	s.login = "clerk:s3cret-word"
	host := strings.TrimPrefix(s.URL, "http://")
	withLogin := "http://clerk:s3cret-word@" + host + "/simple"
	pdm := "[project]\nname='app'\n[[tool.pdm.source]]\nname='pypi'\nurl='" + s.URL + "/simple'\nusername='clerk'\npassword='${PW}'\n"
	named := "[project]\nname='app'\n[[tool.uv.index]]\nname='my-shop'\nurl='" + s.URL + "/simple'\n"
	poetry := "[tool.poetry]\nname='app'\n[[tool.poetry.source]]\nname='my-shop'\nurl='" + s.URL + "/simple'\n"
	for _, tt := range []struct {
		name          string
		env           []string
		home, project files
		refused       string
	}{
		{"in the address of a variable", []string{"PIP_INDEX_URL=" + withLogin}, nil, nil, ""},
		{"in pip.conf", nil, files{".config/pip/pip.conf": "[global]\nindex-url = " + withLogin + "\n"}, nil, ""},
		{"in the old pip.conf", nil, files{".pip/pip.conf": "[install]\nindex_url: " + withLogin + "\n"}, nil, ""},
		{"in netrc", []string{"PIP_INDEX_URL=" + s.URL + "/simple"}, files{".netrc": "machine 127.0.0.1 login clerk password s3cret-word\n"}, nil, ""},
		{"in uv.toml", nil, files{".config/uv/uv.toml": "[[index]]\nurl = '" + withLogin + "'\n"}, nil, ""},
		{"in UV_DEFAULT_INDEX", []string{"UV_DEFAULT_INDEX=" + withLogin}, nil, nil, ""},
		{"in variables of a named index", []string{"UV_INDEX_MY_SHOP_USERNAME=clerk", "UV_INDEX_MY_SHOP_PASSWORD=s3cret-word"}, nil, files{"pyproject.toml": named}, ""},
		{"in uv's own store", nil, files{".local/share/uv/credentials/credentials.toml": "[[credential]]\nservice='" + s.URL + "/simple'\nusername='clerk'\nscheme='basic'\npassword='s3cret-word'\n"}, files{"pyproject.toml": named}, ""},
		{"in Poetry's auth.toml", nil, files{".config/pypoetry/auth.toml": "[http-basic.my-shop]\nusername='clerk'\npassword='s3cret-word'\n"}, files{"pyproject.toml": poetry}, ""},
		{"in Poetry's variables", []string{"POETRY_HTTP_BASIC_MY_SHOP_USERNAME=clerk", "POETRY_HTTP_BASIC_MY_SHOP_PASSWORD=s3cret-word"}, nil, files{"pyproject.toml": poetry}, ""},
		{"in pdm's source", []string{"PW=s3cret-word"}, nil, files{"pyproject.toml": pdm}, ""},
		{"in a Pipfile", []string{"PW=s3cret-word"}, nil, files{"pyproject.toml": "", "Pipfile": "[[source]]\nname='x'\nurl='http://clerk:${PW}@" + host + "/simple'\n"}, ""},
		{"in a requirements file", []string{"PW=s3cret-word"}, nil, files{"pyproject.toml": "", "requirements.txt": "--index-url http://clerk:${PW}@" + host + "/simple\ntill\n"}, ""},
		{"none", []string{"PIP_INDEX_URL=" + s.URL + "/simple"}, nil, nil, "no credential for it is configured"},
		{"a wrong one", []string{"PIP_INDEX_URL=http://clerk:wrong-word@" + host + "/simple"}, nil, nil, "rejected the credential"},
		{"an expired token", []string{"PIP_INDEX_URL=http://__token__:e30.eyJleHAiOjE1MDAwMDAwMDB9.x@" + host + "/simple"}, nil, nil, "expired on 2017-07-14"},
		{"a variable that the project may not have", []string{"PW=s3cret-word", "DOCENT_PROJECT_VARIABLES="}, nil, files{"pyproject.toml": pdm}, "denies access to"},
		{"a variable in a host", []string{"PW=s3cret-word"}, nil, files{"pyproject.toml": "", "Pipfile": "[[source]]\nname='x'\nurl='http://${PW}.example/simple'\n"}, "a variable outside the user and password"},
	} {
		w := newWorld(t, tt.env...)
		w.write(w.home, tt.home)
		w.write(w.project, tt.project)
		p, err := w.describe(w.query("till==1.0"))
		switch {
		case tt.refused == "" && (err != nil || p.Version != "1.0"):
			t.Errorf("%s: %v", tt.name, err)
		case tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)):
			t.Errorf("%s: %v", tt.name, err)
		case err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "wrong-word")):
			t.Errorf("%s: the error shows the password: %v", tt.name, err)
		}
		for _, fact := range w.python().Doctor(w.project) {
			if strings.Contains(fact.Value+fact.Problem, "s3cret") || strings.Contains(fact.Value+fact.Problem, "wrong-word") {
				t.Errorf("%s: doctor shows the password: %+v", tt.name, fact)
			}
		}
	}

	// Requests for files and redirects on other hosts do not include credentials.
	other := shop(t)
	s.elsewhere = strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	w := newWorld(t, "PIP_INDEX_URL="+withLogin)
	w.must(w.query("till==1.1"))
	s.elsewhere = ""
	s.answer = func(rw http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/files/") {
			http.Redirect(rw, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+r.URL.Path, http.StatusFound)
			return true
		}
		return false
	}
	w = newWorld(t, "PIP_INDEX_URL="+withLogin)
	w.must(w.query("till==1.1"))
	if len(other.logins) != 2 || strings.Join(other.logins, "") != "" {
		t.Errorf("another host was sent %q", other.logins)
	}
}

func TestIndexesThatMisbehave(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request) bool
		want   string
	}{
		{"a login page", func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte("<html><body><form><a href='/login'>Log in</a></form></body></html>"))
			return true
		}, "lists no readable files of till"},
		{"plain text", func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte("hello")); return true }, "is not a page of a package index"},
		{"other JSON", func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(`{"error":"x"}`))
			return true
		}, "is not a page of a package index"},
		{"a loop", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, "more than 5 redirects"},
		{"nothing", func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }, "the download of till failed"},
		{"files of other projects", func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(`{"meta":{"api-version":"1.0"},"files":[{"filename":"evil-1.0-py3-none-any.whl","url":"x","hashes":{}},{"filename":"../till-1.0.tar.gz","url":"x","hashes":{}}]}`))
			return true
		}, "lists no readable files of till"},
	} {
		s := shop(t)
		s.answer = tt.answer
		w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
		if err := w.refused(w.query("till")); !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestWheelsThatLieAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		data       []byte
	}{
		{"a path that leads out", "is outside the archive", filetest.Zip(t, "", files{"../x.py": module, "till-1.0.dist-info/METADATA": metadataOf("till", "1.0")})},
		{"another name", "claims to be other 1.0", wheelNamed(t, "till-1.0", "other", "1.0")},
		{"another version", "claims to be till 6.6", wheelNamed(t, "till-1.0", "till", "6.6")},
		{"metadata of another alone", "no metadata under its own name", filetest.Zip(t, "", files{"till/__init__.py": module, "other-1.0.dist-info/METADATA": metadataOf("other", "1.0")})},
		{"no zip file", "is damaged", []byte("PK but not really")},
		{"no modules", "contains no Python modules", wheel(t, "till", "1.0", files{"data/x.json": "{}"})},
	} {
		s := newServer(t)
		s.add("till-1.0-py3-none-any.whl", tt.data)
		w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
		if err := w.refused(w.query("till")); !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	// A RECORD that lists other files, and files below .data, have no effect: only the wheel's
	// contents count.
	s := newServer(t)
	s.add("till-1.0-py3-none-any.whl", wheel(t, "till", "1.0", files{
		"till-1.0.dist-info/RECORD": "../../etc/passwd,,\nos.py,,\n", "till-1.0.data/purelib/till/__init__.py": module, "till-1.0.data/scripts/till": "#!/bin/sh\n",
	}))
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	if p := w.must(w.query("till")); p.Name != "till" {
		t.Error(place(p))
	}
}

func wheelNamed(t *testing.T, info, name, version string) []byte {
	return filetest.Zip(t, "", files{"till/__init__.py": module, info + ".dist-info/METADATA": metadataOf(name, version)})
}

func TestTheDefaultIndexIsWhatPipSaysOfItself(t *testing.T) {
	w := newWorld(t)
	w.write(filepath.Join(w.home, ".pyenv", "versions", "3.11.7"), files{
		"lib/python3.11/os.py": "", "lib/python3.11/site-packages/pip/_internal/models/index.py": "class PackageIndex: ...\n\nPyPI = PackageIndex(\n    \"https://index.example.org/\", file_storage_domain=\"x\"\n)\n",
	})
	// The settings of a pip in the project's own environment are ignored.
	w.venv(filepath.Join(w.project, ".venv"), files{"pip/_internal/models/index.py": "PyPI = PackageIndex(\"https://evil.example.org/\")\n"})
	facts := ""
	for _, fact := range w.python().Doctor(w.project) {
		facts += fact.Name + ": " + fact.Value + "\n"
	}
	if !strings.Contains(facts, "https://index.example.org/simple/, from "+filepath.Join(w.home, ".pyenv")) || strings.Contains(facts, "evil") {
		t.Error(facts)
	}
	w = newWorld(t)
	bin := strings.TrimPrefix(w.env[2], "PATH=")
	w.write(bin, files{"uv": strings.Repeat("\x7fELF", 1000) + "https://x.shop.test/simple/" + strings.Repeat("https://index.shop.test/simple\x00", 3)})
	if err := os.Chmod(filepath.Join(bin, "uv"), 0o755); err != nil {
		t.Fatal(err)
	}
	if i := w.python().findDefault(nil); i.address != "https://index.shop.test/simple/" {
		t.Error(i)
	}
	w = newWorld(t)
	if err := w.refused(w.query("till")); !strings.Contains(err.Error(), "PIP_INDEX_URL") {
		t.Error(err)
	}
}

// TestDistributionsWithoutModules follows distributions that only require an exact version
// of another one.
func TestDistributionsWithoutModules(t *testing.T) {
	front := func(dist, requires string) []byte {
		info := dist + "-1.0.dist-info/"
		return filetest.Zip(t, "", files{info + "METADATA": strings.Replace(metadataOf(dist, "1.0"), "\nSummary:", "\nRequires-Dist: "+requires+"\nSummary:", 1)})
	}
	s := newServer(t)
	s.add("till-1.0-py3-none-any.whl", front("till", "drawer[coins]==1.0"))
	s.add("drawer-1.0-py3-none-any.whl", wheel(t, "drawer", "1.0", files{"till/__init__.py": module, "till/coins.py": module}))
	s.add("purse-1.0-py3-none-any.whl", front("purse", "purseprogram==1.0\nRequires-Dist: drawer2==1.0"))
	s.add("purseprogram-1.0-py3-none-any.whl", wheel(t, "purseprogram", "1.0", files{"purseprogram.py": module}))
	s.add("drawer2-1.0-py3-none-any.whl", wheel(t, "drawer2", "1.0", files{"purse/__init__.py": module}))
	s.add("ring-1.0-py3-none-any.whl", front("ring", "ring==1.0"))
	s.add("loose-1.0-py3-none-any.whl", front("loose", "drawer>=1.0"))
	s.add("extra-1.0-py3-none-any.whl", front("extra", `drawer==1.0; extra == "more"`))
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	for _, name := range []string{"till", "till.coins"} {
		if p := w.must(w.query(name)); p.Name != name || p.Version != "1.0" || !strings.Contains(p.Provenance.Location, "till-1.0-py3-none-any.whl, whose modules are in ") || len(p.Symbols) == 0 {
			t.Errorf("%s: %s with %d symbols", name, place(p), len(p.Symbols))
		}
	}
	if p := w.must(w.query("purse")); p.Name != "purse" || !strings.Contains(p.Provenance.Location, "drawer2-1.0") {
		t.Errorf("the distribution with the module of the name: %s (%s)", p.Name, p.Provenance.Location)
	}
	for _, name := range []string{"ring", "loose", "extra"} {
		if err := w.refused(w.query(name)); !strings.Contains(err.Error(), "contains no Python modules") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFind_DottedNames(t *testing.T) {
	s := newServer(t)
	for name, path := range map[string]string{"kiln": "kiln/__init__.py", "kiln-glaze": "unrelated/__init__.py", "kiln-py": "kiln/__init__.py", "tensorflow": "tensorflow/__init__.py", "tensorflow-keras": "unrelated/__init__.py", "keras": "keras/layers.py"} {
		content := files{path: module}
		if name == "keras" {
			content["keras/__init__.py"] = module
		}
		s.add(strings.ReplaceAll(name, "-", "_")+"-1.0-py3-none-any.whl", wheel(t, name, "1.0", content))
	}
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.venv(filepath.Join(w.project, ".venv"), nil)
	if err := w.refused(w.query("kiln.glaze")); !strings.Contains(err.What, "no module kiln.glaze") {
		t.Error(err)
	}
	for name, want := range map[string]string{"kiln.py": "kiln", "tensorflow.keras": "keras", "tensorflow.keras.layers": "keras.layers"} {
		p := w.must(w.query(name))
		if p.Name != want || strings.Contains(name, "keras") && !advises(p, "from keras") {
			t.Errorf("%s is %s: %q", name, p.Name, p.Advice)
		}
	}
	if p := w.must(w.query("tensorflow")); len(p.Subpackages) != 1 || p.Subpackages[0].Name != "tensorflow.keras" {
		t.Errorf("tensorflow has %+v", p.Subpackages)
	}
}

func TestFind_AdoptedModules(t *testing.T) {
	s := newServer(t)
	s.add("keras-3.0-py3-none-any.whl", wheel(t, "keras", "3.0", files{"keras/__init__.py": module, "keras/layers.py": module}))
	s.add("tensorflow-1.0-py3-none-any.whl", wheel(t, "tensorflow", "1.0", files{"tensorflow/__init__.py": module, "tensorflow/keras/__init__.py": module, "tensorflow/keras/layers.py": module}))
	s.add("tensorflow-2.0-py3-none-any.whl", wheel(t, "tensorflow", "2.0", files{"tensorflow/__init__.py": module}))
	lock := func(version string) files {
		return files{"uv.lock": "version = 1\n[[package]]\nname = 'tensorflow'\nversion = '" + version + "'\nsource = {registry = '" + s.URL + "/simple'}\n"}
	}
	const own, adopted = "tensorflow.keras.layers", "keras.layers"
	for _, tt := range []struct {
		name               string
		project, installed files
		want, version      string
	}{
		{"a project without tensorflow", nil, nil, adopted, "3.0"},
		{"an installed version without the module", nil, installed("tensorflow", "2.0", files{"tensorflow/__init__.py": module}), adopted, "3.0"},
		{"an installed version with the module", nil, installed("tensorflow", "1.0", files{"tensorflow/__init__.py": module, "tensorflow/keras/__init__.py": module, "tensorflow/keras/layers.py": module}), own, "1.0"},
		{"a locked version without the module", lock("2.0"), nil, adopted, "3.0"},
		{"a locked version with the module", lock("1.0"), nil, own, "1.0"},
		{"the project's own module keras", files{"keras/__init__.py": module, "keras/layers.py": module}, nil, adopted, "3.0"},
		{"the project's own module tensorflow", files{"tensorflow/__init__.py": module, "tensorflow/keras/__init__.py": module, "tensorflow/keras/layers.py": module}, nil, own, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
			w.write(w.project, tt.project)
			w.venv(filepath.Join(w.project, ".venv"), tt.installed)
			p := w.must(w.query("tensorflow.keras.layers"))
			if p.Name != tt.want || p.Version != tt.version || advises(p, "tensorflow takes the module") != (tt.want == adopted) {
				t.Errorf("got %s: %q, want %s@%s", place(p), p.Advice, tt.want, tt.version)
			}
		})
	}
}
