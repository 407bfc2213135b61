package mcp

import (
	"context"
	"time"
)

// If the process that runs a task dies, the task stays unchanged in the store until its TTL has
// passed. Therefore, when a process receives a request that concerns a task of another process, it
// asks all processes whether they run the task. If none replies, it stores that the task has
// failed. http_orphan.go does the same for requests in sessions.

// orphanAge is how long a task must be unchanged before its process is checked.
const orphanAge = 2 * time.Second

// watchOver checks in the background that a process is running the task of rec, which belongs to
// another process.
func (b *taskBus) watchOver(rec *TaskRecord) {
	if rec.Status.Terminal() || time.Since(rec.Updated) < orphanAge {
		return
	}
	id, w := rec.ID, newWatch()
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	if _, ok := b.watches[id]; ok {
		return
	}
	b.watches[id] = w
	b.s.workers.run(func() {
		b.check(id, w)
		b.s.mu.Lock()
		defer b.s.mu.Unlock()
		delete(b.watches, id)
	})
}

// check asks which process runs a task, and calls orphaned if there is none. It returns after
// askEvery, so that it does not run for every request from a client.
func (b *taskBus) check(id string, w watch) {
	again := time.NewTimer(askEvery)
	defer again.Stop()
	for range questions {
		b.tell(&taskMessage{Op: opTaskAsked, Task: id})
		select {
		case <-w.requested:
		case <-w.served:
			<-again.C
			return
		case <-again.C: // the bus is not working
			return
		}
		select {
		case <-w.served:
			<-again.C
			return
		case <-time.After(servedTimeout):
		}
	}
	b.orphaned(id)
}

// orphaned stores that a task has failed because its process has died, unless the task has ended.
func (b *taskBus) orphaned(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	store := b.s.opts.Tasks.Store
	rec, err := store.Get(ctx, id)
	if err != nil || rec.Status.Terminal() {
		return // the next request for the task reads the record again
	}
	rec.Updated, rec.Inputs = time.Now(), nil
	rec.fail(errorf(CodeInternalError, "The server process that ran the task has ended before the task. It may have done part of the work"))
	b.s.log.Warn("a process of the server has ended without the result of a task")
	if err := store.Put(ctx, rec); err != nil {
		b.s.log.Error("a task could not be stored", "error", err)
		return
	}
	b.s.mu.Lock()
	b.changed(id)
	b.s.mu.Unlock()
	b.tell(&taskMessage{Op: opTaskChanged, Task: id})
}
