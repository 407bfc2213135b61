package teamserver

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/docent-mcp/docent/internal/quote"
)

// maxConfig is the maximum size of a configuration file in bytes.
const maxConfig = 1 << 20

// A Config is the content of a configuration file in TOML. The file contains a setting for each
// flag of docent serve and a table for each group.
type Config struct {
	// Settings maps the names of flags to their values.
	Settings map[string][]string
	Groups   map[string]Group
}

// LoadConfig reads a configuration file.
func LoadConfig(file string) (*Config, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return nil, errorf("other users can write to the configuration %s; run chmod go-w %s", file, file)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	c, err := ParseConfig(data)
	if err != nil {
		return nil, fmt.Errorf("the configuration %s: %w", file, err)
	}
	return c, nil
}

// ParseConfig decodes the content of a configuration file.
func ParseConfig(data []byte) (*Config, error) {
	if len(data) > maxConfig {
		return nil, errorf("it is larger than %d bytes", maxConfig)
	}
	var document map[string]any
	if err := toml.NewDecoder(bytes.NewReader(data)).Decode(&document); err != nil {
		return nil, quote.Error(err)
	}
	c := &Config{Settings: map[string][]string{}, Groups: map[string]Group{}}
	for _, name := range slices.Sorted(maps.Keys(document)) {
		value := document[name]
		if name == "groups" {
			if err := c.readGroups(value); err != nil {
				return nil, err
			}
			continue
		}
		values, err := settingOf(value)
		if err != nil {
			return nil, errorf("%.100q %w", name, err)
		}
		flag := strings.ReplaceAll(name, "_", "-")
		if _, twice := c.Settings[flag]; twice {
			return nil, errorf("%.100q is set twice", name)
		}
		c.Settings[flag] = values
	}
	return c, nil
}

// settingOf returns a value in the form that flags accept.
func settingOf(value any) ([]string, error) {
	switch value := value.(type) {
	case string:
		return []string{value}, nil
	case bool, int64, float64:
		return []string{fmt.Sprint(value)}, nil
	case []any:
		list := []string{}
		for _, element := range value {
			text, ok := element.(string)
			if !ok {
				return nil, errorf("contains the list element %.50v, which is not a string; enclose it in quotes", element)
			}
			list = append(list, text)
		}
		return list, nil
	}
	return nil, errorf("must be a string, a number, true, false or a list of strings")
}

func (c *Config) readGroups(value any) error {
	groups, ok := value.(map[string]any)
	if !ok {
		return errorf("groups is not a table; write [groups.NAME]")
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		table, ok := groups[name].(map[string]any)
		if !ok {
			return errorf("group %.100q is not a table; write [groups.%.100s]", name, name)
		}
		var g Group
		for _, key := range slices.Sorted(maps.Keys(table)) {
			values, err := settingOf(table[key])
			if err != nil {
				return errorf("group %.100q: %.100q %w", name, key, err)
			}
			switch {
			case key == "projects":
				g.Projects = values
			case key == "home" && len(values) == 1:
				g.Home = values[0]
			case key == "environment":
				g.Environment = values
			default:
				return errorf("group %.100q: there is no setting %.100q; the settings are projects, home (a directory) and environment", name, key)
			}
		}
		c.Groups[name] = g
	}
	return nil
}
