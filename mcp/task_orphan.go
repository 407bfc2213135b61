package mcp

import (
	"context"
	"time"
)

// A task whose process has died would stay in the store unchanged until its TTL has passed.
// Therefore, a process that is asked about a task in another process asks in turn whether any
// process is running the task. If none replies, it records that the task has failed. http_orphan.go
// does the same for requests in sessions.

// orphanAge is the time for which a task must be unchanged before its process is asked about it.
const orphanAge = 2 * time.Second

// watchOver checks in the background that some process is running the task described by rec,
// which belongs to another process.
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

// check asks which process runs a task, and calls orphaned if none does. It returns after askEvery,
// so that it is not called for every request from a client.
func (b *taskBus) check(id string, w watch) {
	again := time.NewTimer(askEvery)
	defer again.Stop()
	for range questions {
		b.tell(&taskMessage{Op: opTaskAsked, Task: id})
		select {
		case <-w.asked:
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

// orphaned records that a task has failed because its process has died, unless it has ended.
func (b *taskBus) orphaned(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	store := b.s.opts.Tasks.Store
	rec, err := store.Get(ctx, id)
	if err != nil || rec.Status.Terminal() {
		return // the next request about the task reads the record again
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
