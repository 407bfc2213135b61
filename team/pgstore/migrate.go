package pgstore

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"github.com/jackc/pgx/v5"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the advisory lock of the replica that migrates the database.
const migrationLock = 0x646f63656e74 // "docent" in ASCII

// migrate creates or changes the tables. The migration files are numbered from 1, and each is
// executed once, in order.
func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	slices.Sort(files)
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrationLock)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS docent_migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`); err != nil {
			return err
		}
		var version int
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM docent_migrations`).Scan(&version); err != nil {
			return err
		}
		if version > len(files) {
			return fmt.Errorf("the tables have version %d, which is newer than this docent-team; install a newer one", version)
		}
		for i, file := range files[version:] {
			text, err := migrations.ReadFile(file)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, string(text)); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			if _, err := tx.Exec(ctx, `INSERT INTO docent_migrations (version) VALUES ($1)`, version+i+1); err != nil {
				return err
			}
		}
		return nil
	})
}
