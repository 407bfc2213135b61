import ApiaryClient

func could(_ client: Client, _ id: String) async throws -> Bool {
    let request = MoveQueenMark(id: id, place: "museum", withLabels: true)
    do {
        let mark = try await client.queenMarks.move(request, options: .init(dry: true, notes: ["why": "plan"]))
        return mark.edition == 0
    } catch where error.isBusy || error.isBarred {
        return false
    }
}
