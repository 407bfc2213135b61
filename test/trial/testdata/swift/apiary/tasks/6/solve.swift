import ApiaryClient

func revive(_ client: Client, at place: String, day: Int) async throws -> [String] {
    let request = ListSuperLock(place: place, size: 150, closed: true)
    var back: [String] = []
    for lock in try await client.superLocks.listAll(request).collect() where lock.phase == .closed {
        do {
            _ = try await client.superLocks.reopen(ReopenSuperLock(id: lock.id, asOf: day))
            back.append(lock.id)
        } catch SuperLockError.busy, SuperLockError.gone {
            continue
        }
    }
    return back
}
