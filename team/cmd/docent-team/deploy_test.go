package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/teamserver/command"
)

func TestDeploy_NamesSettingsThatExist(t *testing.T) {
	served := &cobra.Command{}
	var flags teamFlags
	flags.add(served)
	names := 0
	for file, pattern := range map[string]string{
		"docent.toml":     `(?m)^(?:# )?([a-z_]+) = `,
		"compose.yaml":    `"--([a-z-]+)"`,
		"kubernetes.yaml": `"--([a-z-]+)"|DOCENT_SERVE_([A-Z_]+)`,
	} {
		data, err := os.ReadFile("../../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(string(data), "\n# [groups") // the settings of tables are not flags
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			name := strings.ReplaceAll(strings.ToLower(strings.Join(match[1:], "")), "_", "-")
			f := served.Flags().Lookup(name)
			if names++; f == nil {
				t.Errorf("%s names the setting %s, which does not exist", file, name)
				continue
			}
			if strings.HasPrefix(name, "postgres") {
				if err := command.Set(served.Flags(), name, []string{f.DefValue}); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if names < 20 {
		t.Errorf("only %d settings were found", names)
	}
}
