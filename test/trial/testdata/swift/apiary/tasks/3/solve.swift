import ApiaryClient

func settled(_ client: Client, _ id: String) async throws -> Int? {
    let until = Until(pause: 0.5, most: 60, orGone: true)
    switch try await client.miteBoards.untilCalm(id, until) {
    case .calm(let board):
        return board.edition
    case .gone:
        return nil
    case .late:
        return -1
    }
}
