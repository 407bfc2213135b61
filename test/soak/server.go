package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// usage contains the resources of the server's process after a garbage collection, or without one
// if so requested.
type usage struct {
	RSS, Heap  int // bytes; RSS is 0 if the system does not report it
	Goroutines int
}

// largeAnswer is the size in KiB of the largest answer of the tool big.
const largeAnswer = 50 << 10

// serve is the server's process. It prints where it listens: MCP over HTTP along with /usage, and
// pipes. It ends when its standard input ends.
func serve() error {
	s := mcp.NewServer(mcp.Implementation{Name: "soak", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	type text struct {
		Message string `json:"message"`
	}
	type limit struct {
		Seconds int `json:"seconds,omitempty"`
	}
	type size struct {
		KB int `json:"kb"`
	}
	for _, err := range []error{
		mcp.AddTool(s, mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.Request, in text) (string, error) { return in.Message, nil }),
		mcp.AddTool(s, mcp.Tool{Name: "big"}, func(_ context.Context, _ *mcp.Request, in size) (string, error) {
			return strings.Repeat("x", min(in.KB, largeAnswer)<<10), nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, in limit) (string, error) {
			if in.Seconds > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Duration(in.Seconds)*time.Second)
				defer cancel()
			}
			<-ctx.Done()
			return "", ctx.Err()
		}),
		mcp.AddTool(s, mcp.Tool{Name: "talk"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			for i := 0; i < 1000 && ctx.Err() == nil; i++ {
				r.Progress(float64(i), 1000, strings.Repeat("x", 1000))
			}
			return "done", nil
		}),
		s.AddResource(mcp.Resource{URI: "soak:a", Name: "a"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
			return nil, nil
		}),
		mcp.AddTool(s, mcp.Tool{Name: "change"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
			s.ResourceUpdated("soak:a")
			return "changed", nil
		}),
	} {
		if err != nil {
			return err
		}
	}
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	pipes, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			c, err := pipes.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_ = s.ServeConn(ctx, c) // it ends with the client
			}()
		}
	}()
	h := s.HTTPHandler(&mcp.HTTPOptions{SessionTimeout: 8 * time.Second, MaxSessions: 20_000})
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	mux.Handle("/sse", s.SSEHandler(nil))
	mux.HandleFunc("/usage", func(w http.ResponseWriter, req *http.Request) {
		if req.FormValue("collect") != "" {
			debug.FreeOSMemory()
		}
		_ = json.NewEncoder(w).Encode(used())
	})
	fmt.Println(web.Addr(), pipes.Addr())
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
		pipes.Close()
	}()
	return h.Serve(ctx, web, mux)
}

func used() usage {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := usage{Heap: int(m.HeapAlloc), Goroutines: runtime.NumGoroutine()}
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kb, _ := strconv.Atoi(fields[1])
			u.RSS = kb << 10
		}
	}
	return u
}
