package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

type sumInput struct {
	A int `json:"a" jsonschema:"first addend"`
	B int `json:"b" jsonschema:"second addend"`
}

type sumOutput struct {
	Sum int `json:"sum" jsonschema:"a plus b"`
}

func sumServer(t testing.TB) *mcp.Server {
	s := echoServer(t, nil)
	must(t, mcp.AddTool(s, mcp.Tool{Name: "sum"}, func(_ context.Context, _ *mcp.Request, in sumInput) (sumOutput, error) {
		return sumOutput{in.A + in.B}, nil
	}))
	return s
}

// benchmarkCalls sends a request repeatedly, with inFlight requests in flight at a time.
func benchmarkCalls(b *testing.B, line string, inFlight int) {
	near, far := net.Pipe()
	served := make(chan error, 1)
	s := sumServer(b)
	go func() { served <- s.ServeConn(context.Background(), far) }()
	answers := bufio.NewReaderSize(near, 64<<10)
	ask := func(line string) {
		if _, err := io.WriteString(near, line+"\n"); err != nil {
			b.Error(err)
		}
	}
	read := func() int {
		n := 0
		for {
			part, err := answers.ReadSlice('\n')
			n += len(part)
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			must(b, err)
			return n
		}
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}`)
	read()
	burst := ""
	for range inFlight {
		burst += line + "\n"
	}
	burst = burst[:len(burst)-1]
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i += inFlight {
		if inFlight == 1 {
			ask(burst)
		} else {
			go ask(burst) // the server may block on writing before it has read all requests
		}
		n := 0
		for range inFlight {
			n += read()
		}
		b.SetBytes(int64((n + len(burst)) / inFlight))
	}
	b.StopTimer()
	near.Close()
	if err := <-served; err != nil {
		b.Error(err)
	}
}

const (
	echoCall   = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello, world"}}}`
	sumCall    = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sum","arguments":{"a":17,"b":25}}}`
	modernCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sum","arguments":{"a":17,"b":25},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
)

func BenchmarkCall(b *testing.B) {
	for _, bench := range []struct{ name, line string }{
		{"echo", echoCall}, {"structured", sumCall}, {"modern", modernCall},
		{"list", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`},
	} {
		for _, inFlight := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/%d-in-flight", bench.name, inFlight), func(b *testing.B) {
				benchmarkCalls(b, bench.line, inFlight)
			})
		}
	}
}

// BenchmarkEncodingJSON is the baseline: encoding/json decodes the request and encodes the response
// of the structured call, and do nothing else.
func BenchmarkEncodingJSON(b *testing.B) {
	type request struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int64  `json:"id"`
		Method  string `json:"method"`
		Params  struct {
			Name      string   `json:"name"`
			Arguments sumInput `json:"arguments"`
		} `json:"params"`
	}
	type text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	type response struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int64  `json:"id"`
		Result  struct {
			Content    []text    `json:"content"`
			Structured sumOutput `json:"structuredContent"`
		} `json:"result"`
	}
	b.ReportAllocs()
	for b.Loop() {
		var in request
		must(b, json.Unmarshal([]byte(sumCall), &in))
		out := response{JSONRPC: "2.0", ID: in.ID}
		out.Result.Content = []text{{"text", `{"sum":42}`}}
		out.Result.Structured.Sum = in.Params.Arguments.A + in.Params.Arguments.B
		if _, err := json.Marshal(out); err != nil {
			b.Fatal(err)
		}
	}
}
