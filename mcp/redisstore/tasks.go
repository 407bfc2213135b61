package redisstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/docent-mcp/docent/mcp"
)

var _ mcp.TaskStore = (*Store)(nil)

// The tasks are stored in five keys, so that a script can change and limit them atomically: "tasks"
// contains the records by ID, "tasks:expiry" and "tasks:ended" contain the IDs ordered by time,
// "tasks:owners" contains them ordered by owner, and "tasks:bytes" is the sum of their sizes. The
// keys expire together with the last task.
func (s *Store) taskKeys() []string {
	return []string{s.prefix + "tasks", s.prefix + "tasks:expiry", s.prefix + "tasks:ended", s.prefix + "tasks:owners", s.prefix + "tasks:bytes"}
}

var (
	//go:embed put_task.lua
	putTaskText string
	putTask     = redis.NewScript(putTaskText)

	//go:embed list_tasks.lua
	listTasksText string
	listTasks     = redis.NewScript(listTasksText)
)

// Put implements mcp.TaskStore.
func (s *Store) Put(ctx context.Context, task *mcp.TaskRecord) error {
	value, err := encodeTask(task)
	if err != nil {
		return failed("storing a task", err)
	}
	ended := 0
	if task.Status.Terminal() {
		ended = 1
	}
	ctx, cancel := s.bound(ctx)
	defer cancel()
	stored, err := putTask.Run(ctx, s.client, s.taskKeys(), task.ID, value, ownerKey(task.Owner),
		task.Created.Add(task.TTL).UnixMilli(), task.Updated.UnixMilli(), ended, s.opts.MaxTasks, s.opts.MaxTaskBytes).Int()
	switch {
	case err != nil:
		return failed("storing a task", err)
	case stored == 0:
		return failed("storing a task", ErrFull)
	}
	return nil
}

// Get implements mcp.TaskStore.
func (s *Store) Get(ctx context.Context, id string) (*mcp.TaskRecord, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	value, err := s.client.HGet(ctx, s.taskKeys()[0], id).Bytes()
	switch {
	case errors.Is(err, redis.Nil):
		return nil, mcp.ErrTaskNotFound
	case err != nil:
		return nil, failed("reading a task", err)
	}
	task, err := decodeTask(value)
	switch {
	case err != nil:
		return nil, failed("reading a task", err)
	case expired(task):
		return nil, mcp.ErrTaskNotFound
	}
	return task, nil
}

// List implements mcp.TaskStore.
func (s *Store) List(ctx context.Context, owner, after string, n int) ([]*mcp.TaskRecord, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	values, err := listTasks.Run(ctx, s.client, s.taskKeys(), ownerKey(owner), after, n).StringSlice()
	if err != nil {
		return nil, failed("listing tasks", err)
	}
	var list []*mcp.TaskRecord
	for _, value := range values {
		task, err := decodeTask([]byte(value))
		if err != nil {
			return nil, failed("listing tasks", err)
		}
		if task.Owner == owner && !expired(task) { // the task may have expired in the meantime, or the clocks of the machines may differ
			list = append(list, task)
		}
	}
	return list, nil
}

func expired(task *mcp.TaskRecord) bool { return time.Since(task.Created) > task.TTL }

// ownerKey returns a name of fixed length for an owner, which may contain any characters.
func ownerKey(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return hex.EncodeToString(sum[:16])
}

// taskHeader is the first line of a stored task. It is followed by Result, Error and Inputs, which
// are stored unchanged.
type taskHeader struct {
	ID      []byte         `json:"id"` // []byte, because JSON strings must be UTF-8
	Owner   []byte         `json:"owner"`
	Status  mcp.TaskStatus `json:"status"`
	Message []byte         `json:"message,omitempty"`
	Created time.Time      `json:"created"`
	Updated time.Time      `json:"updated"`
	TTL     time.Duration  `json:"ttl"`
	Result  int            `json:"result,omitempty"` // length in bytes
	Error   int            `json:"error,omitempty"`
	Inputs  int            `json:"inputs,omitempty"`
}

func encodeTask(t *mcp.TaskRecord) ([]byte, error) {
	b, err := json.Marshal(taskHeader{[]byte(t.ID), []byte(t.Owner), t.Status, []byte(t.StatusMessage), t.Created, t.Updated, t.TTL, len(t.Result), len(t.Error), len(t.Inputs)})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Write(append(b, '\n'))
	out.Write(t.Result)
	out.Write(t.Error)
	out.Write(t.Inputs)
	return out.Bytes(), nil
}

var errTaskFormat = errors.New("the record in Redis was not written by this version of the package")

func decodeTask(value []byte) (*mcp.TaskRecord, error) {
	line, rest, ok := bytes.Cut(value, []byte("\n"))
	var h taskHeader
	if !ok || json.Unmarshal(line, &h) != nil {
		return nil, errTaskFormat
	}
	t := &mcp.TaskRecord{ID: string(h.ID), Owner: string(h.Owner), Status: h.Status, StatusMessage: string(h.Message), Created: h.Created, Updated: h.Updated, TTL: h.TTL}
	for _, part := range []struct {
		length int
		to     *json.RawMessage
	}{{h.Result, &t.Result}, {h.Error, &t.Error}, {h.Inputs, &t.Inputs}} {
		if part.length < 0 || part.length > len(rest) {
			return nil, errTaskFormat
		}
		if part.length > 0 {
			*part.to = rest[:part.length:part.length]
		}
		rest = rest[part.length:]
	}
	if len(rest) > 0 {
		return nil, errTaskFormat
	}
	return t, nil
}
