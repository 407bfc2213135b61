package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/web"
	"github.com/docent-mcp/docent/mcp/auth"
)

// webAddress is the default address on which docent web listens. If the port is in use, any free
// port is used.
const webAddress = "127.0.0.1:8420"

// webFlags contains the flags of docent web.
type webFlags struct {
	project, addr, export string
	open, offline         bool
	noSource              bool
}

func newWeb(s streams, languages languageList) *cobra.Command {
	var o webFlags
	cmd := &cobra.Command{
		Use:   "web [LANG] [PACKAGE [SYMBOL]]",
		Short: "Show the documentation of the project's packages in a browser",
		Long: `Web serves web pages with the documentation of the packages that the
project uses, in all languages and at the project's versions. The pages show packages,
symbols with links from every type to its declaration, source code, README files and
guides, and have a search.

Web listens only on this machine, until it is interrupted, and its pages load nothing
from other hosts. Pages have permanent addresses. Add .md to an address to get the
text that models receive, or .json to get the documentation as data.

With --export, web instead writes a static site with the pages of the project's own
packages and of its direct dependencies. The site works from any web server and
without one.`,
		Example: `  docent web
  docent web --open
  docent web --addr 127.0.0.1:9000 --offline
  docent web --export site`,
		Args: cobra.MaximumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			resumeGC(math.MaxInt64)
			if o.noSource && o.export == "" {
				return errors.New("--no-source is for static sites: use it with --export DIR")
			}
			return ran(runWeb(cmd, s, languages, &o, args))
		},
		ValidArgsFunction: complete(languages, true),
	}
	f := cmd.Flags()
	projectFlag(cmd, &o.project)
	f.StringVar(&o.addr, "addr", webAddress, "loopback address and port to listen on; port 0 for any free port")
	f.BoolVar(&o.open, "open", false, "open the page in the browser")
	f.StringVar(&o.export, "export", "", "write a static site into this `DIR`ectory instead of serving the pages")
	f.BoolVar(&o.noSource, "no-source", false, "omit source code from the static site")
	offlineFlag(cmd, &o.offline)
	cmd.MarkFlagsMutuallyExclusive("export", "addr")
	cmd.MarkFlagsMutuallyExclusive("export", "open")
	_ = cmd.MarkFlagDirname("export")
	return cmd
}

// runWeb serves the pages until the context is done.
func runWeb(cmd *cobra.Command, s streams, languages languageList, o *webFlags, args []string) error {
	dir, err := projectDir(o.project)
	if err != nil {
		return err
	}
	l := lookup.New(openStore(languages, o.offline))
	site, err := web.New(web.Options{Lookup: l, Project: dir, Version: version(), Encode: encode})
	if err != nil {
		return err
	}
	if o.export != "" {
		return exportSite(cmd, s, site, o)
	}
	page, err := pageOf(cmd.Context(), l, dir, args)
	if err != nil {
		return err
	}
	listener, err := listenOnLoopback(cmd, o.addr, webAddress)
	if err != nil {
		return err
	}
	page = "http://" + listener.Addr().String() + page
	site.Prepare(cmd.Context())
	fmt.Fprintf(s.err, "docent: the documentation is at %s\n", page)
	if o.open {
		s.open(cmd.Context(), page)
	}
	return servePages(cmd.Context(), listener, site)
}

// open opens a page in the browser.
func (s streams) open(ctx context.Context, page string) {
	browse := s.browse
	if browse == nil {
		browse = auth.OpenPage
	}
	if err := browse(ctx, page); err != nil {
		fmt.Fprintf(s.err, "docent: docent cannot open the browser: %v\n", err)
	}
}

// servePages serves pages until the context is done.
func servePages(ctx context.Context, listener net.Listener, pages http.Handler) error {
	server := &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// exportSite writes the pages to a directory and prints what it has written.
func exportSite(cmd *cobra.Command, s streams, site *web.Site, o *webFlags) error {
	dir := o.export
	_, stop := s.withProgress(cmd)
	defer stop()
	report, end := progress.Count(cmd.Context(), "Writing pages")
	out, err := site.Export(cmd.Context(), dir, web.ExportOptions{WithoutSource: o.noSource, Progress: report})
	end()
	if err != nil {
		return err
	}
	for _, rest := range out.Unread {
		fmt.Fprintf(cmd.ErrOrStderr(), "docent: omitted %s\n", rest)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s of %s to %s; open %s.\n", quote.Count(out.Pages, "page"), quote.Count(out.Packages, "package"), dir, filepath.Join(dir, "index.html"))
	return nil
}

// pageOf returns the path of the page for the arguments. It is the start page or the page of a
// package or a symbol.
func pageOf(ctx context.Context, l *lookup.Lookup, dir string, args []string) (string, error) {
	if len(args) == 0 {
		return "/", nil
	}
	q := lookup.Package{Project: dir}
	if l.Languages().Find(args[0]) != nil {
		q.Language, args = args[0], args[1:]
	}
	if len(args) == 0 {
		return "/#" + string(l.Languages().Find(q.Language).Info().ID), nil
	}
	q.Name = args[0]
	if q.Language == "" {
		language, err := l.LanguageOf(ctx, q)
		if err != nil {
			return "", err
		}
		q.Language = string(language.ID)
	}
	targets, problems, err := l.Select(ctx, lookup.Description{Package: q, Symbols: strings.Join(args[1:], " ")})
	if err == nil && len(problems) > 0 {
		err = problems[0]
	}
	if err != nil {
		return "", err
	}
	return web.PathOf(targets[0].Package, targets[0].Symbol), nil
}

// listenOnLoopback listens on a loopback address. If it is the default address of the command and
// its port is in use, listenOnLoopback uses any free port.
func listenOnLoopback(cmd *cobra.Command, addr, usual string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err == nil && !strings.EqualFold(host, "localhost") {
		var ip netip.Addr
		if ip, err = netip.ParseAddr(host); err == nil && !ip.IsLoopback() {
			err = errors.New("it is not a loopback address")
		}
	}
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Invalid, "%s cannot listen on %.100q: %v", cmd.CommandPath(), addr, err).WithErr(err).WithNext("specify a loopback address and a port, such as %s", usual)
	}
	var config net.ListenConfig
	listener, err := config.Listen(cmd.Context(), "tcp", addr)
	if err != nil && addr == usual {
		listener, err = config.Listen(cmd.Context(), "tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; specify another port with --addr", addr, errors.Unwrap(err))
	}
	return listener, nil
}
