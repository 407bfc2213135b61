//go:build unix

package mcp

import "syscall"

// canProbe says whether this system has a probe that works.
const canProbe = true

// A probe finds out whether a socket has data to read, or has ended.
type probe struct {
	raw   syscall.RawConn
	read  func(fd uintptr) bool
	quiet bool
	byte  [1]byte
}

func newProbe(raw syscall.RawConn) *probe {
	p := &probe{raw: raw}
	p.read = func(fd uintptr) bool {
		_, err := syscall.Read(int(fd), p.byte[:])
		p.quiet = err == syscall.EAGAIN
		return true
	}
	return p
}

// isQuiet reports whether the socket has no data to read and has not ended. It
// may consume data.
func (p *probe) isQuiet() bool { return p.raw.Read(p.read) == nil && p.quiet }
