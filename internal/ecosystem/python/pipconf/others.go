package pipconf

import (
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// poetry adds the credentials of Poetry, which are stored by the names of sources. The sources are
// in the project's manifest.
func (r *reader) poetry() {
	dir := r.env.Get("POETRY_CONFIG_DIR")
	if dir == "" {
		dir = environ.Below(r.env.ConfigDir(), "pypoetry")
	}
	var auth struct {
		Basic map[string]struct {
			Username string `toml:"username"`
			Password string `toml:"password"`
		} `toml:"http-basic"`
	}
	for _, file := range []string{environ.Below(dir, "auth.toml")} {
		if file == "" || !r.decode(file, &auth) {
			continue
		}
		for name, login := range auth.Basic {
			r.stored = append(r.stored, storedLogin{index: name, user: login.Username, password: login.Password, file: file})
		}
	}
}

// pdm adds the settings of pdm: the project's, then the user's.
func (r *reader) pdm() {
	files := []string{environ.Below(r.env.ConfigDir(), "pdm", "config.toml")}
	if r.project != nil {
		files = append([]string{filepath.Join(r.project.Root, "pdm.toml")}, files...)
	}
	for _, file := range files {
		var raw struct {
			PyPI struct {
				URL      string `toml:"url"`
				Verify   *bool  `toml:"verify_ssl"`
				Username string `toml:"username"`
				Password string `toml:"password"`
			} `toml:"pypi"`
		}
		if file == "" || !r.decode(file, &raw) || raw.PyPI.URL == "" {
			continue
		}
		r.add(layer{tool: "pdm", name: file, dir: filepath.Dir(file), project: r.inProject(file), indexes: []pylock.Index{{
			URL: raw.PyPI.URL, Default: true, User: raw.PyPI.Username, Password: raw.PyPI.Password, Insecure: raw.PyPI.Verify != nil && !*raw.PyPI.Verify, By: file,
		}}})
	}
}

// variableName returns the name of an index in the form used in environment variables, such as
// "MY_INDEX" for "my-index".
func variableName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
}
