package npmrc

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
)

// variables are the environment variables that package managers read.
type variables struct{ environ.Env }

// npmSettings returns the settings in variables named NPM_CONFIG_*, in any
// letter case. A lower-case name, which npm itself exports, takes precedence.
func (e variables) npmSettings() []setting {
	const prefix = "npm_config_"
	var out []setting
	for _, name := range e.Names() {
		value := e.Get(name)
		if len(name) <= len(prefix) || !strings.EqualFold(name[:len(prefix)], prefix) || value == "" {
			continue
		}
		key := name[len(prefix):]
		if !strings.HasPrefix(key, "//") {
			key = strings.ToLower(key)
			key = key[:1] + strings.ReplaceAll(key[1:], "_", "-")
			if key == "_authtoken" {
				key = "_authToken"
			}
		}
		out = append(out, setting{key, value})
	}
	return out
}

// yarnSettings returns the settings in variables that only yarn reads.
func (e variables) yarnSettings() []setting {
	return e.settings(map[string]string{
		"YARN_REGISTRY": "registry", "YARN_NPM_REGISTRY_SERVER": "registry",
		"YARN_NPM_AUTH_TOKEN": "_authToken", "YARN_NPM_AUTH_IDENT": "_auth",
		"YARN_HTTP_PROXY": "proxy", "YARN_HTTPS_PROXY": "https-proxy",
		"YARN_HTTPS_CA_FILE_PATH": "cafile", "YARN_ENABLE_STRICT_SSL": "strict-ssl",
	})
}

// bunSettings returns the settings in variables that only bun reads.
func (e variables) bunSettings() []setting {
	return e.settings(map[string]string{"BUN_CONFIG_REGISTRY": "registry", "BUN_CONFIG_TOKEN": "_authToken"})
}

func (e variables) settings(names map[string]string) []setting {
	var out []setting
	for _, name := range e.Names() {
		if key := names[name]; key != "" && e.Get(name) != "" {
			out = append(out, setting{key, e.Get(name)})
		}
	}
	return out
}

// path resolves the name of a file in a setting: "~" represents the user's home directory, and a
// relative name is resolved below dir.
func (e variables) path(name, dir string) string {
	if rest, ok := strings.CutPrefix(filepath.ToSlash(name), "~/"); ok && e.Home() != "" {
		return filepath.Join(e.Home(), filepath.FromSlash(rest))
	}
	if name == "" || filepath.IsAbs(name) || dir == "" {
		return name
	}
	return filepath.Join(dir, name)
}

// nodePrefix returns the directory in which node is installed, such as /usr. It
// returns "" if node is not in PATH.
func (e variables) nodePrefix() string {
	node := e.LookPath("node")
	if node == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(node); err == nil {
		node = real
	}
	prefix := filepath.Dir(node)
	if filepath.Base(prefix) == "bin" {
		prefix = filepath.Dir(prefix)
		if e.Get("DESTDIR") != "" {
			prefix = filepath.Join(e.Get("DESTDIR"), prefix)
		}
	}
	return prefix
}

// builtinConfig returns the path of the npmrc file in npm's installation, which contains the
// settings of npm's packager. It returns "" if npm is not installed.
func (e variables) builtinConfig() string {
	npm := e.LookPath("npm")
	if npm == "" {
		return ""
	}
	dirs := []string{filepath.Join(filepath.Dir(npm), "node_modules", "npm")}
	if real, err := filepath.EvalSymlinks(npm); err == nil {
		dirs = append(dirs, filepath.Dir(filepath.Dir(real)), filepath.Join(filepath.Dir(filepath.Dir(real)), "lib", "node_modules", "npm"))
	}
	for _, dir := range dirs {
		if file := filepath.Join(dir, "npmrc"); filepath.Base(dir) == "npm" && project.IsFile(file) {
			return file
		}
	}
	return ""
}

// xdgConfig returns XDG_CONFIG_HOME if it is absolute, or else "".
func (e variables) xdgConfig() string {
	if dir := e.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// pnpmDir returns the directory of pnpm's user settings, or "" if there is no home directory.
func (e variables) pnpmDir() string {
	home := e.Home()
	switch {
	case e.xdgConfig() != "":
		return filepath.Join(e.xdgConfig(), "pnpm")
	case runtime.GOOS == "windows" && filepath.IsAbs(e.Get("LOCALAPPDATA")):
		return filepath.Join(e.Get("LOCALAPPDATA"), "pnpm", "config")
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Preferences", "pnpm")
	}
	return filepath.Join(home, ".config", "pnpm")
}

// projectVariables is the name of the variable that lists the variables to which project files may
// refer, separated by commas or spaces. If it is unset, they may refer to all variables, as with
// npm.
const projectVariables = "DOCENT_PROJECT_VARIABLES"

// forProjects returns the variables that project files may refer to.
func (e variables) forProjects() variables {
	list, ok := e.Lookup(projectVariables)
	if !ok {
		return e
	}
	allowed := environ.Env{}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if value, ok := e.Lookup(name); ok {
			allowed[name] = value
		}
	}
	return variables{allowed}
}

// MissingVariable is a variable that a setting refers to but that is unavailable
// because it is not set or is withheld from projects. The zero value means that
// no variable is missing.
type MissingVariable struct {
	name     string
	withheld bool
}

// Any reports whether a variable is missing.
func (m MissingVariable) Any() bool { return m.name != "" }

// String returns the name of the variable and explains why it is unavailable.
func (m MissingVariable) String() string {
	if m.withheld {
		return m.name + ", which " + projectVariables + " does not list"
	}
	return m.name + ", which is not set"
}

// Remedy returns advice on how to make the variable available.
func (m MissingVariable) Remedy() string {
	if m.withheld {
		return "if you trust the project with this variable, add " + m.name + " to " + projectVariables + ", or write the setting into your own ~/.npmrc"
	}
	return "set " + m.name + " in docent's environment"
}
