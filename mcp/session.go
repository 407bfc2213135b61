package mcp

import (
	"strconv"
	"sync/atomic"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// session is what a client of a revision up to 2025-11-25 agreed on with
// initialize. Requests are filled in from it; nothing else knows it.
type session struct {
	rev          revision.Revision
	client       Implementation
	capabilities ClientCapabilities
	initialized  atomic.Bool  // notifications/initialized has come
	level        atomic.Int32 // least level of log messages
}

// initialize opens a session (specification to 2025-11-25: Lifecycle).
func (s *Server) initialize(r *Request) (Result, error) {
	var p struct {
		ProtocolVersion jsonValue          `json:"protocolVersion"`
		Capabilities    ClientCapabilities `json:"capabilities"`
		ClientInfo      Implementation     `json:"clientInfo"`
	}
	if err := decodeOptional(r.params.all, &p); err != nil {
		return nil, errorf(CodeInvalidParams, "Invalid params of initialize: capabilities and clientInfo must be objects, clientInfo with name and version")
	}
	asked, ok := jsonrpc.String(p.ProtocolVersion)
	if !ok {
		return nil, errorf(CodeInvalidParams, "Invalid params of initialize: protocolVersion must be a string")
	}
	agreed := revision.Parse(asked)
	if !agreed.Legacy() {
		agreed = revision.LatestLegacy
	}
	next := &session{rev: agreed, client: p.ClientInfo, capabilities: p.Capabilities}
	next.level.Store(int32(LevelInfo))
	if !r.out.begin(next) {
		return nil, errorf(CodeInvalidRequest, "Invalid request: the session is initialized already")
	}
	r.rev, r.session = agreed, next

	b := wire.Field(open(), "protocolVersion", agreed.String())
	b = s.appendCapabilities(b, agreed)
	b = s.info.append(wire.Name(b, "serverInfo"), agreed)
	b = wire.Optional(b, "instructions", s.opts.Instructions)
	return encodedResult(b[1:]), nil
}

// open begins an object, so that the members appended know which is first.
func open() []byte { return []byte{'{'} }

// discover tells what initialize tells, to clients that have no session
// (specification 2026-07-28: Discovery).
func (s *Server) discover(r *Request) (Result, error) {
	b := append(wire.Name(open(), "supportedVersions"), '[')
	for _, rev := range revision.All() {
		b = wire.String(wire.Comma(b), rev.String())
	}
	b = append(b, ']')
	b = s.appendCapabilities(b, r.rev)
	b = wire.Optional(b, "instructions", s.opts.Instructions)
	b = s.appendCaching(b, "public")
	return encodedResult(b[1:]), nil
}

func (s *Server) appendCapabilities(b []byte, rev revision.Revision) []byte {
	b = append(wire.Name(b, "capabilities"), '{')
	if s.tools.used() {
		b = append(wire.Name(b, "tools"), '{')
		if rev.Legacy() {
			b = wire.Bool(b, "listChanged", true)
		}
		b = append(b, '}')
	}
	if s.opts.Logging {
		b = append(wire.Name(b, "logging"), `{}`...)
	}
	return append(b, '}')
}

// appendCaching appends the hints that 2026-07-28 asks for.
func (s *Server) appendCaching(b []byte, scope string) []byte {
	b = strconv.AppendInt(wire.Name(b, "ttlMs"), s.opts.ListTTL.Milliseconds(), 10)
	return wire.Field(b, "cacheScope", scope)
}
