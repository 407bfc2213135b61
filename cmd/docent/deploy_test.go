package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/teamserver"
	"github.com/docent-mcp/docent/internal/teamserver/command"
)

func TestDeploy_NamesSettingsThatExist(t *testing.T) {
	served := &cobra.Command{}
	var o serveFlags
	o.add(served)
	flags := served.Flags()

	text := readPage(t, "../../deploy/docent.toml")
	var all strings.Builder // including the lines that are commented out in the file
	for line := range strings.Lines(text) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "# "), " = "); ok && !strings.Contains(name, " ") {
			line = strings.TrimPrefix(line, "# ")
		}
		all.WriteString(strings.Replace(line, "# [groups", "[groups", 1))
	}
	config, err := teamserver.ParseConfig([]byte(all.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"acme-accept-terms", "acme-domain", "postgres", "postgres-size"} { // names of flags of docent-team
		if err := command.Set(flags, name, config.Settings[name]); err == nil || !strings.Contains(err.Error(), "docent-team") {
			t.Errorf("%s: %v", name, err)
		}
		delete(config.Settings, name)
	}
	if len(config.Settings) < 10 || len(config.Groups) != 1 {
		t.Errorf("%+v", config)
	}
	for name, values := range config.Settings {
		if err := command.Set(flags, name, values); err != nil {
			t.Error(err)
		}
	}
	files, err := filepath.Glob("../../deploy/*")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	names := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`"--([a-z-]+)"|serve --([a-z-]+)|DOCENT_SERVE_([A-Z_]+),`).FindAllStringSubmatch(string(data), -1) {
			names++
			name := strings.ReplaceAll(strings.ToLower(match[1]+match[2]+match[3]), "_", "-")
			if flags.Lookup(name) == nil && name != "help" {
				t.Errorf("%s names the flag %s, which does not exist", file, name)
			}
		}
	}
	if names < 8 {
		t.Errorf("only %d flags were found", names)
	}
}
