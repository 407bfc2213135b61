package pipconf

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// pip adds the settings of pip: variables, then its files, in order of
// precedence, highest first.
func (r *reader) pip(prefix string) {
	r.add(r.pipLayer("the environment", "", false, r.pipVariables()))
	only := r.env.Get("PIP_CONFIG_FILE")
	if only == os.DevNull {
		return
	}
	name := "pip.conf"
	if runtime.GOOS == "windows" {
		name = "pip.ini"
	}
	files := []string{only}
	if prefix != "" {
		files = append(files, filepath.Join(prefix, name))
	}
	files = append(files, r.pipUser(name)...)
	for _, dir := range r.systemDirs() {
		files = append(files, environ.Below(dir, "pip", name))
	}
	if runtime.GOOS != "windows" {
		files = append(files, filepath.Join(r.root, "etc", name))
	}
	for _, file := range files {
		if data := r.read(file); data != nil {
			r.add(r.pipLayer(file, filepath.Dir(file), r.inProject(file), pipSettings(string(data))))
		}
	}
}

// inProject reports whether a file is in the project's directory and thus may
// come from its author.
func (r *reader) inProject(file string) bool {
	if r.project == nil {
		return false
	}
	for _, dir := range []string{r.project.Dir, r.project.Root} {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) && dir != r.env.Home() {
			return true
		}
	}
	return false
}

func (r *reader) pipUser(name string) []string {
	home := r.env.Home()
	switch runtime.GOOS {
	case "windows":
		return []string{environ.Below(r.env.Get("APPDATA"), "pip", name), environ.Below(home, "pip", name)}
	case "darwin":
		if dir := environ.Below(home, "Library", "Application Support", "pip"); project.Exists(dir) {
			return []string{environ.Below(dir, name), environ.Below(home, ".pip", name)}
		}
		return []string{environ.Below(home, ".config", "pip", name), environ.Below(home, ".pip", name)}
	}
	return []string{environ.Below(r.env.ConfigDir(), "pip", name), environ.Below(home, ".pip", name)}
}

// pipVariables returns the settings in environment variables named PIP_*.
func (r *reader) pipVariables() map[string]string {
	settings := map[string]string{}
	for _, name := range r.env.Names() {
		if key, ok := strings.CutPrefix(name, "PIP_"); ok && r.env.Get(name) != "" {
			settings[strings.ReplaceAll(strings.ToLower(key), "_", "-")] = r.env.Get(name)
		}
	}
	return settings
}

// pipSettings reads a pip.conf. Sections of commands that install or download
// take precedence over [global].
func pipSettings(text string) map[string]string {
	settings := map[string]string{}
	all := pylock.ParseINI(text)
	for _, section := range []string{"global", "download", "install"} {
		for _, s := range all {
			if s.Section == section {
				settings[strings.TrimPrefix(strings.ReplaceAll(s.Key, "_", "-"), "--")] = s.Value
			}
		}
	}
	return settings
}

func (r *reader) pipLayer(name, dir string, ofProject bool, settings map[string]string) layer {
	l := layer{tool: "pip", name: name, dir: dir, project: ofProject, cert: settings["cert"], clientCert: settings["client-cert"], proxy: settings["proxy"]}
	if address := settings["index-url"]; address != "" {
		l.indexes = append(l.indexes, pylock.Index{URL: address, Default: true, By: name})
	}
	for address := range strings.FieldsSeq(settings["extra-index-url"]) {
		l.indexes = append(l.indexes, pylock.Index{URL: address, By: name})
	}
	l.links = strings.Fields(settings["find-links"])
	l.trusted = strings.Fields(settings["trusted-host"])
	l.noIndex = isTrue(settings["no-index"])
	if l.cert == "" && dir == "" {
		l.cert = r.env.Get("REQUESTS_CA_BUNDLE")
	}
	_, l.extrasSet = settings["extra-index-url"]
	_, l.defaultSet = settings["index-url"]
	return l
}

func isTrue(s string) bool {
	return slices.Contains([]string{"1", "true", "yes", "on", "t", "y"}, strings.ToLower(s))
}
