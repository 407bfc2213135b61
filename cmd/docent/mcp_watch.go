package main

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/schemaform"
	"github.com/docent-mcp/docent/mcp"
)

// watched is a notification from a server as JSON.
type watched struct {
	Time   string          `json:"time"`
	Change mcp.ChangeKind  `json:"change,omitempty"`
	URI    string          `json:"uri,omitempty"`
	Level  string          `json:"level,omitempty"`
	Logger string          `json:"logger,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

func (m *mcpCommand) newWatch() *cobra.Command {
	var uris []string
	var count int
	cmd := &cobra.Command{
		Use:   "watch URL | watch -- COMMAND...",
		Short: "Print a server's changes and log messages as they arrive",
		Long: `Watch prints changes to the server's lists and to the resources given with
--uri, and its log messages, until it is interrupted or --count changes have arrived.`,
		Example: "  docent mcp watch --uri file:///notes.md https://mcp.example.com/mcp",
	}
	cmd.Flags().StringArrayVar(&uris, "uri", nil, "also watch this resource")
	cmd.Flags().IntVar(&count, "count", 0, "stop after this many changes; 0 for no limit")
	cmd.Flags().BoolVar(&m.json, "json", false, "print each change as a line of JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		resumeGC(math.MaxInt64)
		t, rest, err := m.target(cmd, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return errors.New("watch takes no arguments other than the server")
		}
		defer m.close()
		defer m.showProgress()()
		p, mu := m.printer(), sync.Mutex{}
		c, err := m.connect(cmd.Context(), t, func(opts *mcp.ClientOptions) {
			opts.Log = func(message mcp.LogMessage) {
				mu.Lock()
				defer mu.Unlock()
				m.printWatched(p, watched{Level: message.Level.String(), Logger: message.Logger, Data: message.Data})
			}
		})
		if err != nil {
			return err
		}
		defer c.Close()
		sub, err := c.Subscribe(cmd.Context(), mcp.Filter{Tools: true, Prompts: true, Resources: true, URIs: uris})
		if err != nil {
			return m.failed(err)
		}
		defer sub.Close()
		ctx, cancel := context.WithCancelCause(cmd.Context())
		defer cancel(nil)
		go func() {
			select {
			case <-c.Done():
				cancel(c.Err())
			case <-ctx.Done():
			}
		}()
		for seen := 0; count == 0 || seen < count; seen++ {
			change, err := sub.Next(ctx)
			switch {
			case cmd.Context().Err() != nil:
				return nil // an interrupt is the usual way to stop
			case err != nil:
				return m.failed(&mcpError{exitUnreachable, err})
			}
			mu.Lock()
			m.printWatched(p, watched{Change: change.Kind, URI: change.URI})
			err = p.err
			mu.Unlock()
			if err != nil {
				return ran(err)
			}
		}
		return nil
	}
	return cmd
}

func (m *mcpCommand) printWatched(p *printer, w watched) {
	now := time.Now()
	if m.json {
		w.Time = now.UTC().Format(time.RFC3339Nano)
		line, err := json.Marshal(w)
		if err != nil {
			p.err = err
			return
		}
		p.printf("%s\n", escapeHidden(line))
		return
	}
	stamp := now.Format(time.TimeOnly)
	switch {
	case w.Level != "":
		p.printf("%s %s %s %s\n", stamp, w.Level, p.line(w.Logger), p.line(schemaform.PlainValue(w.Data)))
	case w.URI != "":
		p.printf("%s changed: %s %s\n", stamp, w.Change, p.line(w.URI))
	default:
		p.printf("%s changed: %s\n", stamp, w.Change)
	}
}
