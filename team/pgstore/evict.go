package pgstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docent-mcp/docent/internal/teamserver/pushed"
)

const (
	// evictEvery is the interval at which packages are evicted.
	evictEvery = time.Minute
	// evictionLock is the advisory lock of the replica that evicts packages.
	evictionLock = migrationLock + 1
)

func (s *Store) evictRegularly() {
	for pause(s.ctx, evictEvery) {
		_ = s.evict(s.ctx)
	}
}

// evict removes the packages that have expired or have not been used for Options.MaxAge. Then it
// removes the least recently used packages until the rest needs at most nine tenths of
// Options.MaxBytes. Only one replica does this at a time.
func (s *Store) evict(ctx context.Context) error {
	return s.do(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var mine bool
			if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, int64(evictionLock)).Scan(&mine); err != nil || !mine {
				return err
			}
			if _, err := tx.Exec(ctx, `DELETE FROM docent_packages WHERE expires_at < now() OR used_at < now() - $1::interval`, s.options.MaxAge); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `DELETE FROM docent_projects WHERE used_at < now() - $1::interval`, pushed.MaxAge); err != nil {
				return err
			}
			var bytes int64
			if err := tx.QueryRow(ctx, `SELECT coalesce(sum(bytes), 0)::bigint FROM docent_packages`).Scan(&bytes); err != nil || bytes <= s.options.MaxBytes {
				return err
			}
			_, err := tx.Exec(ctx, `DELETE FROM docent_packages WHERE number IN (
				SELECT number FROM (SELECT number, sum(bytes) OVER (ORDER BY used_at DESC, number DESC) AS total FROM docent_packages) AS ranked
				WHERE total > $1)`, s.options.MaxBytes/10*9)
			return err
		})
	})
}
