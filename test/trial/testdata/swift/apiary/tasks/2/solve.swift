import ApiaryClient

func traps(_ client: Client, at place: String) async throws -> [String] {
    let request = ListSwarmTrap(place: place, size: 150, closed: true)
    return try await client.swarmTraps.listAll(request).collect().map(\.title)
}

func who(_ client: Client, _ id: String) async throws -> [String] {
    let page = try await client.extractors.log(LogExtractor(id: id, size: 7))
    return page.items.reversed().map(\.by)
}
