package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// stdioPeer is a server on standard input and output.
type stdioPeer struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	ring []byte // the call with a newline, ringSize times with different IDs
	size int    // size of one call in bytes
	next int    // index of the next call in the ring
	buf  []byte
}

// ringSize is larger than the number of calls in flight, because servers may drop a request with
// the ID of a request in flight.
const ringSize = 4096

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0"}}}`

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

func (s *scenario) start(command []string) (peer, error) {
	if s.http {
		return s.startHTTP(command)
	}
	p := &stdioPeer{cmd: exec.Command(command[0], slices.Concat(command[1:], s.args, []string{"stdio"})...), buf: make([]byte, 256<<10)}
	for i := range ringSize {
		p.ring = append(p.ring, strings.Replace(s.call, `"id":7`, fmt.Sprintf(`"id":%d`, 10_000+i), 1)+"\n"...)
	}
	p.size = len(p.ring) / ringSize
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 256<<10)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(p.in, initialize+"\n"+initialized+"\n"); err != nil {
		return nil, err
	}
	answer, err := p.out.ReadString('\n')
	if err != nil || !strings.Contains(answer, `"result"`) {
		return nil, fmt.Errorf("initialize was answered with %q: %w", answer, err)
	}
	// Only this response is checked, because load only counts responses.
	if err := p.send(1); err != nil {
		return nil, err
	}
	answer, err = p.out.ReadString('\n')
	if err != nil || !strings.Contains(answer, `"result"`) || strings.Contains(answer, `"isError":true`) {
		return nil, fmt.Errorf("the call was answered with %.200q: %w", answer, err)
	}
	return p, nil
}

func (p *stdioPeer) pid() int { return p.cmd.Process.Pid }

func (p *stdioPeer) stop() {
	p.in.Close()
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// send sends the next n calls.
func (p *stdioPeer) send(n int) error {
	for n > 0 {
		now := min(n, ringSize-p.next)
		if _, err := p.in.Write(p.ring[p.next*p.size : (p.next+now)*p.size]); err != nil {
			return err
		}
		p.next = (p.next + now) % ringSize
		n -= now
	}
	return nil
}

func (p *stdioPeer) load(n, inFlight int) error {
	sent := min(inFlight, n)
	if err := p.send(sent); err != nil {
		return err
	}
	for got := 0; got < n; {
		m, err := p.out.Read(p.buf)
		if err != nil {
			return errEnded
		}
		answers := bytes.Count(p.buf[:m], []byte{'\n'})
		got += answers
		if more := min(answers, n-sent); more > 0 {
			if err := p.send(more); err != nil {
				return err
			}
			sent += more
		}
	}
	return nil
}
