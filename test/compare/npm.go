package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// npmJudge asks TypeScript's checker for the names that both versions export.
func npmJudge(s *settings, name, old, new string) (verdicts, error) {
	var names [2]map[string]bool
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
		var list []string
		if err := json.Unmarshal([]byte(out), &list); err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("version %s has no declarations", version)
		}
		names[i] = map[string]bool{}
		for _, path := range list {
			names[i][path] = true
		}
	}
	all := verdicts{}
	for path := range names[0] {
		if !names[1][path] {
			all[name+": "+path] = verdict{true, "removed"}
		}
	}
	return all, nil
}
