package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/pflag"

	"github.com/docent-mcp/docent/internal/teamserver/command"
	"github.com/docent-mcp/docent/team/pgstore"
)

// postgresVariable is the environment variable with the address of the database.
const postgresVariable = "DOCENT_POSTGRES_URL"

// postgresFlags contains the flags of the shared store.
type postgresFlags struct {
	url, size string
	age       time.Duration
	tracer    pgx.QueryTracer // may be nil
}

func (p *postgresFlags) add(f *pflag.FlagSet) {
	f.StringVar(&p.url, "postgres", "", "the PostgreSQL database in which replicas share packages: postgres://USER@HOST/DATABASE, or "+postgresVariable+"; without it, each replica has its own")
	f.StringVar(&p.size, "postgres-size", "10GiB", "maximum size of the packages in the database; those used least recently are removed first")
	f.DurationVar(&p.age, "postgres-age", 30*24*time.Hour, "how long a package stays in the database after its last use")
}

// checkCommandLine refuses a password on the command line, where all users of the machine can read
// it. It must be called before settings are loaded from variables and files.
func (p *postgresFlags) checkCommandLine(f *pflag.FlagSet) error {
	if f.Changed("postgres") && pgstore.HasPassword(p.url) {
		return errors.New("a password on the command line can be read in the list of processes; give the address in " + postgresVariable + " or in the configuration file, or the password in PGPASSWORD or PGPASSFILE")
	}
	return nil
}

// options returns the options of the shared store.
func (p *postgresFlags) options() (pgstore.Options, error) {
	o := pgstore.Options{URL: cmp.Or(p.url, os.Getenv(postgresVariable)), MaxAge: p.age}
	var err error
	if o.MaxBytes, err = command.ParseSize(p.size); err != nil || o.MaxBytes == 0 {
		return o, fmt.Errorf("--postgres-size %.50q is not a size; specify a number of bytes, or a number with a unit such as 512MiB or 2GiB", p.size)
	}
	if p.age <= 0 {
		return o, fmt.Errorf("--postgres-age %v is not a duration after which packages can be removed; give hours, such as 720h", p.age)
	}
	if o.URL == "" {
		return o, nil
	}
	return o, pgstore.Check(o.URL)
}

// open opens the shared store, if one is configured, and passes it to the program.
func (p *postgresFlags) open(ctx context.Context, program *command.Program, log *slog.Logger) (closeStore func(), err error) {
	o, err := p.options()
	if err != nil {
		return nil, err
	}
	if o.URL == "" {
		return func() {}, nil
	}
	if program.Build, err = build(); err != nil {
		return nil, ran(fmt.Errorf("the program cannot be read, so its packages cannot be shared: %w", err))
	}
	o.Logger, o.Tracer = log, p.tracer
	s, err := pgstore.Open(ctx, o)
	if err != nil {
		return nil, ran(err)
	}
	program.Shared, program.Projects, program.SharedUp = s, s, s.Up
	return s.Close, nil
}

// build identifies the program by its content, so that replicas share a package only if the same
// program has read it.
func build() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return version() + " " + hex.EncodeToString(h.Sum(nil)[:12]), nil
}
