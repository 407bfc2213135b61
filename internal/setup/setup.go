// Package setup writes docent into the configuration of MCP hosts: an entry for
// the server, and a rule that has the agent ask it. It takes both back, too.
//
// An edit replaces one range of a file; everything else stays byte for byte.
// The range is recorded in docent's own configuration directory, so that removal
// restores what was there, even after the user has changed other parts of the
// file. If the range itself has been changed, removal takes out the entry called
// "docent" and the marked section. Without a record, it does so if they are what
// setup would write.
package setup

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/quote"
)

//go:embed rule.md
var rule string

// Options choose what is set up or removed.
type Options struct {
	Hosts   []string // names of hosts; none means those on the machine
	Project string   // absolute path of a project; empty means the user's files
	NoRule  bool
	Command string // path or name of docent
}

// Plan is what is to be changed.
type Plan struct {
	Changes []Change
	Notes   []string // what stays as it is, and why
	// Failed reports that a file cannot be changed. Notes say which.
	Failed bool
}

// Change is a new content of a file.
type Change struct {
	Path          string
	Hosts         []string    // titles
	before, after []byte      // nil if the file does not exist
	written       *written    // what to record; nil takes the record back
	mode          fs.FileMode // of a new file
}

// Diff shows the change in the unified format.
func (c *Change) Diff() string { return diff(c.Path, c.before, c.after) }

// target is a file that is set up for a host.
type target struct {
	host   *host
	titles []string
	path   string
	rule   *rulePlace // nil for a configuration file
}

// Names returns the names of all hosts.
func Names() []string {
	var names []string
	for _, h := range hosts() {
		names = append(names, h.name)
	}
	return names
}

// selected returns the hosts of the options.
func selected(m Machine, o Options) ([]host, error) {
	all := hosts()
	for _, name := range o.Hosts {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("%q is not a host that docent knows; those are %s", name, strings.Join(Names(), ", "))
		}
	}
	var list []host
	for _, h := range all {
		if slices.Contains(o.Hosts, h.name) || len(o.Hosts) == 0 && m.installed(&h) {
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no host was found on this machine; choose one with --host: %s", strings.Join(Names(), ", "))
	}
	return list, nil
}

// targets returns the files of hosts, each once.
func targets(m Machine, list []host, o Options) (files []*target, notes []string) {
	add := func(h *host, p paths, r *rulePlace) {
		path := m.choose(p, o.Project)
		if path == "" {
			return
		}
		for _, t := range files {
			if t.path == path {
				t.titles = append(t.titles, h.title)
				return
			}
		}
		files = append(files, &target{h, []string{h.title}, path, r})
	}
	for i := range list {
		h := &list[i]
		config, place, scope := h.user, &h.userRule, "user"
		if o.Project != "" {
			config, place, scope = h.project, &h.projectRule, "project"
		}
		if config.others == nil {
			notes = append(notes, fmt.Sprintf("%s has no %s configuration for servers.", h.title, scope))
			continue
		}
		add(h, config, nil)
		switch {
		case o.NoRule:
		case place.paths.others == nil:
			notes = append(notes, fmt.Sprintf("%s has no file for %s rules.", h.title, scope))
		default:
			add(h, place.paths, place)
		}
	}
	return files, notes
}

// fill returns the entry of a host.
func (h *host) fill(program string) []field {
	fields := slices.Clone(h.entry)
	for i := range fields {
		switch fields[i].value {
		case command:
			fields[i].value = program
		case arguments:
			fields[i].value = []string{"serve"}
		case argv:
			fields[i].value = []string{program, "serve"}
		}
	}
	return fields
}

// Setup plans to write docent's entry and rule.
func Setup(m Machine, o Options) (*Plan, error) {
	return plan(m, o, true, func(t *target, data []byte, w *written) ([]byte, error) {
		if t.rule != nil {
			return t.rule.set(data)
		}
		fields := t.host.fill(o.Command)
		text := bytes.TrimPrefix(data, byteOrderMark)
		tree, err := t.host.format.editor().decode(text)
		if err == nil && equalEntry(lookUp(tree, append(slices.Clone(t.host.key), serverName)), fields) {
			return data, nil
		}
		if err == nil && w != nil {
			if original, err := undoEntry(t, data, *w); err == nil {
				data = original
			}
		}
		if err == nil {
			data, err = setEntry(t.host.format, data, t.host.key, fields)
		}
		if err != nil {
			return nil, fmt.Errorf("%w. Add this by hand:\n\n%s", quote.Error(err), manual(t.host.format, t.host.key, fields))
		}
		return data, nil
	})
}

// Remove plans to take back what Setup has written.
func Remove(m Machine, o Options) (*Plan, error) {
	others := map[string]bool{} // rules of hosts that keep docent
	if len(o.Hosts) > 0 {
		for _, h := range hosts() {
			if slices.Contains(o.Hosts, h.name) || !configured(m, &h, o.Project) {
				continue
			}
			place := h.userRule
			if o.Project != "" {
				place = h.projectRule
			}
			others[m.choose(place.paths, o.Project)] = true
		}
	}
	return plan(m, o, false, func(t *target, data []byte, w *written) ([]byte, error) {
		if data == nil || t.rule != nil && others[t.path] {
			return data, nil
		}
		if t.rule != nil {
			return t.rule.remove(data, w)
		}
		tree, err := t.host.format.editor().decode(bytes.TrimPrefix(data, byteOrderMark))
		if err != nil {
			return nil, fmt.Errorf("%w. Remove the entry %q by hand", quote.Error(err), serverName)
		}
		entry := lookUp(tree, append(slices.Clone(t.host.key), serverName))
		if entry == nil || w == nil && !equalEntry(entry, t.host.fill(o.Command)) {
			return data, nil // an entry of the user
		}
		if w == nil {
			w = &written{}
		}
		result, err := undoEntry(t, data, *w)
		if err != nil {
			return nil, fmt.Errorf("%w. Remove the entry %q by hand", quote.Error(err), serverName)
		}
		if w.Created && emptied(t.host.format, result) {
			return nil, nil
		}
		return result, nil
	})
}

// emptied reports whether a file holds nothing any more.
func emptied(f format, data []byte) bool {
	tree, err := f.editor().decode(data)
	return err == nil && len(tree) == 0 && !bytes.ContainsAny(data, "#/")
}

func configured(m Machine, h *host, project string) bool {
	p := h.user
	if project != "" {
		p = h.project
	}
	data, err := readFile(m.choose(p, project))
	if err != nil || data == nil {
		return false
	}
	tree, err := h.format.editor().decode(bytes.TrimPrefix(data, byteOrderMark))
	return err == nil && lookUp(tree, append(slices.Clone(h.key), serverName)) != nil
}

// plan calls change for the files of the options. recorded tells whether the
// changes are recorded.
func plan(m Machine, o Options, recorded bool, change func(t *target, data []byte, w *written) ([]byte, error)) (*Plan, error) {
	list, err := selected(m, o)
	if err != nil {
		return nil, err
	}
	stateDir, err := m.stateDir()
	if err != nil {
		return nil, err
	}
	r, err := loadRecord(stateDir)
	if err != nil {
		return nil, err
	}
	root := o.Project
	if root == "" {
		root = m.home()
	}
	files, notes := targets(m, list, o)
	p := &Plan{Notes: notes}
	for _, t := range files {
		c, err := planFile(t, root, r, recorded, change)
		switch {
		case err != nil:
			p.Failed = true
			p.Notes = append(p.Notes, fmt.Sprintf("%s: %s was left alone: %v", strings.Join(t.titles, ", "), t.path, err))
		case c != nil:
			c.mode = 0o600 // hosts may add credentials
			if o.Project != "" {
				c.mode = 0o644
			}
			p.Changes = append(p.Changes, *c)
		}
	}
	return p, nil
}

// planFile returns the change of a file, nil if there is none.
func planFile(t *target, root string, r record, recorded bool, change func(*target, []byte, *written) ([]byte, error)) (*Change, error) {
	path, err := follow(t.path, root)
	if err != nil {
		return nil, err
	}
	before, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var w *written
	if earlier, ok := r[path]; ok && before != nil {
		w = &earlier
	}
	after, err := change(t, before, w)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return nil, nil
	}
	c := &Change{Path: path, Hosts: t.titles, before: before, after: after}
	if recorded {
		c.written = t.writtenTo(before, after, w)
	}
	return c, nil
}

// writtenTo returns what to record of a change: the difference to the content
// before docent came, if that is known.
func (t *target) writtenTo(before, after []byte, earlier *written) *written {
	original := before
	if earlier != nil {
		if t.rule == nil {
			if text, err := undoEntry(t, before, *earlier); err == nil {
				original = text
			}
		} else if text, ok := earlier.undo(before); ok {
			original = text
		}
	}
	w := changeOf(original, after)
	w.Created = before == nil
	if earlier != nil {
		w.Created, w.Dirs = earlier.Created, earlier.Dirs
	}
	if t.rule == nil {
		tree, err := t.host.format.editor().decode(bytes.TrimPrefix(original, byteOrderMark))
		w.Container = err == nil && lookUp(tree, t.host.key) == nil
	}
	return &w
}

// Apply carries out a plan and returns the paths of the backups.
func (p *Plan) Apply(m Machine) (backups []string, err error) {
	stateDir, err := m.stateDir()
	if err != nil {
		return nil, err
	}
	for i := range p.Changes {
		backup, err := p.Changes[i].apply(stateDir)
		if err != nil {
			return backups, err
		}
		if backup != "" {
			backups = append(backups, backup)
		}
	}
	return backups, nil
}

func (c *Change) apply(stateDir string) (backup string, err error) {
	r, err := loadRecord(stateDir)
	if err != nil {
		return "", err
	}
	if c.before != nil {
		if backup, err = backUp(stateDir, c.Path, c.before); err != nil {
			return "", fmt.Errorf("%s cannot be backed up: %w", c.Path, err)
		}
	}
	earlier := r[c.Path]
	if c.after == nil {
		if err := os.Remove(c.Path); err != nil {
			return backup, err
		}
		for _, dir := range earlier.Dirs {
			if os.Remove(dir) != nil {
				break // it holds other files
			}
		}
	} else {
		dirs, err := makeDirs(filepath.Dir(c.Path))
		if err != nil {
			return backup, err
		}
		if c.written != nil && dirs != nil {
			c.written.Dirs = dirs
		}
	}
	delete(r, c.Path)
	if c.written != nil {
		r[c.Path] = *c.written
	}
	if err := r.save(stateDir); err != nil {
		return backup, err
	}
	if c.after == nil {
		return backup, nil
	}
	return backup, replace(c.Path, c.before, c.after, c.mode)
}

// set returns the content of a rule file with the rule of today.
func (r *rulePlace) set(data []byte) ([]byte, error) {
	if r.own {
		return []byte(r.head + rule), nil
	}
	s, err := setSection(data, rule)
	if err != nil {
		return nil, err
	}
	return s.apply(data), nil
}

// remove returns the content of a rule file without the rule, nil if the file is
// to be deleted.
func (r *rulePlace) remove(data []byte, w *written) ([]byte, error) {
	var result []byte
	undone := false
	if w != nil {
		result, undone = w.undo(data)
	}
	switch {
	case r.own && undone && !w.Created:
		return result, nil
	case r.own && (w != nil && w.Created || string(data) == r.head+rule):
		return nil, nil
	case r.own:
		return nil, errors.New("it is not the file that docent setup wrote. Delete it by hand")
	case !undone:
		if !bytes.Contains(data, []byte(sectionStart)) {
			return data, nil
		}
		s, err := removeSection(data)
		if err != nil {
			return nil, err
		}
		result = s.apply(data)
	}
	if w != nil && w.Created && len(bytes.TrimSpace(result)) == 0 {
		return nil, nil
	}
	return result, nil
}
