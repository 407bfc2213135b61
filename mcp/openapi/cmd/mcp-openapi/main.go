// Command mcp-openapi serves an HTTP API as MCP tools. It creates the tools from the API's OpenAPI
// description. It uses standard input and output or, with -http, HTTP.
//
//	mcp-openapi [flags] FILE|URL
//
// It reads credentials from environment variables instead of arguments:
//
//	API_TOKEN=… mcp-openapi -base https://api.example.com/v1 -bearer API_TOKEN openapi.yaml
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/openapi"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Getenv, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcp-openapi:", err)
		os.Exit(1)
	}
}

// settings contains the values of the flags.
type settings struct {
	source, http string
	options      openapi.Options
	list         bool
}

// parse parses the flags. It uses getenv to read credentials.
func parse(args []string, getenv func(string) string, stderr io.Writer) (*settings, error) {
	flags := flag.NewFlagSet("mcp-openapi", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Usage: mcp-openapi [flags] FILE|URL")
		flags.PrintDefaults()
	}
	set := &settings{}
	flags.StringVar(&set.options.BaseURL, "base", "", "address of the API; by default the first server of the description")
	flags.BoolVar(&set.options.Unsafe, "unsafe", false, "also offer operations that change something")
	flags.IntVar(&set.options.MaxTools, "max-tools", 0, "maximum number of tools (default 128)")
	include := flags.String("include", "", "regular expression for the operations to offer, matched with \"METHOD /path\", operationId and tags")
	bearer := flags.String("bearer", "", "name of the environment variable with a bearer token")
	header := flags.String("header", "", "HEADER=VARIABLE: send the environment variable's value in this header")
	flags.StringVar(&set.http, "http", "", "serve over HTTP on this address instead of standard input and output")
	flags.BoolVar(&set.list, "list", false, "print the tools and what was skipped, and exit")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return nil, errors.New("give one description, a file or a URL")
	}
	set.source = flags.Arg(0)
	if *include != "" {
		pattern, err := regexp.Compile(*include)
		if err != nil {
			return nil, fmt.Errorf("-include: %w", err)
		}
		set.options.Include = func(o openapi.Operation) bool {
			return pattern.MatchString(o.Method+" "+o.Path) || pattern.MatchString(o.ID) || slices.ContainsFunc(o.Tags, pattern.MatchString)
		}
	}
	secret := func(name string) (string, error) {
		if value := getenv(name); value != "" {
			return value, nil
		}
		return "", fmt.Errorf("the environment variable %s is empty; set it to the credential", name)
	}
	switch {
	case *bearer != "" && *header != "":
		return nil, errors.New("-bearer and -header cannot be used together")
	case *bearer != "":
		token, err := secret(*bearer)
		if err != nil {
			return nil, err
		}
		set.options.Authorize = openapi.Bearer(token)
	case *header != "":
		name, variable, ok := strings.Cut(*header, "=")
		if !ok {
			return nil, errors.New("-header must have the form HEADER=VARIABLE")
		}
		key, err := secret(variable)
		if err != nil {
			return nil, err
		}
		set.options.Authorize = openapi.APIKey("header", name, key)
	}
	if set.options.Authorize != nil { // because each call would fail
		if err := set.options.Authorize(&http.Request{Header: http.Header{}}); err != nil {
			return nil, err
		}
	}
	return set, nil
}

func run(ctx context.Context, args []string, getenv func(string) string, stderr io.Writer) error {
	set, err := parse(args, getenv, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	description, err := read(ctx, set.source)
	if err != nil {
		return err
	}
	api, err := openapi.Load(description)
	if err != nil {
		return err
	}
	s := mcp.NewServer(mcp.Implementation{Name: "mcp-openapi", Version: "1.0.0"}, nil)
	report, err := api.AddTools(s, &set.options)
	if report != nil && (set.list || err != nil) {
		for _, name := range report.Added {
			fmt.Fprintln(stderr, name)
		}
		for operation, reason := range report.Skipped {
			fmt.Fprintf(stderr, "skipped %s: %s\n", operation, reason)
		}
	}
	switch {
	case err != nil:
		return err
	case set.list:
		return nil
	case set.http != "":
		return s.ListenAndServe(ctx, set.http, nil)
	}
	return s.ServeStdio(ctx)
}

// maxDescription is the maximum size of a description in bytes.
const maxDescription = 32 << 20

func read(ctx context.Context, source string) ([]byte, error) {
	var from io.Reader
	if strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "http://") {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
		if err != nil {
			return nil, fmt.Errorf("the URL of the description: %w", err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, fmt.Errorf("fetching the description: %w", err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("fetching the description %s: %s", source, resp.Status)
		}
		from = resp.Body
	} else {
		file, err := os.Open(source)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	data, err := io.ReadAll(io.LimitReader(from, maxDescription+1))
	if err != nil {
		return nil, fmt.Errorf("reading the description: %w", err)
	}
	return data, nil
}
