package python

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// till returns an installed distribution.
func till(version string) files { return installed("till", version, files{"till/__init__.py": module}) }

func TestTheEnvironmentOfAProjectIsFound(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("environments have another layout on Windows; the paths here are those of other systems")
	}
	for _, tt := range []struct {
		name string
		make func(w *world) (env []string)
		by   string
	}{
		{"in .venv", func(w *world) []string { w.venv(filepath.Join(w.project, ".venv"), till("1.0")); return nil }, ".venv of app"},
		{"in venv of a directory above", func(w *world) []string {
			w.project = filepath.Join(w.project, "sub")
			w.write(w.project, files{"requirements.txt": "till\n"})
			w.venv(filepath.Join(filepath.Dir(w.project), "venv"), till("1.0"))
			return nil
		}, "venv of app"},
		{"in VIRTUAL_ENV", func(w *world) []string {
			dir := filepath.Join(w.home, "envs", "x")
			w.venv(dir, till("1.0"))
			return []string{"VIRTUAL_ENV=" + dir}
		}, "VIRTUAL_ENV"},
		{"in UV_PROJECT_ENVIRONMENT", func(w *world) []string {
			w.venv(filepath.Join(w.project, "elsewhere"), till("1.0"))
			return []string{"UV_PROJECT_ENVIRONMENT=elsewhere"}
		}, "UV_PROJECT_ENVIRONMENT"},
		{"in a conda environment", func(w *world) []string {
			dir := filepath.Join(w.home, "conda", "envs", "x")
			w.write(dir, files{"conda-meta/python-3.11.7-h1_0_cpython.json": "{}", "lib/python3.11/os.py": ""})
			w.write(filepath.Join(dir, "lib", "python3.11", "site-packages"), till("1.0"))
			return []string{"CONDA_PREFIX=" + dir, "CONDA_DEFAULT_ENV=x"}
		}, "CONDA_PREFIX"},
		{"in the conda environment that environment.yml names", func(w *world) []string {
			w.write(w.project, files{"environment.yml": "name: shop\n"})
			dir := filepath.Join(w.home, "miniforge3", "envs", "shop")
			w.write(dir, files{"conda-meta/python-3.11.7-h1_0_cpython.json": "{}", "lib/python3.11/os.py": ""})
			w.write(filepath.Join(dir, "lib", "python3.11", "site-packages"), till("1.0"))
			return nil
		}, "conda environment shop"},
		{"in Poetry's store", func(w *world) []string {
			w.venv(filepath.Join(w.home, ".cache", "pypoetry", "virtualenvs", "app-"+shortHash(w.project)+"-py3.11"), till("1.0"))
			return nil
		}, "Poetry's environment of app"},
		{"in pipenv's store", func(w *world) []string {
			w.write(w.project, files{"Pipfile": "[packages]\ntill = '*'\n"})
			w.venv(filepath.Join(w.home, ".local", "share", "virtualenvs", "app-"+shortHash(filepath.Join(w.project, "Pipfile"))), till("1.0"))
			return nil
		}, "pipenv's environment of app"},
		{"in pipenv's store under another name", func(w *world) []string {
			w.write(w.project, files{"Pipfile": ""})
			dir := filepath.Join(w.home, "work", "mine")
			w.venv(dir, till("1.0"))
			w.write(dir, files{".project": w.project})
			return []string{"WORKON_HOME=" + filepath.Join(w.home, "work")}
		}, "pipenv's environment of app"},
		{"in hatch's store", func(w *world) []string {
			w.venv(filepath.Join(w.home, ".local", "share", "hatch", "env", "virtual", "app", shortHash(w.project), "app"), till("1.0"))
			return nil
		}, "hatch's environment of app"},
		{"where .pdm-python says", func(w *world) []string {
			dir := filepath.Join(w.home, "pdm")
			w.venv(dir, till("1.0"))
			w.write(w.project, files{".pdm-python": filepath.Join(dir, "bin", "python")})
			return nil
		}, ".pdm-python of app"},
		{"in __pypackages__", func(w *world) []string {
			w.write(filepath.Join(w.project, "__pypackages__", "3.11", "lib"), till("1.0"))
			return nil
		}, "__pypackages__ of app"},
		{"in pyenv's interpreter that .python-version names", func(w *world) []string {
			w.write(w.project, files{".python-version": "3.11\n"})
			for _, version := range []string{"3.10.2", "3.11.7"} {
				dir := filepath.Join(w.home, ".pyenv", "versions", version, "lib", "python"+minorOf(version))
				w.write(dir, files{"os.py": ""})
				w.write(filepath.Join(dir, "site-packages"), till(map[string]string{"3.11.7": "1.0", "3.10.2": "0.1"}[version]))
			}
			return nil
		}, ".python-version of app"},
		{"in uv's interpreter", func(w *world) []string {
			w.write(w.project, files{".python-version": "3.11.7\n"})
			dir := filepath.Join(w.home, ".local", "share", "uv", "python", "cpython-3.11.7-linux-x86_64-gnu", "lib", "python3.11")
			w.write(dir, files{"os.py": ""})
			w.write(filepath.Join(dir, "site-packages"), till("1.0"))
			return nil
		}, ".python-version of app"},
		{"behind pyenv's shim in PATH", func(w *world) []string {
			root := filepath.Join(w.home, ".pyenv")
			w.write(root, files{"version": "3.11.7\n", "versions/3.11.7/lib/python3.11/os.py": "", "shims/python3": "#!/bin/sh\n"})
			if err := os.Chmod(filepath.Join(root, "shims", "python3"), 0o700); err != nil {
				t.Fatal(err)
			}
			w.write(filepath.Join(root, "versions", "3.11.7", "lib", "python3.11", "site-packages"), till("1.0"))
			return []string{"PATH=" + filepath.Join(root, "shims")}
		}, "pyenv"},
		{"behind asdf's shim in PATH", func(w *world) []string {
			root := filepath.Join(w.home, ".asdf")
			w.write(w.project, files{".tool-versions": "nodejs 20.1.0\npython 3.11.7 system\n"})
			w.write(w.home, files{".tool-versions": "python 3.10.2\n"})
			return w.shim(root, "#!/usr/bin/env bash\nexec /usr/bin/asdf exec \"python3\" \"$@\"\n")
		}, ".tool-versions of app"},
		{"behind mise's shim in PATH", func(w *world) []string {
			root := filepath.Join(w.home, ".local", "share", "mise")
			w.write(w.project, files{"mise.toml": "[tools]\nnode = \"20\"\npython = \"3.11\"\n"})
			env := w.shim(root, "")
			w.write(w.home, files{"bin/mise": ""})
			if err := os.Chmod(filepath.Join(w.home, "bin", "mise"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(root, "shims", "python3")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(w.home, "bin", "mise"), filepath.Join(root, "shims", "python3")); err != nil {
				t.Skip("this system does not let the user make symbolic links, of which the environments in this test consist (on Windows, turn on developer mode):", err)
			}
			return env
		}, "mise.toml of app"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.env = append(w.env, tt.make(w)...)
			p := w.must(w.query("till"))
			if p.Version != "1.0" || p.Provenance.ChosenBy != tt.by || !strings.HasPrefix(p.Provenance.Location, w.home) {
				t.Errorf("%s: %+v", place(p), p.Provenance)
			}
		})
	}
}

// shim writes two interpreters below root and a shim of python3 for PATH.
func (w *world) shim(root, script string) []string {
	w.t.Helper()
	for version, till1 := range map[string]string{"3.10.2": "0.1", "3.11.7": "1.0"} {
		dir := filepath.Join(root, "installs", "python", version, "lib", "python"+minorOf(version))
		w.write(dir, files{"os.py": ""})
		w.write(filepath.Join(dir, "site-packages"), till(till1))
	}
	w.write(root, files{"shims/python3": script})
	if err := os.Chmod(filepath.Join(root, "shims", "python3"), 0o700); err != nil {
		w.t.Fatal(err)
	}
	return []string{"PATH=" + filepath.Join(root, "shims")}
}

func TestAScriptThatNamesItsInterpreterIsRead(t *testing.T) {
	w := newWorld(t)
	prefix := filepath.Join(w.home, "opt", "py")
	w.write(prefix, files{"bin/python3.11": "", "lib/python3.11/os.py": ""})
	w.write(filepath.Join(prefix, "lib", "python3.11", "site-packages"), till("1.0"))
	w.write(w.home, files{"bin/python3": "#!/bin/sh\n# mine\nexec \"" + prefix + "/bin/python3.11\" \"$@\"\n"})
	if err := os.Chmod(filepath.Join(w.home, "bin", "python3"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "PATH="+filepath.Join(w.home, "bin"))
	if p := w.must(w.query("till")); p.Version != "1.0" || !strings.HasPrefix(p.Provenance.Location, prefix) {
		t.Errorf("%s: %+v", place(p), p.Provenance)
	}
}

func TestDebiansPackagesAreFound(t *testing.T) {
	w := newWorld(t)
	py := w.python()
	w.write(py.root, files{
		"usr/lib/python3.11/os.py": "", "usr/bin/python3.11": "",
		"var/lib/dpkg/status": "Package: x\nVersion: 9\n\nPackage: libpython3.11-minimal\nStatus: install ok installed\nVersion: 3.11.2-6+deb12u4\n\nPackage: y\n",
	})
	w.write(filepath.Join(py.root, "usr/lib/python3/dist-packages"), till("1.0"))
	if err := os.Chmod(filepath.Join(py.root, "usr/bin/python3.11"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("python3.11", filepath.Join(py.root, "usr/bin/python3")); err != nil {
		t.Skip("this system does not let the user make symbolic links, of which the environments in this test consist (on Windows, turn on developer mode):", err)
	}
	w.env = append(w.env, "PATH="+filepath.Join(py.root, "usr/bin"))
	p := w.must(w.query("till"))
	if p.Provenance.Source != "dist-packages" || p.Version != "1.0" {
		t.Errorf("%+v", p.Provenance)
	}
	if p := w.must(w.query("os")); p.Version != "3.11.2" {
		t.Error(place(p))
	}
}

func TestNamesOfModulesAndDistributionsBothWork(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("PyYAML", "6.0.1", files{"yaml/__init__.py": module, "_yaml/__init__.py": ""}))
	site := filepath.Join(w.project, ".venv", "lib", "python3.11", "site-packages")
	w.write(site, installed("google-cloud-storage", "2.0", files{"google/cloud/storage/__init__.py": module, "google/cloud/storage/blob.py": module}))
	w.write(site, installed("google-cloud-core", "1.0", files{"google/cloud/client/__init__.py": module}))
	w.write(site, files{"old-1.0-py3.11.egg-info/PKG-INFO": metadataOf("old", "1.0"), "old-1.0-py3.11.egg-info/top_level.txt": "older\n", "older.py": module})
	w.write(site, files{"byhand.py": module})
	for request, want := range map[string]string{
		"yaml": "yaml of PyYAML 6.0.1", "PyYAML": "yaml of PyYAML 6.0.1", "pyyaml": "yaml of PyYAML 6.0.1",
		"google.cloud.storage": "google.cloud.storage of google-cloud-storage 2.0", "google-cloud-storage": "google.cloud.storage of google-cloud-storage 2.0",
		"google.cloud.storage.blob": "google.cloud.storage.blob of google-cloud-storage 2.0", "google.cloud.client": "google.cloud.client of google-cloud-core 1.0",
		"older": "older of old 1.0", "old": "older of old 1.0", "byhand": "byhand of byhand ", "json": "json of standard library 3.11.7",
	} {
		p := w.must(w.query(request))
		if got := p.Name + " of " + p.Module + " " + p.Version; got != want {
			t.Errorf("%s is %s, want %s", request, got, want)
		}
	}
	if p := w.must(w.query("yaml")); !advises(p, "belongs to the distribution PyYAML") {
		t.Error(p.Advice)
	}
	if p := w.must(w.query("PyYAML")); !advises(p, "is imported as yaml") {
		t.Error(p.Advice)
	}
	names := w.python().Names(w.project, "y", 10)
	if !slices.Equal(names, []string{"yaml"}) {
		t.Error(names)
	}
	if names := w.python().Names(w.project, "google.cloud.", 10); !slices.Equal(names, []string{"google.cloud.client", "google.cloud.storage"}) {
		t.Error(names)
	}
}

func TestAPackageThatShadowsTheStandardLibraryIsNamed(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("json", "9.9", files{"json/__init__.py": module}))
	p := w.must(w.query("json"))
	if p.Module != "standard library" || !advises(p, "json is also installed as part of json 9.9") {
		t.Error(place(p), p.Advice)
	}
	if p := w.must(w.query("json==9.9")); p.Version != "9.9" || p.Module != "json" {
		t.Error(place(p))
	}
}

func TestEditableInstallationsLeadToTheirSources(t *testing.T) {
	w := newWorld(t)
	lib := filepath.Join(w.home, "lib")
	w.write(lib, files{"pyproject.toml": "[project]\nname='core'\n", "src/core/__init__.py": module, "src/core/deep.py": module})
	direct := func(dir string) string {
		data, err := json.Marshal(map[string]any{"url": "file://" + filepath.ToSlash(dir), "dir_info": map[string]bool{"editable": true}})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	pth := installed("core", "1.0", files{"__editable__.core-1.0.pth": filepath.Join(lib, "src") + "\n"})
	pth["core-1.0.dist-info/direct_url.json"] = direct(lib)
	w.venv(filepath.Join(w.project, ".venv"), pth)
	flat := filepath.Join(w.home, "flat")
	w.write(flat, files{"code/mapped/__init__.py": module})
	finder := installed("mapped", "1.0", files{
		"__editable__.mapped-1.0.pth":       "import __editable___mapped_1_0_finder; __editable___mapped_1_0_finder.install()\n",
		"__editable___mapped_1_0_finder.py": "from __future__ import annotations\nMAPPING: dict[str, str] = {'mapped': '" + filepath.Join(flat, "code", "mapped") + "'}\nNAMESPACES: dict[str, list[str]] = {}\n",
	})
	finder["mapped-1.0.dist-info/direct_url.json"] = direct(flat)
	w.write(filepath.Join(w.project, ".venv", "lib", "python3.11", "site-packages"), finder)
	for request, want := range map[string]string{"core": filepath.Join(lib, "src"), "core.deep": filepath.Join(lib, "src"), "mapped": filepath.Join(flat, "code")} {
		p := w.must(w.query(request))
		if p.Provenance.Location != want || p.Provenance.Source != "editable installation" || p.Version != "" || p.Name != request {
			t.Errorf("%s: %+v", request, p.Provenance)
		}
	}
}

func TestWhatALockFileChoseComesBeforeWhatIsInstalled(t *testing.T) {
	s := shop(t)
	lock := "version = 1\n[[package]]\nname = 'till'\nversion = '1.1'\nsource = {registry = '" + s.URL + "/simple'}\n"
	w := newWorld(t)
	w.write(w.project, files{"uv.lock": lock})
	w.venv(filepath.Join(w.project, ".venv"), till("1.0"))
	if got := place(w.must(w.query("till"))); got != "till@1.1 from index by uv.lock of app" {
		t.Error(got)
	}
	w.env = append(w.env, "DOCENT_OFFLINE=1")
	w.options.Cache = nil
	w.env = append(w.env, "DOCENT_CACHE="+t.TempDir())
	if p := w.must(w.query("till")); p.Version != "1.0" || !advises(p, "uv.lock of app pins 1.1") {
		t.Error(place(p), p.Advice)
	}
	w.write(w.project, files{"uv.lock": strings.ReplaceAll(lock, "1.1", "1.0")})
	if got := place(w.must(w.query("till"))); got != "till@1.0 from site-packages by uv.lock of app" {
		t.Error(got)
	}
}

func TestAHashOfTheLockFileIsDemanded(t *testing.T) {
	s := shop(t)
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.write(w.project, files{"requirements.txt": "till==1.1 --hash=sha256:" + s.sum("till-1.1-py3-none-any.whl") + "\n"})
	if p := w.must(w.query("till")); p.Provenance.Integrity != "sha256 of the lock file" || p.Provenance.ChosenBy != "requirements.txt of app" {
		t.Errorf("%+v", p.Provenance)
	}
	w.write(w.project, files{"requirements.txt": "till==1.1 --hash=sha256:" + strings.Repeat("ab", 32) + "\n"})
	if err := w.refused(w.query("till")); !strings.Contains(err.What, "none of the files of till 1.1") {
		t.Error(err)
	}
}

func TestCodeOfTheProjectIsReadInPlace(t *testing.T) {
	w := newWorld(t)
	w.write(w.project, files{
		"pyproject.toml": "[project]\nname='app'\n[tool.uv.workspace]\nmembers=['libs/*']\n", "src/app/__init__.py": module, "src/app/views.py": module,
		"libs/core/pyproject.toml": "[project]\nname='shop-core'\n", "libs/core/src/shop_core/__init__.py": module,
	})
	for request, want := range map[string]string{"app": "app", "app.views": "app.views", "shop-core": "shop_core", "shop_core": "shop_core", "./libs/core": "shop_core", "./src/app": "app"} {
		p := w.must(w.query(request))
		if p.Name != want || p.Version != "" || p.Provenance.Source != "workspace" {
			t.Errorf("%s: %s", request, place(p))
		}
	}
}

func TestLinksThatLoopOrLeadOutAreNotFollowed(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), till("1.0"))
	site := filepath.Join(w.project, ".venv", "lib", "python3.11", "site-packages")
	secret := filepath.Join(w.home, "secret.py")
	w.write(w.home, files{"secret.py": "def stolen(): ...\n"})
	for from, to := range map[string]string{filepath.Join(site, "till", "loop"): filepath.Join(site, "till"), filepath.Join(site, "till", "stolen.py"): secret, filepath.Join(site, "round"): filepath.Join(site, "round")} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip("this system does not let the user make symbolic links, of which the environments in this test consist (on Windows, turn on developer mode):", err)
		}
	}
	w.must(w.query("till"))
	if p, err := w.describe(w.query("till.stolen")); err == nil && len(p.Symbols) > 0 {
		t.Errorf("%+v", p.Symbols)
	}
	if _, err := w.describe(ecosystem.Query{Package: "round", ProjectDir: w.project}); err == nil {
		t.Error("a link to itself is read")
	}
}

func TestDependenciesAreListedByImportance(t *testing.T) {
	w := newWorld(t)
	w.write(w.project, files{"pyproject.toml": "[project]\nname='app'\ndependencies=['alpha','beta>=1']\n", "main.py": "import os, beta.x as b\nfrom gamma import y\n"})
	w.venv(filepath.Join(w.project, ".venv"), installed("alpha", "1.0", files{"alpha.py": module}))
	site := filepath.Join(w.project, ".venv", "lib", "python3.11", "site-packages")
	for _, name := range []string{"beta", "gamma", "omega"} {
		w.write(site, installed(name, "2.0", files{name + "/__init__.py": module}))
	}
	all, err := w.python().Dependencies(w.project)
	var got []string
	for _, d := range all {
		got = append(got, d.Package)
	}
	if err != nil || strings.Join(got, " ") != "beta gamma alpha omega" {
		t.Fatal(got, err)
	}
	record, err := os.Stat(filepath.Join(site, "beta-2.0.dist-info", "RECORD"))
	if err != nil || record.Size() == 0 || all[0].Size != record.Size() {
		t.Errorf("the size of beta is %d, and its RECORD is %v, %v", all[0].Size, record, err)
	}
}

func TestModulesOfTheStandardLibrary(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), nil)
	base := filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11")
	w.write(base, files{"posixpath.py": module, "lib-dynload/math.cpython-311-x86_64-linux-gnu.so": ""})
	if p := w.must(w.query("os.path")); p.Name != "os.path" || len(p.Symbols) != 1 {
		t.Errorf("%s: %+v", place(p), p.Symbols)
	}
	for _, name := range []string{"sys", "math"} {
		if err := w.refused(w.query(name)); !strings.Contains(err.Error(), "is compiled into Python 3.11.7") || !strings.Contains(err.Error(), "typeshed") {
			t.Error(err)
		}
	}
	w.write(base, files{"lib-dynload/cmath.cpython-311-x86_64-linux-gnu.so": "\x00sqrt($module, z, /)\n--\n\nReturn the square root.\x00"})
	if p := w.must(w.query("cmath")); p.Name != "cmath" || len(p.Symbols) != 1 || p.Symbols[0].Signature != "def sqrt(z, /)" || len(p.Warnings) != 1 {
		t.Errorf("%s: %+v %v", place(p), p.Symbols, p.Warnings)
	}
	w.write(filepath.Join(w.home, ".local", "share", "uv", "tools", "mypy", "lib", "python3.12", "site-packages", "mypy", "typeshed", "stdlib"), files{
		"builtins.pyi": "", "math.pyi": "def sqrt(x: float) -> float: ...\n",
	})
	if p := w.must(w.query("math")); p.Name != "math" || len(p.Symbols) != 1 {
		t.Errorf("%s: %+v", place(p), p.Symbols)
	}
}

func TestANamespaceBelongsToNoDistribution(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), installed("google-cloud-storage", "2.0", files{"google/cloud/storage/__init__.py": module}))
	w.write(filepath.Join(w.project, ".venv", "lib", "python3.11", "site-packages"), installed("google-auth", "1.0", files{"google/auth/__init__.py": module}))
	p := w.must(w.query("google"))
	if p.Module != "google" || p.Version != "" || len(p.Advice) > 0 {
		t.Errorf("%s: %+v", place(p), p)
	}
}

func TestAnIndexOfADistributionHasItsVersion(t *testing.T) {
	w := newWorld(t)
	w.venv(filepath.Join(w.project, ".venv"), till("1.0"))
	q := w.query("till")
	q.Index = true
	if p := w.must(q); p.Version != "1.0" || len(p.Symbols) != 1 || p.Symbols[0].Path != "till" {
		t.Errorf("got %s with %+v", p.Version, p.Symbols) // Without a version, the file would be read for each search.
	}
}

func TestStubsInDirectoriesOfTheirOwn(t *testing.T) {
	w := newWorld(t)
	site := filepath.Join(w.project, ".venv", "lib", "python3.11", "site-packages")
	w.venv(filepath.Join(w.project, ".venv"), installed("other", "1.0", files{"other.py": ""}))
	for _, dist := range []files{
		installed("plain", "1.0", files{"plain/__init__.py": "from .deep import g\ndef f(a): pass\n", "plain/deep.py": "def g(a): pass\n"}),
		installed("types-plain", "1.0", files{"plain-stubs/__init__.pyi": "from .deep import g as g\ndef f(a: int) -> str: ...\n", "plain-stubs/deep.pyi": "def g(a: bytes) -> str: ...\n"}),
		installed("fast", "1.0", files{"fast/__init__.py": "from _fast import h\n__all__ = ['h']\n", "_fast.so": "", "_fast-stubs/__init__.pyi": "def h(a: int) -> int: ...\n"}),
	} {
		w.write(site, dist)
	}
	for _, tt := range []struct{ module, symbol, want string }{
		{"plain", "f", "def f(a: int) -> str"},
		{"plain", "g", "def g(a: bytes) -> str"},
		{"plain.deep", "g", "def g(a: bytes) -> str"},
		{"fast", "h", "def h(a: int) -> int"}, // These are the stubs for another module of the distribution.
	} {
		s := w.must(w.query(tt.module)).At(tt.symbol)
		if s == nil || s.Signature != tt.want {
			t.Errorf("%s.%s: got %+v, want %s", tt.module, tt.symbol, s, tt.want)
		}
	}
	// Stubs that are installed later count.
	w.write(site, installed("late", "1.0", files{"late/__init__.py": "def f(a): pass\n"}))
	w.must(w.query("late"))
	w.write(site, installed("types-late", "1.0", files{"late-stubs/__init__.pyi": "def f(a: int) -> str: ...\n"}))
	if s := w.must(w.query("late")).At("f"); s == nil || s.Signature != "def f(a: int) -> str" {
		t.Errorf("got %+v", s)
	}
}
