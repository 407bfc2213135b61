package setup

import (
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/internal/quote"
)

// Status describes how docent is set up in a host that is on the machine.
type Status struct {
	Host, Title string
	Path        string   // configuration file
	Command     []string // command and arguments of docent's entry, or nil if there is none
	Env         []string // variables of the entry, NAME=value
	Disabled    bool
	Rule        string // rule file, or "" if the host has none
	RuleState   string // "current", "out of date" or "missing"
	Err         error  // why the configuration cannot be read
}

// Inspect returns the status of all hosts on the machine for the user.
func Inspect(m Machine) []Status {
	var list []Status
	for _, h := range hosts() {
		if !m.installed(&h) {
			continue
		}
		s := Status{Host: h.name, Title: h.title, Path: m.choose(h.user, "")}
		s.readEntry(&h)
		if h.userRule.paths.others != nil {
			s.Rule = m.choose(h.userRule.paths, "")
			s.RuleState = h.userRule.state(s.Rule)
		}
		list = append(list, s)
	}
	return list
}

func (s *Status) readEntry(h *host) {
	data, err := readFile(s.Path)
	if err != nil || data == nil {
		s.Err = err
		return
	}
	tree, err := decode(h.format, data)
	if err != nil {
		s.Err = fmt.Errorf("%s cannot be read: %w", s.Path, quote.Error(err))
		return
	}
	current, ok := lookUp(tree, append(slices.Clone(h.key), serverName)).(map[string]any)
	if !ok {
		return
	}
	for _, f := range h.entry {
		switch f.value {
		case command, arguments, argv:
			s.Command = append(s.Command, stringsOf(current[f.name])...)
		}
	}
	s.Disabled = current["disabled"] == true || current["enabled"] == false
	for _, name := range []string{"env", "envs", "environment"} {
		variables, _ := current[name].(map[string]any)
		for name, value := range variables {
			s.Env = append(s.Env, fmt.Sprintf("%s=%v", name, value))
		}
	}
	slices.Sort(s.Env)
}

func stringsOf(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, item := range v {
			list = append(list, fmt.Sprint(item))
		}
		return list
	}
	return nil
}
