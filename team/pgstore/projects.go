package pgstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

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

// Contents implements pushed.Shared.
func (s *Store) Contents(owners []string, name string) (map[string]string, error) {
	type row struct {
		Owner, Content string
		Old            bool
	}
	var found []row
	err := s.do(s.ctx, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, `SELECT owner, content, used_at < now() - interval '1 day' AS old FROM docent_projects WHERE owner = ANY($1) AND name = $2`, texts(owners), name)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, pgx.RowToStructByName[row])
		return err
	})
	if err != nil {
		return nil, err
	}
	contents := map[string]string{}
	for _, owner := range owners {
		i := slices.IndexFunc(found, func(r row) bool { return r.Owner == text(owner) })
		if i < 0 {
			continue
		}
		if found[i].Old && len(contents) == 0 {
			_ = s.do(s.ctx, func(ctx context.Context) error {
				_, err := s.pool.Exec(ctx, `UPDATE docent_projects SET used_at = now() WHERE owner = $1 AND name = $2`, text(owner), name)
				return err
			})
		}
		contents[owner] = found[i].Content
	}
	return contents, nil
}

// texts returns text of each of all.
func texts(all []string) []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = text(all[i])
	}
	return out
}

// ProjectData implements pushed.Shared.
func (s *Store) ProjectData(owner, name string) (data []byte, err error) {
	err = s.do(s.ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, `SELECT data FROM docent_projects WHERE owner = $1 AND name = $2 AND octet_length(data) <= $3`, text(owner), name, maxProject).Scan(&data)
	})
	return data, notExist(err)
}

// Names implements pushed.Shared.
func (s *Store) Names(owners []string) (names []string, err error) {
	err = s.do(s.ctx, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, `SELECT name FROM docent_projects WHERE owner = ANY($1) GROUP BY name ORDER BY min(array_position($1, owner)), name LIMIT $2`, texts(owners), pushed.MaxProjects)
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
