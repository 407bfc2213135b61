package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// toolbox contains a virtual environment for each package manager.
type toolbox struct {
	t     *testing.T
	dir   string
	index string // the default index, as pip names it
}

func newToolbox(t *testing.T) *toolbox {
	t.Helper()
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test installs package managers and packages; to run it, set DOCENT_LIVE=1")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, whose pip installs the packages of this test; to run it, install Python")
	}
	b := &toolbox{t: t, dir: os.Getenv("DOCENT_PYTHON_TOOLS")} // The directory may contain tools from an earlier run.
	if b.dir == "" {
		b.dir = t.TempDir()
	}
	out, err := exec.Command(python, "-c", "from pip._internal.models.index import PyPI; print(PyPI.simple_url)").Output()
	if err != nil {
		t.Skip("python3 has no pip, which installs the packages of this test; to run it, install pip:", err)
	}
	b.index = strings.TrimSpace(string(out))
	return b
}

// tool installs a package manager and its dependencies, and returns the directory of
// its programs.
func (b *toolbox) tool(name string, packages ...string) string {
	b.t.Helper()
	dir := filepath.Join(b.dir, name)
	bin := filepath.Join(dir, "bin")
	if !project.IsFile(filepath.Join(bin, "installed")) {
		b.run(b.dir, nil, "python3", "-m", "venv", dir)
		b.run(b.dir, nil, filepath.Join(bin, "python"), append([]string{"-m", "pip", "install", "-q", "-U"}, append(packages, name)...)...)
		if err := os.WriteFile(filepath.Join(bin, "installed"), nil, 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	return bin
}

func (b *toolbox) run(dir string, env []string, program string, args ...string) {
	b.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{"VIRTUAL_ENV=", "PDM_CHECK_UPDATE=0", "PIPENV_VENV_IN_PROJECT=1", "POETRY_VIRTUALENVS_IN_PROJECT=1"}, env...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("%s %s in %s: %v\n%s", program, strings.Join(args, " "), dir, err, out)
	}
}

func TestLockedVersionsAreThoseThatAreInstalled(t *testing.T) {
	b := newToolbox(t)
	uv := filepath.Join(b.tool("uv"), "uv")
	poetry := filepath.Join(b.tool("poetry"), "poetry")
	pdm := filepath.Join(b.tool("pdm", "pdm[locked]"), "pdm")
	pipenv := filepath.Join(b.tool("pipenv"), "pipenv")
	pip := filepath.Join(b.tool("pip"), "pip")
	withUV := []string{"PATH=" + filepath.Dir(uv) + string(filepath.ListSeparator) + os.Getenv("PATH"), "PDM_USE_UV=1"}
	project := "[project]\nname = 'app'\nversion = '1'\nrequires-python = '>=3.10'\n"
	source := "[[tool.poetry.source]]\nname = 'all'\nurl = '" + b.index + "'\npriority = 'primary'\n"
	type steps func(dir string)
	for _, tt := range []struct {
		name    string
		files   files
		make    steps
		minimum int // distributions
	}{
		{"uv with forks", files{"pyproject.toml": project + "dependencies = [\"numpy<2.3; python_version<'3.11'\", \"numpy>=2.3; python_version>='3.11'\", 'requests[socks]', \"colorama; sys_platform=='win32'\", 'tomli']\n[dependency-groups]\ndev = ['pytest', {include-group='lint'}]\nlint = ['pyflakes']\n"}, func(dir string) {
			b.run(dir, nil, uv, "sync", "-q", "--no-install-project")
		}, 10},
		{"a workspace of uv", files{
			"pyproject.toml":           project + "dependencies = ['core']\n[tool.uv.sources]\ncore = {workspace=true}\n[tool.uv.workspace]\nmembers = ['libs/*']\n",
			"libs/core/pyproject.toml": "[project]\nname='core'\nversion='0.1'\nrequires-python='>=3.10'\ndependencies=['click','pyyaml']\n[build-system]\nrequires=['hatchling']\nbuild-backend='hatchling.build'\n", "libs/core/src/core/__init__.py": "X = 1\n",
		}, func(dir string) { b.run(dir, nil, uv, "sync", "-q", "--all-packages", "--no-install-project") }, 2},
		{"Poetry with groups", files{"pyproject.toml": project + "dependencies = ['requests (>=2.31)', 'pyyaml']\n[tool.poetry]\npackage-mode = false\n[tool.poetry.group.dev.dependencies]\npytest = '^8'\n" + source}, func(dir string) {
			b.run(dir, nil, poetry, "lock", "-q")
			b.run(dir, nil, poetry, "install", "-q")
		}, 8},
		{"Poetry with several constraints", files{"pyproject.toml": "[tool.poetry]\nname='app'\npackage-mode = false\n[tool.poetry.dependencies]\npython = '>=3.10,<4'\nclick = [{version='<8.1', python='<3.11'}, {version='>=8.1', python='>=3.11'}]\nattrs = {version='*', markers=\"sys_platform=='linux'\"}\n" + source}, func(dir string) {
			b.run(dir, nil, poetry, "lock", "-q")
			b.run(dir, nil, poetry, "install", "-q")
		}, 1},
		{"pdm", files{"pyproject.toml": project + "dependencies = ['flask', \"colorama; sys_platform=='win32'\"]\n[dependency-groups]\ndev = ['pytest']\n[tool.pdm]\ndistribution = false\n", "pdm.toml": "use_uv = true\n"}, func(dir string) {
			b.run(dir, withUV, pdm, "install", "-q")
		}, 8},
		{"pdm with forks", files{"pyproject.toml": project + "dependencies = [\"attrs<24; python_version<'3.11'\", \"attrs>=24; python_version>='3.11'\", 'rich']\n[tool.pdm]\ndistribution = false\n", "pdm.toml": "use_uv = true\n"}, func(dir string) {
			b.run(dir, withUV, pdm, "install", "-q")
		}, 3},
		{"pipenv", files{"Pipfile": "[[source]]\nurl = '" + b.index + "'\nverify_ssl = true\nname = 'all'\n[packages]\nrequests = '>=2.31'\n[dev-packages]\npytest = '*'\n"}, func(dir string) {
			b.run(dir, nil, pipenv, "install", "--dev")
		}, 8},
		{"pipenv with markers", files{"Pipfile": "[[source]]\nurl = '" + b.index + "'\nverify_ssl = true\nname = 'all'\n[packages]\njinja2 = '*'\ncolorama = {version='*', markers=\"sys_platform == 'win32'\"}\n"}, func(dir string) {
			b.run(dir, nil, pipenv, "install")
		}, 2},
		{"pip lock", files{"requirements.in": "jinja2\nrequests\n"}, func(dir string) {
			b.run(dir, nil, pip, "lock", "-q", "-r", "requirements.in", "-o", "pylock.toml")
			b.run(dir, nil, uv, "venv", "-q", ".venv")
			b.run(dir, nil, uv, "pip", "sync", "-q", "--python", ".venv", "pylock.toml")
		}, 6},
		{"requirements with hashes", files{"requirements.in": "django\npydantic\n"}, func(dir string) {
			b.run(dir, nil, uv, "pip", "compile", "-q", "--generate-hashes", "--universal", "requirements.in", "-o", "requirements.txt")
			b.run(dir, nil, "python3", "-m", "venv", ".venv")
			b.run(dir, nil, filepath.Join(dir, ".venv", "bin", "pip"), "install", "-q", "-r", "requirements.txt")
		}, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.t = t
			w := newWorld(t)
			w.project = filepath.Join(w.home, "live")
			w.write(w.project, tt.files)
			tt.make(w.project)
			py := New(ecosystem.Options{Env: append(w.env, "DOCENT_OFFLINE=1"), Cache: w.options.Cache})
			f := py.local(w.project)
			if f == nil || f.env == nil || f.project == nil || f.project.LockFile == "" {
				t.Fatalf("%+v", f)
			}
			defer f.close()
			count := 0
			for _, d := range py.site(f.env.site[0]).ordered {
				name := pep508.Normalize(d.name)
				if name == "pip" || name == "setuptools" || name == "wheel" {
					continue // the environment's own
				}
				count++
				dep, ok := f.project.Locked(name, f.target.environment())
				if !ok || dep.Dir == "" && !sameVersion(dep.Version, d.version) || dep.Note != "" {
					t.Errorf("%s %s is installed, %s says %q %s", d.name, d.version, f.project.LockName(), dep.Version, dep.Note)
				}
			}
			if count < tt.minimum {
				t.Errorf("only %d distributions are installed in %v", count, f.env.site)
			}
			for _, name := range f.project.LockedNames() {
				dep, ok := f.project.Locked(name, f.target.environment())
				if ok && dep.Note == "" && f.distribution(name) == nil && dep.Dir == "" && !platformBound[name] {
					t.Errorf("%s %s is locked for this environment, and not installed", name, dep.Version)
				}
			}
			t.Logf("%d distributions as %s says", count, f.project.LockName())
		})
	}
}

// platformBound are distributions that are not installed on this platform only because
// of markers on the requirements for them, or that no group installs. Lock files record
// this in the requirements.
var platformBound = map[string]bool{"colorama": true, "app": true, "exceptiongroup": true, "tomli": true, "importlib-metadata": true, "zipp": true, "typing-extensions": true, "tzdata": true, "win-inet-pton": true}
