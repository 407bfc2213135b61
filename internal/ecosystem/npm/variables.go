package npm

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
)

// variables are the environment, with what tools for npm packages find in it.
type variables struct{ environ.Env }

// npmSettings are the settings that variables named NPM_CONFIG_ make, in
// letters of any case. If several name the same one, that in small letters
// counts, which npm itself sets for what it starts.
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

// yarnSettings are what variables say to yarn alone.
func (e variables) yarnSettings() []setting {
	return e.settings(map[string]string{
		"YARN_REGISTRY": "registry", "YARN_NPM_REGISTRY_SERVER": "registry",
		"YARN_NPM_AUTH_TOKEN": "_authToken", "YARN_NPM_AUTH_IDENT": "_auth",
		"YARN_HTTP_PROXY": "proxy", "YARN_HTTPS_PROXY": "https-proxy",
		"YARN_HTTPS_CA_FILE_PATH": "cafile", "YARN_ENABLE_STRICT_SSL": "strict-ssl",
	})
}

// bunSettings are what variables say to bun alone.
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

// path is a file that a setting names: "~" is the user's home, and what is not
// absolute begins from dir.
func (e variables) path(name, dir string) string {
	if rest, ok := strings.CutPrefix(filepath.ToSlash(name), "~/"); ok && e.Home() != "" {
		return filepath.Join(e.Home(), filepath.FromSlash(rest))
	}
	if name == "" || filepath.IsAbs(name) || dir == "" {
		return name
	}
	return filepath.Join(dir, name)
}

// nodePrefix is the directory that node is installed in.
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

// builtinConfig is the npmrc that npm's own directory holds; those who package
// npm put settings there.
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
		if file := filepath.Join(dir, "npmrc"); filepath.Base(dir) == "npm" && isFile(file) {
			return file
		}
	}
	return ""
}

// xdgConfig is where the user wants settings to be, empty if the environment does
// not say.
func (e variables) xdgConfig() string {
	if dir := e.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// pnpmDir is where pnpm keeps the user's settings.
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

// projectVariables names the variables that files of projects may have, separated
// by commas or spaces. Unset it is all, as with npm.
const projectVariables = "DOCENT_PROJECT_VARIABLES"

// forProjects is what of the environment files of projects may have.
func (e variables) forProjects() variables {
	list, ok := e.Lookup(projectVariables)
	if !ok {
		return e
	}
	some := environ.Env{}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if value, ok := e.Lookup(name); ok {
			some[name] = value
		}
	}
	return variables{some}
}

// lacking is a variable that a setting asks for in vain: it is not set, or
// withheld from projects. The zero lacking is none.
type lacking struct {
	name     string
	withheld bool
}

func (l lacking) any() bool { return l.name != "" }

func (l lacking) String() string {
	if l.withheld {
		return l.name + ", which " + projectVariables + " does not list"
	}
	return l.name + ", which is not set"
}

// remedy is what the user can do about it.
func (l lacking) remedy() string {
	if l.withheld {
		return "if you trust the project with it, add " + l.name + " to " + projectVariables + ", or write the setting into your own ~/.npmrc"
	}
	return "set " + l.name + " in the environment of docent"
}
