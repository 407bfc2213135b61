// Package apart checks types in a separate process. Checking the types of a hostile program might
// never end or might exhaust the machine's memory.
package apart

import (
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

const (
	// maxTime is the maximum duration of the type check of one project. A check may take longer while the process has had
	// less than this time of a processor, because other programs use the processors, but not longer than maxWait.
	maxTime = time.Minute
	// maxWait is the maximum duration of a type check on a machine that is busy.
	maxWait = 10 * maxTime
	// maxHeap is the maximum size of the heap of the process, in bytes.
	maxHeap = 2 << 30
	// maxIdleHeap is the maximum size of the heap of a process that waits for the next check, in bytes.
	maxIdleHeap = 200 << 20
	// maxAnswer is the maximum size of an answer of the process, in bytes.
	maxAnswer = 256 << 20
	// maxIdle is the time after which a process that is not used ends.
	maxIdle = 5 * time.Minute
)

// request asks the process to determine the uses in the files of one project by type checking.
type request struct {
	Language apidoc.Ecosystem
	Dir      string
	Files    [][]*ecosystem.SourceFile // files by directory
	Limit    time.Duration             // see maxTime
}

// response contains the uses, or the reason why there are none.
type response struct {
	Uses    [][][]ecosystem.TypedUse
	Partial string // the reason why some uses are left out, if any
	Problem string
	Last    bool // whether the process uses too much memory for another check
}

// Types implements check.TypesFunc. It runs this program with the command Command.
func Types(ctx context.Context, language apidoc.Ecosystem, checker ecosystem.TypeChecker, dir string, files [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
	var s Server
	defer s.Close()
	return s.Types(ctx, language, checker, dir, files)
}

// Server checks types in a process that also performs later checks, so that a language can reuse
// what it has read. If the process is busy, another one performs the check and ends. The zero
// Server is ready to use.
type Server struct {
	mu    sync.Mutex
	idle  *process      // nil if the process is busy or has ended
	limit time.Duration // 0 means maxTime
}

// Types implements check.TypesFunc.
func (s *Server) Types(ctx context.Context, language apidoc.Ecosystem, _ ecosystem.TypeChecker, dir string, files [][]*ecosystem.SourceFile) ([][][]ecosystem.TypedUse, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, fmt.Errorf("the check took longer than %v", maxWait))
	defer cancel()
	r := request{language, dir, files, cmp.Or(s.limit, maxTime)}
	if p := s.take(); p != nil {
		answer, err := p.ask(ctx, r)
		if ended := (*sendError)(nil); !errors.As(err, &ended) || ctx.Err() != nil {
			return s.finish(p, answer, err)
		}
		p.end() // it ended while it was idle
	}
	p, err := start()
	if err != nil {
		return nil, err
	}
	answer, err := p.ask(ctx, r)
	return s.finish(p, answer, err)
}

// finish returns the uses in an answer. It keeps the process for the next check unless it failed, has
// too much in memory, or another process is idle.
func (s *Server) finish(p *process, answer *response, err error) ([][][]ecosystem.TypedUse, error) {
	if err != nil {
		p.end()
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.idle != nil || answer.Last {
		p.end()
	} else {
		s.idle, p.expiry = p, time.AfterFunc(maxIdle, p.end)
	}
	if answer.Problem != "" {
		return nil, errors.New(answer.Problem)
	}
	if answer.Partial != "" {
		return answer.Uses, &ecosystem.PartialError{Reason: answer.Partial}
	}
	return answer.Uses, nil
}

// take returns the idle process, which becomes busy, or nil if there is none.
func (s *Server) take() (p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, s.idle = s.idle, nil; p != nil && !p.expiry.Stop() {
		return nil
	}
	return p
}

// Close ends the process unless it is busy.
func (s *Server) Close() {
	if p := s.take(); p != nil {
		p.end()
	}
}

// process is a running copy of this program that serves requests.
type process struct {
	requests *gob.Encoder
	answers  *gob.Decoder
	limit    *io.LimitedReader // limits the size of an answer
	max      int64             // the maximum size of an answer, in bytes
	expiry   *time.Timer       // ends the process while it is idle
	end      func()            // stops the process and waits for its end; may be called several times
	exitCode func() int        // after end
}

// start starts a process.
func start() (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, Command) //nolint:noctx // it serves several checks
	cmd.Dir = os.TempDir()             // so that the process creates no files in the project
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	limit := &io.LimitedReader{R: out}
	return &process{
		requests: gob.NewEncoder(in), answers: gob.NewDecoder(limit), limit: limit, max: maxAnswer,
		end: sync.OnceFunc(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // closes the pipes
		}),
		exitCode: func() int { return cmd.ProcessState.ExitCode() },
	}, nil
}

// ask sends a request and waits for its answer. If it returns an error, the process has ended or
// must be ended.
func (p *process) ask(ctx context.Context, r request) (*response, error) {
	defer context.AfterFunc(ctx, p.end)()
	p.limit.N = p.max
	if err := p.requests.Encode(r); err != nil {
		return nil, cmp.Or(context.Cause(ctx), error(&sendError{err}))
	}
	answer := &response{}
	switch err := p.answers.Decode(answer); {
	case err == nil:
		return answer, nil
	case context.Cause(ctx) != nil:
		return nil, context.Cause(ctx)
	case p.limit.N <= 0:
		return nil, fmt.Errorf("the uses that the process found exceed %d bytes", p.max)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		p.end()
		if p.exitCode() == exitTime {
			return nil, fmt.Errorf("the check took longer than %v", r.Limit)
		}
		return nil, errEnded
	default:
		return nil, err
	}
}

// sendError is the error of a request that the process did not receive.
type sendError struct{ error }

var errEnded = errors.New("the process that checks types ended")

// Command is the name of the command that Types runs. It calls Serve.
const Command = "types"

// Serve reads requests from in, checks the types of their files and writes the uses to out, until
// in ends. A check that has not finished by then is abandoned, because it may never finish. Serve
// ends the process if its heap exceeds maxHeap.
func Serve(ctx context.Context, in io.Reader, out io.Writer, languages ecosystem.Languages) error {
	requests, ended := make(chan request), make(chan error, 2)
	go func() {
		decoder := gob.NewDecoder(in)
		for {
			var r request
			if err := decoder.Decode(&r); err != nil {
				ended <- err
				return
			}
			requests <- r
		}
	}()
	go func() {
		encoder := gob.NewEncoder(out)
		for r := range requests {
			if err := encoder.Encode(r.answer(ctx, languages)); err != nil {
				ended <- err
				return
			}
		}
	}()
	if err := <-ended; !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// answer checks the types of the files.
func (r *request) answer(ctx context.Context, languages ecosystem.Languages) (a response) {
	checker, ok := languages.Find(string(r.Language)).(ecosystem.TypeChecker)
	err := fmt.Errorf("%q has no types", r.Language)
	if ok {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go watch(ctx, r.Limit)
		a.Uses, err = check.Types(ctx, r.Language, checker, r.Dir, r.Files)
	}
	if partial, ok := errors.AsType[*ecosystem.PartialError](err); ok {
		a.Partial = partial.Reason
	} else if err != nil {
		a.Problem = err.Error()
	}
	a.Last = memory("/gc/heap/live:bytes") > maxIdleHeap // without garbage
	return a
}

// memory returns a metric of the runtime, in bytes.
func memory(metric string) uint64 {
	size := []metrics.Sample{{Name: metric}}
	metrics.Read(size)
	return size[0].Value.Uint64()
}

// exitTime is the exit code of a process whose check takes too long.
const exitTime = 3

// watch ends the process when its heap exceeds maxHeap, or its check the time limit, before ctx is done.
func watch(ctx context.Context, limit time.Duration) {
	start, used := time.Now(), ProcessorTime()
	tick := time.NewTicker(100 * time.Millisecond)
	for {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			if memory("/memory/classes/heap/objects:bytes") > maxHeap {
				os.Exit(1)
			}
			if time.Since(start) > limit && ProcessorTime()-used > limit {
				os.Exit(exitTime)
			}
		}
	}
}
