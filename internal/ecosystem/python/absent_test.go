package python

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// vendoredSix finds modules below itself.
const vendoredSix = `import sys
__path__ = []  # as packages have
class _Importer(object):
    def __init__(self, name): self.name = name
    def find_spec(self, fullname, path, target=None): ...
    def load_module(self, fullname):
        sys.modules[fullname] = mod
_importer = _Importer(__name__)
if sys.meta_path:
    for i, importer in enumerate(sys.meta_path):
        del sys.meta_path[i]
sys.meta_path.append(_importer)
`

func TestFind_AbsentModules(t *testing.T) {
	w := newWorld(t, "PIP_INDEX_URL=http://127.0.0.1:1/simple") // no index answers
	site := filepath.Join(w.project, ".venv", "lib", "python3.11", "site-packages")
	w.venv(filepath.Join(w.project, ".venv"), installed("whole", "1.2", files{"whole/__init__.py": module, "whole/middleware.py": module, "whole/deep/__init__.py": "import sys\nsys.modules[__name__] = object()\n", "whole/native.cpython-311-x86_64-linux-gnu.so": ""}))
	w.write(site, installed("single", "2.0", files{"single.py": module}))
	w.write(site, installed("shared-part", "1.0", files{"shared/part/__init__.py": module}))
	w.write(site, installed("lazy", "1.0", files{"lazy/__init__.py": "", "lazy/_compat.py": "import sys\nsys.modules['lazy.moves'] = sys\n"}))
	w.write(site, installed("aliases", "1.0", files{"aliases/__init__.py": "import sys\nsys.modules['aliases.first'] = sys.modules['aliases.second'] = sys\n"}))
	w.write(site, installed("bundled", "1.0", files{"bundled/__init__.py": "", "bundled/vendored/six.py": vendoredSix}))
	w.write(site, installed("extended", "1.0", files{"extended/__init__.py": "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n"}))
	w.write(filepath.Join(w.home, "python", "cpython-3.11.7-linux", "lib", "python3.11"), files{"logging/__init__.py": module, "logging/handlers.py": module, "distutils/__init__.py": module, "importlib/__init__.py": "import sys\nfor finder in sys.meta_path: pass\n", "importlib/util.py": module, "os.py": "sys.modules['os.path'] = path\n"})
	for name, want := range map[string]string{
		"whole.middlewares": "whole 1.2 has no module whole.middlewares; whole.middleware",
		"whole.none.deeper": "whole 1.2 has no module whole.none",
		"whole.deep.none":   "whole 1.2 has no module whole.deep.none",
		"single.other":      "single 2.0 has no module single.other",
		"logging.handler":   "Python 3.11.7 has no module logging.handler; logging.handlers",
		"importlib.utli":    "Python 3.11.7 has no module importlib.utli; importlib.util",
		"os.pth":            "Python 3.11.7 has no module os.pth",
		"lazy.move":         "lazy 1.0 has no module lazy.move",
		"bundled.other":     "bundled 1.0 has no module bundled.other",
		// These may exist elsewhere, or while the program runs.
		"whole.native.inner":         "",
		"shared.other":               "",
		"lazy.moves":                 "",
		"lazy.moves.deep":            "",
		"aliases.first":              "",
		"aliases.second":             "",
		"extended.other":             "",
		"distutils.core":             "",
		"bundled.vendored.six.moves": "",
	} {
		err := w.refused(w.query(name))
		got := strings.Join(append([]string{err.What}, err.Near...), "; ")
		if decided := err.Reason == ecosystem.NotFound && !err.Unsure; decided != (want != "") || decided && got != want {
			t.Errorf("%s: %s, %v, unsure %t, want %q", name, got, err.Reason, err.Unsure, want)
		}
	}
	w.write(w.project, files{"requirements.txt": "whole==1.1\n"})
	if err := w.refused(w.query("whole.middlewares")); err.Reason == ecosystem.NotFound || slices.Contains(err.Near, "whole.middleware") {
		t.Errorf("for another version, the error is %v", err)
	}
}

// TestFind_ModulesOfRequirementsThatAreNotInstalled checks modules that no index has under their names.
func TestFind_ModulesOfRequirementsThatAreNotInstalled(t *testing.T) {
	s := newServer(t)
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.venv(filepath.Join(w.project, ".venv"), installed("pywhole", "1.2", files{"whole/__init__.py": module}))
	w.write(w.project, files{"pyproject.toml": "[project]\nname = \"app\"\nversion = \"1\"\ndependencies = [\"pywhole\", \"same\"]\n[project.optional-dependencies]\ntests = [\"PyMatch >= 2\"]\n"})
	for name, unsure := range map[string]bool{"match": true, "matches": false, "invented": false, "same": false, "holes": false} {
		if err := w.refused(w.query(name)); err.Reason != ecosystem.NotFound || err.Unsure != unsure {
			t.Errorf("%s: %v, unsure %t, want %t", name, err, err.Unsure, unsure)
		}
	}
}
