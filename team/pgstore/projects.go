package pgstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"

	"github.com/docent-mcp/docent/internal/teamserver/pushed"
)

// maxProject is the maximum size of the data of a project in bytes.
const maxProject = 32 << 20

// PutProject implements pushed.Shared.
func (s *Store) PutProject(owner, name, content string, data []byte) error {
	if len(data) > maxProject {
		return fmt.Errorf("the project %s is too large", name)
	}
	full := false
	err := s.do(s.ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var others int
			if err := tx.QueryRow(ctx, `SELECT count(*) FROM docent_projects WHERE owner = $1 AND name <> $2`, text(owner), name).Scan(&others); err != nil {
				return err
			}
			if full = others >= pushed.MaxProjects; full {
				return nil
			}
			_, err := tx.Exec(ctx, `INSERT INTO docent_projects (owner, name, content, data) VALUES ($1, $2, $3, $4)
				ON CONFLICT (owner, name) DO UPDATE SET content = $3, data = $4, used_at = now()`, text(owner), name, content, data)
			return err
		})
	})
	if full {
		return pushed.ErrFull
	}
	return err
}

// Content implements pushed.Shared.
func (s *Store) Content(owner, name string) (content string, err error) {
	old := false
	err = s.do(s.ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, `SELECT content, used_at < now() - interval '1 day' FROM docent_projects WHERE owner = $1 AND name = $2`, text(owner), name).Scan(&content, &old)
	})
	if err == nil && old {
		_ = s.do(s.ctx, func(ctx context.Context) error {
			_, err := s.pool.Exec(ctx, `UPDATE docent_projects SET used_at = now() WHERE owner = $1 AND name = $2`, text(owner), name)
			return err
		})
	}
	return content, notExist(err)
}

// ProjectData implements pushed.Shared.
func (s *Store) ProjectData(owner, name string) (data []byte, err error) {
	err = s.do(s.ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, `SELECT data FROM docent_projects WHERE owner = $1 AND name = $2 AND octet_length(data) <= $3`, text(owner), name, maxProject).Scan(&data)
	})
	return data, notExist(err)
}

// Names implements pushed.Shared.
func (s *Store) Names(owner string) (names []string, err error) {
	err = s.do(s.ctx, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, `SELECT name FROM docent_projects WHERE owner = $1 ORDER BY name LIMIT $2`, text(owner), pushed.MaxProjects)
		if err != nil {
			return err
		}
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return names, err
}

// RemoveProject implements pushed.Shared.
func (s *Store) RemoveProject(owner, name string) (removed bool, err error) {
	err = s.do(s.ctx, func(ctx context.Context) error {
		tag, err := s.pool.Exec(ctx, `DELETE FROM docent_projects WHERE owner = $1 AND name = $2`, text(owner), name)
		removed = tag.RowsAffected() > 0
		return err
	})
	return removed, err
}

// notExist returns fs.ErrNotExist for a row that does not exist.
func notExist(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fs.ErrNotExist
	}
	return err
}
