package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp"
)

const hugeAnswer = 16 << 20

// unreadAnswers makes many HTTP clients request large answers that they do not read. Other clients
// must be served at the same time.
func unreadAnswers(t *trial) error {
	s, err := newServer(&mcp.ServerOptions{})
	if err != nil {
		return err
	}
	var answers atomic.Int64
	err = mcp.AddTool(s, mcp.Tool{Name: "huge"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		answers.Add(1)
		return strings.Repeat("x", hugeAnswer), nil
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.HTTPHandler(nil).Serve(ctx, listener, nil) }()
	defer func() {
		cancel()
		<-served
	}()
	addr := listener.Addr().String()
	if _, err := readAnswer(addr, "huge"); err != nil { // The first response shows how large the responses are.
		return err
	}
	clients := 16 * t.scale
	for range clients {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return err
		}
		defer conn.Close()
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(4096)
		}
		request, err := callOf(addr, "huge")
		if err != nil {
			return err
		}
		t.input(int(request.ContentLength))
		if err := request.Write(conn); err != nil {
			return err
		}
	}
	for range 500 { // Meanwhile, responses are produced for all clients for which there is room.
		if n, err := readAnswer(addr, "large"); err != nil || n < 64<<10 {
			return fmt.Errorf("another client got %d bytes: %w", n, err)
		}
	}
	t.outcome = fmt.Sprintf("%d of %d answers were made, others were served", answers.Load()-1, clients)
	if answers.Load()-1 == int64(clients) {
		return fmt.Errorf("all of %d answers were made", clients)
	}
	return nil
}

func callOf(addr, tool string) (*http.Request, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	request, err := http.NewRequest(http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool} {
		request.Header.Set(name, value)
	}
	return request, nil
}

// readAnswer calls a tool and returns the size of the answer.
func readAnswer(addr, tool string) (int64, error) {
	request, err := callOf(addr, tool)
	if err != nil {
		return 0, err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return io.Copy(io.Discard, response.Body)
}
