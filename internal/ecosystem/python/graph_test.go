package python

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"testing"

	"github.com/docent-mcp/docent/internal/project"
)

// uvLock contains both variants of everything that graphs distinguish: packages for
// this and for other platforms, extras that are on and off, and several versions of a
// package.
const uvLock = `version = 1
[[package]]
name = "app"
version = "1.0"
source = { editable = "." }
dependencies = [{ name = "alpha", extra = ["fast"] }, { name = "core" }, { name = "winlib", marker = "sys_platform == 'win32'" }]
[package.optional-dependencies]
web = [{ name = "beta", version = "2.0" }]
[package.dev-dependencies]
dev = [{ name = "tester" }]
[[package]]
name = "core"
version = "0.1"
source = { editable = "libs/core" }
dependencies = [{ name = "beta", version = "2.0" }]
[[package]]
name = "alpha"
version = "1.0"
source = { registry = "https://index.example/simple" }
dependencies = [{ name = "beta", version = "2.0" }]
[package.optional-dependencies]
fast = [{ name = "speedups" }]
slow = [{ name = "brakes" }]
[[package]]
name = "beta"
version = "1.0"
source = { registry = "https://index.example/simple" }
[[package]]
name = "beta"
version = "2.0"
source = { registry = "https://index.example/simple" }
[[package]]
name = "brakes"
version = "1.0"
source = { registry = "https://index.example/simple" }
[[package]]
name = "speedups"
version = "1.0"
source = { registry = "https://index.example/simple" }
[[package]]
name = "tester"
version = "1.0"
source = { registry = "https://index.example/simple" }
[[package]]
name = "winlib"
version = "1.0"
source = { registry = "https://index.example/simple" }
dependencies = [{ name = "beta", version = "1.0" }]
`

func TestGraph(t *testing.T) {
	const manifest = "[project]\nname='app'\nrequires-python='>=3.9'\ndependencies=['alpha[fast]>=1','core','winlib; sys_platform==\"win32\"']\n[project.optional-dependencies]\nweb=['beta']\n[dependency-groups]\ndev=['tester']\n"
	workspace := files{
		"pyproject.toml":           manifest + "[tool.uv.workspace]\nmembers=['libs/*']\n",
		"libs/core/pyproject.toml": "[project]\nname='core'\ndependencies=['beta<3']\n",
	}
	poetry := "[[package]]\nname = \"alpha\"\nversion = \"1.0\"\npython-versions = \"*\"\n[package.dependencies]\nbeta = \">=2\"\n[[package]]\nname = \"beta\"\nversion = \"2.0\"\npython-versions = \"*\"\n[[package]]\nname = \"winlib\"\nversion = \"1.0\"\npython-versions = \"*\"\nmarkers = \"sys_platform == \\\"win32\\\"\"\n"
	pdm := "[[package]]\nname = \"alpha\"\nversion = \"1.0\"\ndependencies = [\"beta>=2\", \"winlib; sys_platform == 'win32'\"]\n[[package]]\nname = \"beta\"\nversion = \"2.0\"\n[[package]]\nname = \"winlib\"\nversion = \"1.0\"\nmarker = \"sys_platform == 'win32'\"\n"
	alpha := installed("alpha", "1.0", files{"alpha.py": module})
	alpha["alpha-1.0.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: alpha\nVersion: 1.0\nRequires-Dist: beta>=2\nRequires-Dist: speedups; extra == 'fast'\nRequires-Dist: brakes; extra == 'slow'\nProvides-Extra: fast\n"
	for _, test := range []struct {
		name          string
		project, site files
		want          string
	}{
		{"uv.lock", with(workspace, "uv.lock", uvLock), installed("beta", "1.5", nil), `app . (pyproject.toml) > core alpha beta tester
core libs/core (libs/core/pyproject.toml) > beta
!alpha 1.0 (uv.lock) > beta speedups wanted as >=1
~!beta 1.0 (uv.lock)
!beta 2.0 (uv.lock) wanted as <3
~!brakes 1.0 (uv.lock)
!speedups 1.0 (uv.lock)
!tester 1.0 (uv.lock)
~!winlib 1.0 (uv.lock) > beta
`},
		{"poetry.lock", files{"pyproject.toml": "[tool.poetry]\nname='app'\n[tool.poetry.dependencies]\nalpha='^1'\n", "poetry.lock": poetry}, nil, `app . (pyproject.toml) > alpha
!alpha 1.0 (poetry.lock) > beta wanted as >=1,<2
!beta 2.0 (poetry.lock)
~!winlib 1.0 (poetry.lock)
`},
		{"pdm.lock", files{"pyproject.toml": "[project]\nname='app'\ndependencies=['alpha']\n", "pdm.lock": pdm}, nil, `app . (pyproject.toml) > alpha
!alpha 1.0 (pdm.lock) > beta
!beta 2.0 (pdm.lock)
~!winlib 1.0 (pdm.lock)
`},
		{"a virtual environment", files{"pyproject.toml": manifest}, with(alpha, "beta-2.1.dist-info/METADATA", metadataOf("beta", "2.1"), "pip-25.0.dist-info/METADATA", metadataOf("pip", "25.0")), `app . (pyproject.toml) > alpha beta core tester
alpha 1.0 (.venv of app) > beta speedups wanted as >=1
beta 2.1 (.venv of app)
!core (pyproject.toml)
pip 25.0 (.venv of app)
!speedups (pyproject.toml)
!tester (pyproject.toml)
`},
		{"requirements.txt", files{"pyproject.toml": absent, "requirements.txt": "alpha[fast]==1.0\n"}, alpha, `app . (requirements.txt) > alpha
alpha 1.0 (requirements.txt) > beta speedups wanted as ==1.0
!beta (requirements.txt)
!speedups (requirements.txt)
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.project = filepath.Join(w.project, "app")
			for name, text := range test.project {
				if text != absent {
					w.write(w.project, files{name: text})
				}
			}
			w.venv(filepath.Join(w.project, ".venv"), test.site)
			g, err := w.python().Graph(context.Background(), w.project)
			if err != nil {
				t.Fatal(err)
			}
			if got := g.String(); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
	if _, err := newWorld(t).python().Graph(context.Background(), t.TempDir()); !errors.Is(err, project.ErrNone) {
		t.Errorf("a directory without a project: %v", err)
	}
}

// with returns a copy of files with additional files, given as names and contents.
func with(all files, pairs ...string) files {
	out := maps.Clone(all)
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}
