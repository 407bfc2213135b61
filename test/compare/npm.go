package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed judge.mjs
var npmScript string

func npmVersions(_ *settings, name string) (all []string, err error) {
	out, err := output(".", nil, "npm", "view", name, "versions", "--json")
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal([]byte(out), &all)
}

// alignDefaults gives the default export of one version the name of what the other version exports as a whole,
// because an import binds both.
func alignDefaults(names, others map[string][2]string) {
	_, has := names["export="]
	if _, other := others["export="]; has || !other {
		return
	}
	for path, v := range names {
		if rest, ok := strings.CutPrefix(path, "default"); ok && (rest == "" || rest[0] == '.') {
			names["export="+rest] = v
			delete(names, path)
		}
	}
}

// npmJudge gets from TypeScript's checker the names that both versions export, and their types.
func npmJudge(s *settings, name, old, new string) (verdicts, error) {
	var names [2]map[string][2]string // names contains the type and the declaration of each path. The type is "" for a type.
	for i, version := range []string{old, new} {
		dir := filepath.Join(s.dir, "npm", name+"@"+version)
		if _, err := os.Stat(dir); err != nil {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, err
			}
			if _, err := output(dir, nil, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", name+"@"+version); err != nil {
				return nil, err
			}
		}
		script := filepath.Join(s.typescript, "docent-judge.mjs")
		if err := os.WriteFile(script, []byte(npmScript), 0o600); err != nil {
			return nil, err
		}
		out, err := output(dir, nil, "node", script, name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(out), &names[i]); err != nil {
			return nil, err
		}
		if len(names[i]) == 0 {
			return nil, fmt.Errorf("version %s has no declarations", version)
		}
	}
	alignDefaults(names[0], names[1])
	alignDefaults(names[1], names[0])
	all := verdicts{}
	_, whole := names[1]["default.*"]
	_, other := names[1]["export=.*"]
	for path, was := range names[0] {
		if whole && strings.HasPrefix(path, "default.") || other && strings.HasPrefix(path, "export=.") { // The default export became another name of something.
			continue
		}
		switch is, ok := names[1][path]; {
		case !ok:
			all[name+": "+path] = verdict{Removed: true, Text: "removed"}
		case was[0] != "" && is[0] != "" && was[0] != is[0] && was[1] != is[1]: // The same type can be printed in several ways.
			all[name+": "+path] = verdict{Text: was[0] + " → " + is[0]}
		}
	}
	if other { // The judge does not know the members of the new default export.
		all[name+": export="] = verdict{Text: "members are unknown", Of: name + ": export="}
	}
	for path := range names[0] {
		if owner, ok := strings.CutSuffix(path, ".*"); ok { // the judge does not know the members of the symbol
			delete(all, name+": "+path)
			if key := name + ": " + owner; all[key].Text == "" {
				all[key] = verdict{Text: "members are unknown", Of: key}
			}
		}
	}
	return all, nil
}
