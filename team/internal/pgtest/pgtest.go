// Package pgtest starts PostgreSQL for tests. It uses the installed programs initdb and postgres, a
// temporary directory and a Unix socket.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// user is the unprivileged user that runs PostgreSQL if the test runs as root, because PostgreSQL
// does not run as root.
const user = 65534

// ErrMissing is the error of New if PostgreSQL is not installed.
var ErrMissing = errors.New("initdb and postgres are not installed")

// A Server is a running PostgreSQL server.
type Server struct {
	dir, program string
	process      *exec.Cmd
	databases    atomic.Int32
}

// program returns the path of a PostgreSQL program. On Debian, these programs are not in PATH.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return ""
	}
	return slices.Max(found)
}

// New starts a server with an empty database. The caller must call Close.
func New(ctx context.Context) (*Server, error) {
	initdb, postgres := program("initdb"), program("postgres")
	if initdb == "" || postgres == "" {
		return nil, ErrMissing
	}
	dir, err := os.MkdirTemp("", "pg") // use a short path, because the length of a socket's path is limited
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, program: postgres}
	if os.Getuid() == 0 {
		if err := os.Chown(dir, user, user); err != nil {
			return nil, err
		}
	}
	cmd := s.command(ctx, initdb, "-D", filepath.Join(dir, "data"), "-A", "trust", "-U", "docent", "-E", "UTF8", "--locale=C", "-N")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s, s.Start(ctx)
}

func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = s.dir, []string{"HOME=" + s.dir, "PATH=" + os.Getenv("PATH")}
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	}
	return cmd
}

// Start starts the server again after Stop. It waits until the server responds.
func (s *Server) Start(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.process = s.command(context.WithoutCancel(ctx), s.program, "-D", filepath.Join(s.dir, "data"), "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200")
	s.process.Stderr = log
	if err := s.process.Start(); err != nil {
		return err
	}
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("PostgreSQL does not respond: %w\n%s", err, text)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop stops the server and closes its connections.
func (s *Server) Stop() error {
	if s.process == nil {
		return nil
	}
	err := s.process.Process.Signal(os.Interrupt) // SIGINT requests a fast shutdown
	if err == nil {
		err = s.process.Wait()
	}
	s.process = nil
	return err
}

// PID returns the ID of the server's first process, which is the parent of all others.
func (s *Server) PID() int { return s.process.Process.Pid }

// Close stops the server and removes its files.
func (s *Server) Close() error { return errors.Join(s.Stop(), os.RemoveAll(s.dir)) }

// URL returns the address of a database.
func (s *Server) URL(database string) string {
	return "postgres://docent@/" + database + "?host=" + s.dir
}

// Database creates an empty database for a test and returns its address.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprint("test", s.databases.Add(1))
	conn, err := pgx.Connect(tb.Context(), s.URL("postgres"))
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(tb.Context())
	if _, err := conn.Exec(tb.Context(), `CREATE DATABASE `+pgx.Identifier{name}.Sanitize()); err != nil {
		tb.Fatal(err)
	}
	return s.URL(name)
}

// Start returns a server for one test. It skips the test if PostgreSQL is not installed.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s, err := New(tb.Context())
	if errors.Is(err, ErrMissing) {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}
