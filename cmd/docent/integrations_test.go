package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/docent-mcp/docent/internal/filetest"
)

// readYAML decodes a file at the root of the repository.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("../../" + name)
	if err == nil {
		err = yaml.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestIntegrations_PreCommit(t *testing.T) {
	var hooks []struct {
		ID, Entry, Language string
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0].Language != "golang" {
		t.Fatalf("%+v", hooks)
	}
	if !strings.Contains(readPage(t, "../../docs/check.md"), "{ id: "+hooks[0].ID+" }") {
		t.Error("docs/check.md does not name the hook")
	}
	command := strings.Fields(hooks[0].Entry)
	t.Chdir(wrongModule(t))
	if got := docent(append(command[1:], "--offline", "main.go")...); command[0] != "docent" || got.code != exitFailure || !strings.Contains(got.out, "main.go:5:31: name: strings@") {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
}

func TestIntegrations_GitHubAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed, which runs the steps of the action; to run this test, install bash")
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	readYAML(t, "action.yml", &action)
	repository, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	module, temp := wrongModule(t), t.TempDir()
	for i, step := range action.Runs.Steps {
		cmd := exec.CommandContext(t.Context(), bash, "-e", "-o", "pipefail", "-c", step.Run)
		cmd.Dir = module
		cmd.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+repository+"/../..", "RUNNER_TEMP="+temp)
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+strings.ReplaceAll(value, "${{ inputs.arguments }}", "--offline main.go"))
		}
		out, err := cmd.CombinedOutput()
		last := i == len(action.Runs.Steps)-1
		if last != (err != nil) {
			t.Fatalf("step %d: %v: %s", i, err, out)
		}
		if last && !strings.HasPrefix(string(out), "::error file=main.go,line=5,col=31") {
			t.Errorf("the annotation is %s", out)
		}
	}
}

// wrongModule returns the directory of a module that calls a function that does not exist.
func wrongModule(t *testing.T) string {
	t.Helper()
	return filetest.Dir(t, map[string]string{
		"go.mod":  "module example.com/wrong\n\ngo 1.26\n",
		"main.go": "package main\n\nimport \"strings\"\n\nfunc main() { println(strings.Cutt(\"a=b\", \"=\")) }\n",
	})
}
