// Package pgstore stores packages in PostgreSQL, for all replicas of a server. It is a
// store.Backend.
//
// A value is the encoding of a package, compressed with zstd. A replica that reads a package holds
// an advisory lock, so that other replicas wait for it. NOTIFY wakes them. Locks belong to a
// session, so the server must not connect to PostgreSQL through a connection pooler that shares a
// session among clients.
//
// While PostgreSQL cannot be reached, each replica reads packages itself, as if it were the only
// one. Store logs when this state begins and ends.
package pgstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/zstd"

	"github.com/docent-mcp/docent/internal/store"
)

const (
	// callTime is the maximum duration of one call to PostgreSQL.
	callTime = 5 * time.Second
	// maxCompressed and maxValue are the maximum sizes in bytes of a value with and without
	// compression.
	maxCompressed = 64 << 20
	maxValue      = 80 << 20
	// maxConns is the maximum number of connections, not counting one that holds locks and one that
	// listens. The URL can specify a different number (pool_max_conns).
	maxConns = 16
	// usedAfter is how old the recorded time of the last use may become.
	usedAfter = time.Hour
)

// Options configure a Store.
type Options struct {
	// URL is the address of the database, or a libpq connection string. Missing parts come from the
	// environment variables of libpq (PGPASSWORD, PGPASSFILE, PGSSLROOTCERT).
	URL string
	// MaxBytes is the maximum total size of all compressed packages; 10 GiB if zero. The packages
	// that were used least recently are removed first.
	MaxBytes int64
	// MaxAge is how long a package is kept after its last use; 30 days if zero.
	MaxAge time.Duration
	// Logger receives a message when PostgreSQL can no longer be reached, and when it can be
	// reached again. If it is nil, messages are discarded.
	Logger *slog.Logger
	// Tracer records queries, if it is not nil.
	Tracer pgx.QueryTracer
}

// Store is a store.Backend in PostgreSQL.
type Store struct {
	options Options
	pool    *pgxpool.Pool
	log     *slog.Logger
	health  health
	locks   locks
	cache   decoded
	totals  totals
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	ctx     context.Context // done after Close
	stop    context.CancelFunc
	work    sync.WaitGroup
}

// Check returns an error if a URL is not the address of a database. The error does not contain the
// password.
func Check(url string) error {
	_, err := configOf(url)
	return err
}

func configOf(url string) (*pgxpool.Config, error) {
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("the address of PostgreSQL is not valid; write postgres://USER@HOST:5432/DATABASE") // the error may quote the address with its password
	}
	hosts := []string{c.ConnConfig.Host}
	for _, other := range c.ConnConfig.Fallbacks {
		hosts = append(hosts, other.Host)
	}
	if strings.Contains(strings.Join(hosts, ""), "@") { // errors about the host would contain a part of the password
		return nil, errors.New("the address of PostgreSQL has two characters @; write those in the password as %40, or give the password in PGPASSWORD")
	}
	if !strings.Contains(url, "pool_max_conns") {
		c.MaxConns = maxConns
	}
	c.ConnConfig.ConnectTimeout = cmp.Or(c.ConnConfig.ConnectTimeout, callTime)
	if c.ConnConfig.RuntimeParams["application_name"] == "" {
		c.ConnConfig.RuntimeParams["application_name"] = "docent-team"
	}
	return c, nil
}

// HasPassword reports whether a URL contains a password.
func HasPassword(url string) bool {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		if user, _, at := strings.Cut(rest, "@"); at && strings.Contains(user, ":") {
			return true
		}
	}
	return strings.Contains(strings.ToLower(url), "password")
}

// Open returns a Store. The database does not have to be reachable yet.
func Open(ctx context.Context, o Options) (*Store, error) {
	config, err := configOf(o.URL)
	if err != nil {
		return nil, err
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 10 << 30
	}
	if o.MaxAge <= 0 {
		o.MaxAge = 30 * 24 * time.Hour
	}
	s := &Store{options: o, log: o.Logger}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2)); err != nil {
		return nil, err
	}
	if s.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxValue)); err != nil {
		return nil, err
	}
	config.ConnConfig.Tracer = o.Tracer
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("PostgreSQL cannot be used: %w", err)
	}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.health.changed = make(chan struct{})
	s.locks.init(config.ConnConfig)
	s.start(ctx)
	return s, nil
}

// Close ends all connections.
func (s *Store) Close() {
	s.stop()
	s.work.Wait()
	s.locks.close()
	s.pool.Close()
	s.decoder.Close()
}

// Load implements store.Backend.
func (s *Store) Load(ctx context.Context, k store.Key) (string, error) {
	id := k.Hash()
	var data []byte
	var old bool
	err := s.do(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, `SELECT data, used_at < now() - $2::interval FROM docent_packages
			WHERE id = $1 AND (expires_at IS NULL OR expires_at > now()) AND octet_length(data) <= $3`, id[:], usedAfter, maxCompressed).Scan(&data, &old)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fs.ErrNotExist
	}
	if err != nil {
		return "", err
	}
	value, err := s.decoder.DecodeAll(data, nil)
	if err != nil {
		s.Drop(ctx, k)
		return "", fs.ErrNotExist
	}
	if old {
		_ = s.do(ctx, func(ctx context.Context) error {
			_, err := s.pool.Exec(ctx, `UPDATE docent_packages SET used_at = now() WHERE id = $1`, id[:])
			return err
		})
	}
	return string(value), nil
}

// Save implements store.Backend.
func (s *Store) Save(ctx context.Context, k store.Key, v *store.Value) error {
	if !s.health.up() {
		return errDown
	}
	var b bytes.Buffer
	b.Grow(v.Size)
	if err := v.Write(&b); err != nil {
		return err
	}
	data := s.encoder.EncodeAll(b.Bytes(), nil)
	if len(data) > maxCompressed || b.Len() > maxValue {
		return fmt.Errorf("the package %s is too large", v.Package.Name)
	}
	var expires *time.Time
	if !v.Expires.IsZero() {
		expires = &v.Expires
	}
	id := k.Hash()
	return s.do(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			// Deleting the old row also deletes its words.
			if _, err := tx.Exec(ctx, `DELETE FROM docent_packages WHERE id = $1`, id[:]); err != nil {
				return err
			}
			var number int64
			var searchable bool
			err := tx.QueryRow(ctx, `INSERT INTO docent_packages (id, build, owner, language, name, version, key, bytes, expires_at, data, searchable)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 AND NOT EXISTS (
					SELECT FROM docent_packages WHERE build = $2 AND owner = $3 AND language = $4 AND name = $5 AND version = $6 AND searchable
				)) ON CONFLICT (id) DO NOTHING RETURNING number, searchable`,
				id[:], text(k.Build), text(k.Group), text(string(k.Language)), text(v.Package.Name), text(v.Package.Version), text(k.Found), len(data), expires, data, !v.Hidden).Scan(&number, &searchable)
			if errors.Is(err, pgx.ErrNoRows) || err == nil && !searchable {
				return nil // another replica has stored the package at the same moment, or its words already exist
			}
			if err != nil {
				return err
			}
			words := wordsOf(v.Package, prefixOf(k.Build, k.Group, k.Language))
			_, err = tx.Exec(ctx, `INSERT INTO docent_words (package, words) SELECT $1, unnest($2::text[])::tsvector`, number, words)
			return err
		})
	})
}

// text returns s without the characters that PostgreSQL cannot store.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", " ")
}

// Drop implements store.Backend.
func (s *Store) Drop(ctx context.Context, k store.Key) {
	id := k.Hash()
	s.log.Warn("removing a damaged package from the shared store", "language", k.Language)
	_ = s.do(ctx, func(ctx context.Context) error {
		_, err := s.pool.Exec(ctx, `DELETE FROM docent_packages WHERE id = $1`, id[:])
		return err
	})
}
