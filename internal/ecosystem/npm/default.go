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
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// asked is what a tool said when it was asked for its registry.
type asked struct {
	Tool     string    `json:"tool"` // path
	Modified time.Time `json:"modified"`
	Registry string    `json:"registry"`
}

// defaultRegistry is the registry of packages for which no .npmrc names one:
// what npm, pnpm or yarn say, whichever is installed. The answer is kept on
// disk until that tool changes.
func (f *finder) defaultRegistry(ctx context.Context) (*registry, error) {
	var last error
	for _, t := range []struct{ name, key string }{{"npm", "registry"}, {"pnpm", "registry"}, {"yarn", "registry"}, {"yarn", "npmRegistryServer"}} {
		tool := f.n.env.lookPath(t.name)
		if tool == "" {
			continue
		}
		said, err := f.n.ask(ctx, tool, t.key)
		if err != nil {
			last = err
			continue
		}
		if r, err := parseRegistry(said, t.name+" config get "+t.key); err == nil {
			return r, nil
		}
	}
	return nil, &ecosystem.Error{
		Reason: ecosystem.Unreachable, What: "no registry is configured, and none of npm, pnpm and yarn is installed that could name one",
		Tried: f.tried, Err: last,
		Next: "set NPM_CONFIG_REGISTRY to the URL of your registry, or registry= in ~/.npmrc",
	}
}

// ask runs a tool's "config get" in a directory that is no project.
func (n *NPM) ask(ctx context.Context, tool, key string) (string, error) {
	real := tool
	if r, err := filepath.EvalSymlinks(tool); err == nil {
		real = r
	}
	stamp := project.StampOf(real)
	file := ""
	if n.options.CacheDir != "" {
		file = filepath.Join(n.options.CacheDir, "npm", "registry-"+filepath.Base(tool)+"-"+key+".json")
		var known asked
		if data, err := project.ReadFile(file, 1<<16); err == nil && json.Unmarshal(data, &known) == nil &&
			known.Tool == real && known.Modified.Equal(stamp.Modified) {
			return known.Registry, nil
		}
	}
	dir, err := os.MkdirTemp("", "docent-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, "config", "get", key)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	for name, value := range n.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	said := strings.TrimSpace(string(out))
	if _, err := parseRegistry(said, tool); err != nil {
		return "", err
	}
	if file != "" {
		_ = fetch.WriteFile(file, func(f *os.File) error { return json.MarshalWrite(f, asked{real, stamp.Modified, said}) })
	}
	return said, nil
}
