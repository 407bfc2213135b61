import ApiaryClient

func wrap(_ client: Client, at place: String, key: String) async throws -> String {
    let once = CallOptions(tries: 1)
    let request = OpenWinterWrap(
        title: "north", place: place, key: key, labels: ["use": "cold"], depth: 30, dormant: true, shaded: false
    )
    let made = try await client.winterWraps.open(request, options: once)
    _ = try await client.winterWraps.pause(PauseWinterWrap(id: made.id, hours: 36, cause: "thaw"), options: once)
    return made.id
}
