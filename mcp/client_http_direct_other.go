//go:build !unix

package mcp

import "syscall"

const canProbe = false

type probe struct{}

func newProbe(syscall.RawConn) *probe { return nil }

func (*probe) isQuiet() bool { return false }
