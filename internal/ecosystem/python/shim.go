package python

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
)

// A python3 in PATH may be a script that starts the interpreter. Scripts of asdf and mise start the
// interpreter that is selected in a file in the project. Other scripts contain the path of the
// interpreter. docent reads the script but never runs it.

// startedBy matches the path of the interpreter in the command of a script that starts
// it.
var startedBy = lazyregexp.New(`(?m)^\s*exec\s+"?(/[^"\s$]*/python[\w.]*)"?\s`)

// behindScript returns the interpreter that a script starts, or nil if the file is not a
// script or does not specify an interpreter.
func (f *finder) behindScript(file string) *environment {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return nil
	}
	manager := strings.TrimSuffix(filepath.Base(real), ".exe")
	if manager != "mise" {
		text, err := project.ReadSettings(file, maxConfig)
		if err != nil || !strings.HasPrefix(string(text), "#!") {
			return nil
		}
		if m := startedBy().FindSubmatch(text); m != nil {
			return f.openExecutable(string(m[1]), file)
		}
		if manager = "asdf"; !strings.Contains(string(text), "asdf exec") {
			return nil
		}
	}
	env := f.py.env
	data := cmp.Or(env.Get("ASDF_DATA_DIR"), environ.Below(env.Home(), ".asdf"))
	if manager == "mise" {
		data = cmp.Or(env.Get("MISE_DATA_DIR"), environ.Below(cmp.Or(env.Get("XDG_DATA_HOME"), environ.Below(env.Home(), ".local", "share")), "mise"))
	}
	version, by := f.toolVersion(manager)
	installs := environ.Below(data, "installs", "python")
	for _, name := range project.DirNames(installs) {
		if version != "" && (name == version || strings.HasPrefix(name, version+".")) {
			if e := f.openInterpreter(filepath.Join(installs, name), "", by); e != nil {
				return e
			}
		}
	}
	return nil
}

// miseTool matches the Python version in a settings file of mise.
var miseTool = lazyregexp.New(`(?m)^\s*python\s*=\s*\[?\s*"([^"]+)"`)

// toolVersion returns the Python version that asdf or mise is configured to use, and the file that
// configures it. Both are empty if no file does.
func (f *finder) toolVersion(manager string) (version, by string) {
	env := f.py.env
	if v := env.Get(strings.ToUpper(manager) + "_PYTHON_VERSION"); v != "" {
		return v, strings.ToUpper(manager) + "_PYTHON_VERSION"
	}
	var dirs []string
	if f.project != nil {
		dirs = project.Upwards(f.project.Dir)
	}
	if home := env.Home(); home != "" {
		dirs = append(dirs, home)
	}
	for _, dir := range dirs {
		if manager == "mise" {
			if v := f.settingIn(filepath.Join(dir, "mise.toml"), miseTool()); v != "" {
				return v, "mise.toml of " + filepath.Base(dir)
			}
		}
		if v := f.settingIn(filepath.Join(dir, ".tool-versions"), toolLine()); v != "" {
			return v, ".tool-versions of " + filepath.Base(dir)
		}
	}
	if manager == "mise" {
		config := cmp.Or(env.Get("XDG_CONFIG_HOME"), environ.Below(env.Home(), ".config"))
		if v := f.settingIn(environ.Below(config, "mise", "config.toml"), miseTool()); v != "" {
			return v, "settings of mise"
		}
	}
	return "", ""
}

// toolLine matches the first Python version in .tool-versions.
var toolLine = lazyregexp.New(`(?m)^\s*python\s+(\S+)`)

// settingIn returns the text that an expression matches in a file, or "" if there is
// none.
func (f *finder) settingIn(file string, what *regexp.Regexp) string {
	if file == "" {
		return ""
	}
	f.seen.Add(file)
	data, err := project.ReadFile(file, maxConfig)
	if err != nil {
		return ""
	}
	if m := what.FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return ""
}
