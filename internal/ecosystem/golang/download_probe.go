package golang

import (
	"context"
	"errors"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/project"
)

// maxList is the maximum size of the list of a module's versions, in bytes:
// enough for about 80,000 versions.
const maxList = 1 << 20

// probe requests a small file of each module from the module proxies before the
// go command runs. The go command reads files of any size into memory and waits
// forever for a proxy that does not respond. probe returns failures of these
// two kinds by module path; the go command is not run for these modules. It
// ignores other failures, because the go command has more sources and
// credentials. served is true for the paths of modules for which a proxy has
// the file.
func (c *goTool) probe(ctx context.Context, paths []string, name string) (refused map[string]*ecosystem.Error, served map[string]bool) {
	ctx, cancel := context.WithTimeout(ctx, c.g.options.Timeout)
	defer cancel()
	proxies := &proxyClient{g: c.g, st: c.st}
	failures := make([]*ecosystem.Error, len(paths))
	parallel.Each(len(paths), func(i int) { _, failures[i] = proxies.get(ctx, paths[i], name, maxList) })
	refused, served = map[string]*ecosystem.Error{}, map[string]bool{}
	for i, path := range paths {
		f := failures[i]
		if f == nil {
			served[path] = true
			continue
		}
		switch e, _ := errors.AsType[*fetch.Error](f.Err); {
		case e != nil && e.Kind == fetch.TooLarge, errors.Is(f.Err, project.ErrTooLarge):
			refused[path] = f.WithNext("check GOPROXY (go env GOPROXY): no module has that many versions")
		case isSilence(f):
			refused[path] = f
		}
	}
	return refused, served
}
