package npm

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// npmSettings are the settings that variables named NPM_CONFIG_ make, in
// letters of any case. If several name the same one, that in small letters
// counts, which npm itself sets for what it starts.
func (e environ) npmSettings() []setting {
	const prefix = "npm_config_"
	var out []setting
	for _, name := range e.names() {
		value := e[name]
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

// names are sorted, so that capitals come first.
func (e environ) names() []string {
	all := make([]string, 0, len(e))
	for name := range e {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// yarnSettings are what variables say to yarn alone.
func (e environ) yarnSettings() []setting {
	return e.settings(map[string]string{
		"YARN_REGISTRY": "registry", "YARN_NPM_REGISTRY_SERVER": "registry",
		"YARN_NPM_AUTH_TOKEN": "_authToken", "YARN_NPM_AUTH_IDENT": "_auth",
		"YARN_HTTP_PROXY": "proxy", "YARN_HTTPS_PROXY": "https-proxy",
		"YARN_HTTPS_CA_FILE_PATH": "cafile", "YARN_ENABLE_STRICT_SSL": "strict-ssl",
	})
}

// bunSettings are what variables say to bun alone.
func (e environ) bunSettings() []setting {
	return e.settings(map[string]string{"BUN_CONFIG_REGISTRY": "registry", "BUN_CONFIG_TOKEN": "_authToken"})
}

func (e environ) settings(names map[string]string) []setting {
	var out []setting
	for _, name := range e.names() {
		if key := names[name]; key != "" && e[name] != "" {
			out = append(out, setting{key, e[name]})
		}
	}
	return out
}

// path is a file that a setting names: "~" is the user's home, and what is not
// absolute begins from dir.
func (e environ) path(name, dir string) string {
	if rest, ok := strings.CutPrefix(filepath.ToSlash(name), "~/"); ok && e.home() != "" {
		return filepath.Join(e.home(), filepath.FromSlash(rest))
	}
	if name == "" || filepath.IsAbs(name) || dir == "" {
		return name
	}
	return filepath.Join(dir, name)
}

// nodePrefix is the directory that node is installed in.
func (e environ) nodePrefix() string {
	node := e.lookPath("node")
	if node == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(node); err == nil {
		node = real
	}
	prefix := filepath.Dir(node)
	if filepath.Base(prefix) == "bin" {
		prefix = filepath.Dir(prefix)
		if e["DESTDIR"] != "" {
			prefix = filepath.Join(e["DESTDIR"], prefix)
		}
	}
	return prefix
}

// builtinConfig is the npmrc that npm's own directory holds; those who package
// npm put settings there.
func (e environ) builtinConfig() string {
	npm := e.lookPath("npm")
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

// configDir is where programs keep a user's settings.
func (e environ) configDir() string {
	if dir := e["XDG_CONFIG_HOME"]; filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// pnpmDir is where pnpm keeps the user's settings.
func (e environ) pnpmDir() string {
	home := e.home()
	switch {
	case e.configDir() != "":
		return filepath.Join(e.configDir(), "pnpm")
	case runtime.GOOS == "windows" && filepath.IsAbs(e["LOCALAPPDATA"]):
		return filepath.Join(e["LOCALAPPDATA"], "pnpm", "config")
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Preferences", "pnpm")
	}
	return filepath.Join(home, ".config", "pnpm")
}

// lookPath finds a program in PATH. Relative entries are passed over, and so
// are programs that packages bring along, which npx and npm run put first.
func (e environ) lookPath(name string) string {
	for _, dir := range filepath.SplitList(e["PATH"]) {
		if !filepath.IsAbs(dir) || strings.HasSuffix(filepath.ToSlash(filepath.Clean(dir)), "node_modules/.bin") {
			continue
		}
		for _, ext := range []string{"", ".exe", ".cmd"} {
			file := filepath.Join(dir, name+ext)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && (ext != "" || info.Mode()&0o111 != 0) {
				return file
			}
		}
	}
	return ""
}

// projectVariables names the variables that files of projects may have, separated
// by commas or spaces. Unset it is all, as with npm.
const projectVariables = "DOCENT_PROJECT_VARIABLES"

// forProjects is what of the environment files of projects may have.
func (e environ) forProjects() environ {
	list, ok := e[projectVariables]
	if !ok {
		return e
	}
	some := environ{}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if value, ok := e[name]; ok {
			some[name] = value
		}
	}
	return some
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
