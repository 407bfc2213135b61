package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/test/bench/measure"
)

// httpPeer is an HTTP server to which prepared requests are sent on persistent connections.
type httpPeer struct {
	cmd   *exec.Cmd
	addr  string
	head  string // headers of each request, before Content-Length
	call  string
	conns []*httpConn
	// hasSessions is whether the server has opened a session.
	hasSessions bool
}

// httpConn is a connection with its request. Each connection has its own request ID, because
// servers may drop a request with the ID of a request in flight.
type httpConn struct {
	net.Conn
	r       *bufio.Reader
	request []byte
}

func (s *scenario) startHTTP(command []string) (peer, error) {
	addr, err := measure.FreeAddr()
	if err != nil {
		return nil, err
	}
	p := &httpPeer{addr: addr}
	p.cmd = exec.Command(command[0], slices.Concat(command[1:], s.args, []string{"http", p.addr})...)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if err := measure.Reach(addr); err != nil {
		return nil, err
	}
	var head string
	if s.modern {
		head = "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n"
	} else if head, err = p.openSession(); err != nil {
		return nil, err
	}
	p.call = s.call
	p.head = fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n%s", p.addr, head)
	c, err := p.dial()
	if err != nil {
		return nil, err
	}
	body, err := c.do()
	if err != nil || !strings.Contains(body, `"result"`) || strings.Contains(body, `"isError":true`) {
		return nil, fmt.Errorf("the call was answered with %.300q: %w", body, err)
	}
	p.conns = append(p.conns, c)
	return p, nil
}

// openSession initializes a session and returns the headers of additional requests.
func (p *httpPeer) openSession() (string, error) {
	post := func(body, session string) (http.Header, error) {
		req, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/mcp", strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		return resp.Header, nil
	}
	header, err := post(initialize, "")
	if err != nil {
		return "", err
	}
	session := header.Get("Mcp-Session-Id")
	if _, err := post(initialized, session); err != nil {
		return "", err
	}
	head := "Mcp-Protocol-Version: 2025-11-25\r\n"
	if session != "" {
		p.hasSessions = true
		head += "Mcp-Session-Id: " + session + "\r\n"
	}
	return head, nil
}

func (p *httpPeer) pid() int { return p.cmd.Process.Pid }

func (p *httpPeer) stop() {
	for _, c := range p.conns {
		c.Close()
	}
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

func (p *httpPeer) dial() (*httpConn, error) {
	c, err := net.Dial("tcp", p.addr)
	if err != nil {
		return nil, err
	}
	call := strings.Replace(p.call, `"id":7`, fmt.Sprintf(`"id":%d`, 10_000+len(p.conns)), 1)
	request := fmt.Appendf(nil, "%sContent-Length: %d\r\n\r\n%s", p.head, len(call), call)
	return &httpConn{c, bufio.NewReaderSize(c, 16<<10), request}, nil
}

func (p *httpPeer) load(n, inFlight int) error {
	for len(p.conns) < inFlight {
		c, err := p.dial()
		if err != nil {
			return err
		}
		p.conns = append(p.conns, c)
	}
	calls := make([]func() error, inFlight)
	for i, c := range p.conns[:inFlight] {
		calls[i] = func() error { _, err := c.do(); return err }
	}
	return share(n, calls)
}

// do sends a request and reads the response. It returns the body if it is small.
func (c *httpConn) do() (string, error) {
	if _, err := c.Write(c.request); err != nil {
		return "", err
	}
	length, chunked := -1, false
	status, err := c.r.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	if !bytes.Contains(status, []byte(" 200 ")) {
		return "", fmt.Errorf("answered with %s", bytes.TrimSpace(status))
	}
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return "", err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
	if !chunked {
		if length < 0 {
			return "", errors.New("a response has no length")
		}
		return c.take(length)
	}
	var body strings.Builder
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return "", err
		}
		part, err := c.take(int(size))
		if err != nil {
			return "", err
		}
		body.WriteString(part)
		if _, err := c.r.Discard(2); err != nil {
			return "", err
		}
		if size == 0 {
			return body.String(), nil
		}
	}
}

func (c *httpConn) take(n int) (string, error) {
	part, err := c.r.Peek(min(n, c.r.Size()))
	if err != nil {
		return "", err
	}
	text := string(part)
	_, err = c.r.Discard(n)
	return text, err
}
