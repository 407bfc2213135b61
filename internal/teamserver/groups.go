package teamserver

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/web"
	"github.com/docent-mcp/docent/mcp"
)

// A Group describes the permissions of the principals in a group.
type Group struct {
	// Projects contains the directories of the projects that the group may use.
	Projects []string
	// Home is a home directory with the settings and credentials for the group's registries.
	// Packages that are read with them are cached below Home and shown only to the group. If Home
	// is empty, the group reads packages with the same settings as all other principals.
	Home string
	// Environment contains variables for the group's registries in the form NAME=value.
	Environment []string
}

// check returns an error for a group with invalid settings.
func (g *Group) check(name string) error {
	for _, dir := range append(slices.Clone(g.Projects), g.Home) {
		if dir != "" && !filepath.IsAbs(dir) {
			return errorf("group %s: the directory %.200q is relative; write an absolute path", name, dir)
		}
	}
	if g.Home == "" && len(g.Environment) > 0 {
		return errorf("group %s has variables but no home directory; packages that are read using its credentials need a separate directory", name)
	}
	if g.Home != "" && name == everyone {
		return errorf("the group %s has a home directory; credentials for everyone belong to the user who runs the server", name)
	}
	for _, variable := range g.Environment {
		if variableName, _, ok := strings.Cut(variable, "="); !ok || variableName == "" {
			return errorf("group %s: its environment contains an entry that is not NAME=value", name)
		}
	}
	return nil
}

// inherited contains the environment variables that groups with a home share with the server. They
// concern programs and network access.
var inherited = []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "DOCENT_OFFLINE"}

// environment returns the variables of a group with a home. From the server's environment, they
// include only the inherited variables. Therefore the group cannot use other credentials, and
// others cannot see its downloads.
func (g *Group) environment() []string {
	env := []string{"HOME=" + g.Home, "DOCENT_CACHE=" + filepath.Join(g.Home, ".cache", "docent")}
	if runtime.GOOS == "windows" {
		env = append(env, "USERPROFILE="+g.Home)
	}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, g.Environment...)
}

// endpoint is an MCP server together with its handlers and the handler of the HTTP API.
type endpoint struct {
	streamable *mcp.HTTPHandler
	sse        *mcp.SSEHandler // nil if HTTPOptions.SSE is false
	lookup     *lookup.Lookup  // used by the HTTP API
	pages      *web.Site
}

// endpoints contains an endpoint for everyone and one for each group with a home.
type endpoints struct {
	everyone *endpoint
	groups   map[string]*endpoint
}

// newEndpoints creates the MCP servers.
func (s *Server) newEndpoints() (*endpoints, error) {
	make1 := func(o docserver.Options) (*endpoint, error) {
		o.Lookup = lookup.New(o.Store)
		server, err := docserver.New(o)
		if err != nil {
			return nil, err
		}
		pages, err := s.newSite(o.Lookup)
		if err != nil {
			return nil, err
		}
		e := &endpoint{pages: pages, streamable: server.HTTPHandler(&s.options.HTTP), lookup: o.Lookup}
		if s.options.HTTP.SSE {
			e.sse = server.SSEHandler(&s.options.HTTP)
		}
		return e, nil
	}
	base := s.documentation()
	first, err := make1(base)
	if err != nil {
		return nil, err
	}
	all := &endpoints{everyone: first, groups: map[string]*endpoint{}}
	for name, group := range s.options.Groups {
		if group.Home == "" {
			continue
		}
		o := base
		o.Store = s.options.NewStore(name, group.environment())
		o.Web = nil
		if all.groups[name], err = make1(o); err != nil {
			return nil, fmt.Errorf("group %s: %w", name, err)
		}
	}
	return all, nil
}

// endpoint returns the endpoint for a principal. It is the endpoint of the principal's first group with a
// home, or otherwise the endpoint for everyone.
func (e *endpoints) endpoint(p *Principal) *endpoint {
	for _, name := range slices.Sorted(maps.Keys(e.groups)) {
		if slices.Contains(p.Groups, name) {
			return e.groups[name]
		}
	}
	return e.everyone
}

func (e *endpoints) serveStreamable(w http.ResponseWriter, r *http.Request) {
	e.endpoint(principalFrom(r.Context())).streamable.ServeHTTP(w, r)
}

func (e *endpoints) serveSSE(w http.ResponseWriter, r *http.Request) {
	e.endpoint(principalFrom(r.Context())).sse.ServeHTTP(w, r)
}

// shutdown ends all handlers except the handler for everyone, which HTTPHandler.Serve ends.
func (e *endpoints) shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	var wait sync.WaitGroup
	end := func(shutdown func(context.Context) error) {
		wait.Go(func() { _ = shutdown(ctx) })
	}
	for _, group := range e.groups {
		end(group.streamable.Shutdown)
		if group.sse != nil {
			end(group.sse.Shutdown)
		}
	}
	if e.everyone.sse != nil {
		end(e.everyone.sse.Shutdown)
	}
	wait.Wait()
}
