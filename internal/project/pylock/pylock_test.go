package pylock

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

func environment(python, platform string) pep508.Environment {
	return pep508.Environment{Values: map[string]string{
		"python_version": python, "python_full_version": python + ".5", "sys_platform": platform, "os_name": "posix", "extra": "",
		"platform_machine": "x86_64", "platform_system": "Linux", "platform_python_implementation": "CPython", "implementation_name": "cpython",
	}, Sets: map[string][]string{"extras": {}, "dependency_groups": {}}}
}

var linux = environment("3.11", "linux")

func find(t *testing.T, dir string) *Project {
	t.Helper()
	var l Loader
	p, err := l.Find(context.Background(), dir, environ.Parse([]string{"X=1"}))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const uvLock = `version = 1
revision = 3
requires-python = ">=3.10"
resolution-markers = ["python_full_version >= '3.12'", "python_full_version < '3.12'"]

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "array", version = "1.9", source = { registry = "https://index.example/simple" }, marker = "python_full_version < '3.12'" },
    { name = "array", version = "2.1", source = { registry = "https://index.example/simple" }, marker = "python_full_version >= '3.12'" },
    { name = "shared" },
]

[package.dev-dependencies]
dev = [{ name = "checker" }]

[[package]]
name = "array"
version = "1.9"
source = { registry = "https://index.example/simple" }
resolution-markers = ["python_full_version < '3.12'"]
sdist = { url = "https://files.example/array-1.9.tar.gz", hash = "sha256:aa", size = 12 }
wheels = [{ url = "https://files.example/array-1.9-py3-none-any.whl", hash = "sha256:bb", size = 34 }]

[[package]]
name = "array"
version = "2.1"
source = { registry = "https://index.example/simple" }
resolution-markers = ["python_full_version >= '3.12'"]

[[package]]
name = "split"
version = "1.0"
source = { registry = "https://index.example/simple" }

[[package]]
name = "split"
version = "2.0"
source = { registry = "https://index.example/simple" }

[[package]]
name = "shared"
version = "0.2"
source = { editable = "libs/shared" }
dependencies = [{ name = "split", version = "1.0", marker = "sys_platform == 'linux'" }, { name = "split", version = "2.0", marker = "sys_platform != 'linux'" }]

[[package]]
name = "checker"
version = "7"
source = { git = "https://git.example/checker?rev=main#abc" }
`

func TestALockFileOfUVChooses(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"pyproject.toml": "[project]\nname='app'\nrequires-python='>=3.10'\ndependencies=['array','shared']\n[dependency-groups]\ndev=['checker', {include-group='lint'}]\nlint=['Ruff>1']\n[tool.uv.workspace]\nmembers=['libs/*']\n",
		"uv.lock":        uvLock, "libs/shared/pyproject.toml": "[project]\nname='shared'\ndependencies=['split']\n",
	})
	p := find(t, dir)
	if p.Name() != "app" || p.LockName() != "uv.lock" || p.Problem != "" || !slices.Equal(p.Manifest.Names(), []string{"array", "shared", "checker", "ruff"}) {
		t.Fatalf("%+v %v", p, p.Manifest.Names())
	}
	for _, tt := range []struct {
		name, want string
		env        pep508.Environment
	}{
		{"Array", "1.9", linux},
		{"array", "2.1", environment("3.13", "linux")},
		{"split", "1.0", linux},
		{"split", "2.0", environment("3.11", "darwin")},
		{"checker", "7", linux},
	} {
		if d, ok := p.Locked(tt.name, tt.env); !ok || d.Version != tt.want || d.Note != "" {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
	d, _ := p.Locked("array", linux)
	want := []File{{"array-1.9.tar.gz", "https://files.example/array-1.9.tar.gz", "aa", 12}, {"array-1.9-py3-none-any.whl", "https://files.example/array-1.9-py3-none-any.whl", "bb", 34}}
	if !slices.Equal(d.Package.Files, want) || d.Package.Index != "https://index.example/simple" || !d.Direct || d.By != "uv.lock" {
		t.Errorf("%+v", d)
	}
	if d, _ := p.Locked("shared", linux); d.Dir != filepath.Join(dir, "libs", "shared") {
		t.Error(d.Dir)
	}
	if d, _ := p.Locked("checker", linux); d.Package.Foreign == "" {
		t.Error("a package of git has no source")
	}
	member := find(t, filepath.Join(dir, "libs", "shared"))
	if member.Root != dir || member.Dir == dir || member.LockName() != "uv.lock" {
		t.Errorf("%+v", member)
	}
	if got := p.Members(); got["shared"] != filepath.Join(dir, "libs", "shared") || got["app"] != dir {
		t.Error(got)
	}
	if _, ok := p.Locked("absent", linux); ok {
		t.Error("what is not locked is found")
	}
}

func TestOtherLockFilesChoose(t *testing.T) {
	manifest := "[project]\nname='app'\ndependencies=['lib>=1']\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string // the version, index and hashes of lib on Linux, then its version on Windows
	}{
		{"Poetry", map[string]string{"poetry.lock": `[[package]]
name = "lib"
version = "1.5"
optional = false
python-versions = ">=3.8"
groups = ["main"]
markers = "sys_platform != \"win32\""
files = [{file = "lib-1.5.tar.gz", hash = "sha256:aa"}]
[package.source]
type = "legacy"
url = "https://index.example/simple"
reference = "shop"

[[package]]
name = "lib"
version = "1.4"
python-versions = ">=3.8"
markers = {main = "sys_platform == \"win32\"", dev = "sys_platform == \"win32\""}
files = []

[metadata]
lock-version = "2.1"
`}, "1.5 https://index.example/simple shop 1, 1.4"},
		{"an old Poetry", map[string]string{"poetry.lock": "[[package]]\nname = \"lib\"\nversion = \"1.5\"\npython-versions = \"*\"\n[metadata.files]\nlib = [{file = \"lib-1.5.tar.gz\", hash = \"sha256:aa\"}]\n"}, "1.5   1, 1.5"},
		{"pdm", map[string]string{"pdm.lock": `[metadata]
lock_version = "4.5.0"
[[package]]
name = "lib"
version = "1.5"
requires_python = ">=3.9"
groups = ["default"]
marker = "sys_platform != 'win32'"
files = [{file = "lib-1.5-py3-none-any.whl", hash = "sha256:aa"}, {url = "https://files.example/lib-1.5.tar.gz", hash = "sha256:bb"}]
[[package]]
name = "lib"
version = "1.2"
requires_python = ">=3.9"
marker = "sys_platform == 'win32'"
`}, "1.5   2, 1.2"},
		{"pipenv", map[string]string{"Pipfile": "", "Pipfile.lock": `{"_meta":{"sources":[]},"default":{"lib":{"version":"==1.5","hashes":["sha256:aa","sha256:bb"],"index":"shop","markers":"python_version >= '3.7'"}},"develop":{"lib":{"version":"==1.5"}}}`}, "1.5  shop 2, 1.5"},
		{"PEP 751", map[string]string{"pylock.toml": `lock-version = "1.0"
[[packages]]
name = "lib"
version = "1.5"
marker = "sys_platform != 'win32'"
index = "https://index.example/simple"
wheels = [{name = "lib-1.5-py3-none-any.whl", upload-time = 2025-01-02T03:04:05Z, url = "https://files.example/lib-1.5-py3-none-any.whl", size = 5, hashes = {sha256 = "aa"}}]
[[packages]]
name = "lib"
version = "1.1"
marker = "sys_platform == 'win32'"
archive = {url = "https://files.example/lib.zip", hashes = {sha256 = "cc"}}
`}, "1.5 https://index.example/simple  1, 1.1"},
		{"requirements", map[string]string{
			"requirements.txt": "# made by hand\n-r more/base.txt\n-c constraints.txt\nlib ; sys_platform != 'win32' # here\n", "more/base.txt": "other==2 \\\n  --hash=sha256:aa \\\n  --hash=sha256:bb\n",
			"constraints.txt": "lib==1.5 ; sys_platform != 'win32'\nlib==1.0 ; sys_platform == 'win32'\n",
		}, "1.5   0, 1.0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name != "requirements" {
				tt.files["pyproject.toml"] = manifest
			}
			p := find(t, filetest.Dir(t, tt.files))
			d, ok := p.Locked("Lib", linux)
			if !ok || p.Problem != "" {
				t.Fatalf("%+v %s", d, p.Problem)
			}
			other, _ := p.Locked("lib", environment("3.11", "win32"))
			got := strings.Join([]string{d.Version, d.Package.Index, d.Package.IndexName, string(rune('0' + len(d.Package.Files)))}, " ") + ", " + other.Version
			if got != tt.want || !d.Direct {
				t.Errorf("got %q, want %q: %+v", got, tt.want, d)
			}
		})
	}
}

func TestManifestsSayWhatIsWanted(t *testing.T) {
	for _, tt := range []struct {
		name       string
		files      map[string]string
		want       string // requirements
		wantPython string
	}{
		{"PEP 621", map[string]string{"pyproject.toml": "[project]\nname='app'\nrequires-python='>=3.9'\ndependencies=['a>1']\n[project.optional-dependencies]\ncli=['b[x]<2']\n"}, "a>1 b<2", ">=3.9"},
		{"Poetry", map[string]string{"pyproject.toml": "[tool.poetry]\nname='app'\n[tool.poetry.dependencies]\npython='^3.9'\na='^1.2.3'\nb={version='~0.4',markers=\"sys_platform=='x'\"}\nc='*'\nd=[{version='<2',python='<3.10'},{version='>=2',python='>=3.10'}]\n"}, "a>=1.2.3,<2 b>=0.4,<0.5 c d<2 d>=2", ">=3.9,<4"},
		{"Hatch", map[string]string{"pyproject.toml": "[project]\nname='app'\ndependencies=['a>1']\n[tool.hatch.envs.test]\nextra-dependencies=['c<2']\nfeatures=['x']\n[tool.hatch.envs.default]\ndependencies=['b']\nscripts={lint='b .'}\n"}, "a>1 b c<2", ""},
		{"setup.cfg", map[string]string{"setup.cfg": "[metadata]\nname = app\n[options]\npython_requires = >=3.8\ninstall_requires =\n    a>1\n    # no\n    b; python_version<'4'\n[options.extras_require]\ntest = c; d\n"}, "a>1 b c d", ">=3.8"},
		{"Pipfile", map[string]string{"Pipfile": "[packages]\na='==1.0'\n[dev-packages]\nb={version='*', index='shop'}\n[requires]\npython_version='3.11'\n"}, "a==1.0 b", "==3.11.*"},
		{"requirements", map[string]string{"requirements.txt": "-i https://index.example/simple\n-rdev.txt\na>=1 # x\n./local[x]\nb @ https://files.example/b-1.0.zip\nhttps://files.example/c-2.0-py3-none-any.whl\n--nonsense\n", "dev.txt": "-e ./here\nd\n-r requirements.txt\n"}, "d a>=1 b c", ""},
	} {
		p := find(t, filetest.Dir(t, tt.files))
		var got []string
		for _, group := range p.Manifest.Groups() {
			for _, r := range p.Manifest.Requirements[group] {
				got = append(got, r.Name+r.Specifiers.String())
			}
		}
		if strings.Join(got, " ") != tt.want || p.Manifest.RequiresPython.String() != tt.wantPython || p.Problem != "" {
			t.Errorf("%s: %q for Python %s, %s", tt.name, got, p.Manifest.RequiresPython, p.Problem)
		}
	}
}

func TestIndexesAndSourcesAreRead(t *testing.T) {
	p := find(t, filetest.Dir(t, map[string]string{"pyproject.toml": `[project]
name = "app"
[tool.uv]
extra-index-url = ["https://extra.example/simple"]
index-url = "https://main.example/simple"
[[tool.uv.index]]
name = "shop"
url = "https://shop.example/simple"
explicit = true
[tool.uv.sources]
Till = { index = "shop" }
core = [{ path = "../core", marker = "sys_platform == 'linux'" }, { git = "https://git.example/core" }]
`}))
	var got []string
	for _, i := range p.Manifest.Indexes {
		flags := ""
		if i.Default {
			flags += " default"
		}
		if i.Explicit {
			flags += " explicit"
		}
		got = append(got, i.Name+" "+i.URL+flags)
	}
	want := []string{"shop https://shop.example/simple explicit", " https://extra.example/simple", " https://main.example/simple default"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	sources, dir := p.SourcesOf("till")
	if len(sources) != 1 || sources[0].Index != "shop" || dir != p.Dir {
		t.Error(sources)
	}
	if sources, _ := p.SourcesOf("core"); len(sources) != 2 || sources[0].Path != "../core" || sources[1].Marker.IsZero() == false {
		t.Error(sources)
	}
}

func TestHostileProjectsAreBounded(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	var loops strings.Builder
	for range 200 {
		loops.WriteString("{include-group='a'},")
	}
	for name, files := range map[string]map[string]string{
		"nested TOML":          {"pyproject.toml": "a = " + deep},
		"a lock file":          {"pyproject.toml": "[project]\nname='x'\n", "uv.lock": "version = 1\npackage = " + deep},
		"a newer lock file":    {"pyproject.toml": "[project]\nname='x'\n", "uv.lock": "version = 9\n"},
		"a Pipfile.lock":       {"Pipfile": "", "Pipfile.lock": strings.Repeat(`{"a":`, 100_000)},
		"no PEP 751":           {"pyproject.toml": "[project]\nname='x'\n", "pylock.toml": "x = 1\n"},
		"groups in a circle":   {"pyproject.toml": "[dependency-groups]\na=[" + loops.String() + "]\n"},
		"markers":              {"requirements.txt": "x==1; " + strings.Repeat("(", 60_000) + "\n"},
		"includes":             {"requirements.txt": strings.Repeat("-r requirements.txt\n", 10_000)},
		"a workspace of stars": {"pyproject.toml": "[project]\nname='x'\n[tool.uv.workspace]\nmembers=['" + strings.Repeat("**/", 50) + "x']\n"},
	} {
		p := find(t, filetest.Dir(t, files))
		p.Locked("x", linux)
		p.Members()
		if strings.Contains(p.Problem, "[[[[") {
			t.Errorf("%s: %.200s", name, p.Problem)
		}
		if strings.Contains(name, "lock") && p.Problem == "" {
			t.Errorf("%s is read", name)
		}
	}
	var l Loader
	if _, err := l.Find(context.Background(), t.TempDir(), environ.Parse([]string{"X=1"})); !errors.Is(err, project.ErrNone) {
		t.Error(err)
	}
}

// FuzzLock reads hostile lock files of every kind.
func FuzzLock(f *testing.F) {
	f.Add(0, uvLock)
	f.Add(1, "[[package]]\nname = \"lib\"\nversion = \"1.5\"\npython-versions = \"*\"\nmarkers = {main = \"os_name == 'x'\"}\n")
	f.Add(2, "[[package]]\nname = \"lib\"\nversion = \"1.5\"\nmarker = \"x\"\nfiles = [{file = \"lib-1.5.tar.gz\", hash = \"sha256:aa\"}]\n")
	f.Add(3, `{"default":{"lib":{"version":"==1.5","hashes":["sha256:aa"]}}}`)
	f.Add(4, "lock-version = \"1.0\"\n[[packages]]\nname = \"lib\"\nversion = \"1\"\n")
	f.Fuzz(func(t *testing.T, kind int, data string) {
		if kind < 0 || kind >= len(lockFiles) {
			return
		}
		l, err := lockFiles[kind].parse(context.Background(), []byte(data))
		if err != nil {
			return
		}
		for _, name := range l.names() {
			for _, from := range []string{".", "libs/shared", "../x"} {
				if p, _, ok := l.find(name, from, linux, nil); !ok || pep508.Normalize(p.Name) != name {
					t.Errorf("%s is locked and not found", name)
				}
			}
		}
	})
}

// FuzzManifest reads hostile manifests and requirements files.
func FuzzManifest(f *testing.F) {
	f.Add("[project]\nname='app'\ndependencies=['a>1']\n[dependency-groups]\nx=['b',{include-group='x'}]\n[tool.poetry.dependencies]\nc='^0.0'\n", "a==1 --hash=sha256:aa\\\n-r x\n-e ./y[z]\n--index-url=${X}", "[options]\ninstall_requires=\n a\n")
	f.Fuzz(func(t *testing.T, pyproject, requirement, setup string) {
		var m Manifest
		if m.parsePyproject([]byte(pyproject)) == nil {
			m.hasMember("a/b")
		}
		m = Manifest{}
		if m.parsePipfile([]byte(pyproject)) == nil {
			m.Names()
		}
		m.parseSetupCfg([]byte(setup))
		for _, name := range m.Names() {
			if !pep508.ValidName(name) {
				t.Errorf("%q is a name", name)
			}
		}
		r := &requirements{seen: map[string]bool{}, read: func(string) ([]byte, error) { return []byte(requirement), nil }}
		r.include("requirements.txt", false)
		r.lock()
	})
}
