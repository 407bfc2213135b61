package npm

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/program"
	"github.com/docent-mcp/docent/internal/project"
)

// toolRegistry is a package manager's cached answer about its registry.
type toolRegistry struct {
	Tool     string    `json:"tool"` // path of the program
	Modified time.Time `json:"modified"`
	Registry string    `json:"registry"`
}

// buildDefault is the default registry that npm reported on the machine where a
// release was built. The linker sets it; it is empty in other builds.
var buildDefault string

// tools are the programs that can report their registry, with the name of the
// setting.
var tools = []struct{ name, key string }{
	{"npm", "registry"}, {"pnpm", "registry"}, {"yarn", "registry"}, {"yarn", "npmRegistryServer"},
}

// defaultRegistry returns the registry of packages for which no registry is
// configured in a file. It runs the first installed program of npm, pnpm and
// yarn to get its registry, and falls back to buildDefault. The answer is cached on
// disk until the program changes.
func (f *finder) defaultRegistry(ctx context.Context) (*npmrc.Registry, error) {
	var last error
	for _, t := range tools {
		tool := f.n.env.LookPath(t.name)
		if tool == "" {
			continue
		}
		address, err := f.n.ask(ctx, tool, t.key)
		if err != nil {
			last = err
			continue
		}
		if r, err := npmrc.ParseRegistry(address, t.name+" config get "+t.key); err == nil {
			r.Key, r.Standard = t.key, true
			return r, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if r, err := npmrc.ParseRegistry(buildDefault, "this build of docent"); err == nil {
		r.Key, r.Standard = "registry", true
		return r, nil
	}
	return nil, &ecosystem.Error{
		Reason: ecosystem.Unreachable, What: "no registry is configured, and neither npm, pnpm nor yarn is installed to provide a default",
		Tried: f.tried, Err: last,
		Next: "set NPM_CONFIG_REGISTRY to the URL of your registry, or registry= in ~/.npmrc",
	}
}

// known returns a tool's cached answer, or "" if there is none or the tool has changed since.
func (n *NPM) known(tool, key string) string {
	var before toolRegistry
	data, err := n.options.Cache.Read(toolFile(tool, key), 1<<16)
	if err == nil && json.Unmarshal(data, &before) == nil &&
		before.Tool == tool && before.Modified.Equal(project.StampOf(resolved(tool)).Modified) {
		return before.Registry
	}
	return ""
}

// toolFile returns the name in the cache of a tool's answer.
func toolFile(tool, key string) string {
	return "npm/registry-" + filepath.Base(tool) + "-" + key + ".json"
}

func resolved(tool string) string {
	if real, err := filepath.EvalSymlinks(tool); err == nil {
		return real
	}
	return tool
}

// quiet are environment variables that keep a tool from using the network for
// its own purposes.
var quiet = []string{"COREPACK_ENABLE_NETWORK=0", "NO_UPDATE_NOTIFIER=1", "npm_config_update_notifier=false"}

// maxAddress is the maximum size of a tool's output, in bytes.
const maxAddress = 64 << 10

// ask runs a tool's "config get" in an empty directory, so that no project's
// settings apply.
func (n *NPM) ask(ctx context.Context, tool, key string) (string, error) {
	if address := n.known(tool, key); address != "" {
		return address, nil
	}
	stamp := project.StampOf(resolved(tool))
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, "config", "get", key)
	cmd.Env = append(n.env.List(), quiet...)
	out, _, err := program.Output(cmd, maxAddress)
	if err != nil {
		return "", err
	}
	address := strings.TrimSpace(string(out))
	if _, err := npmrc.ParseRegistry(address, tool); err != nil {
		return "", err
	}
	_ = n.options.Cache.Write(toolFile(tool, key), func(f *os.File) error { return json.MarshalWrite(f, toolRegistry{tool, stamp.Modified, address}) })
	return address, nil
}
