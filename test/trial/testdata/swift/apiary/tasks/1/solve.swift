import ApiaryClient

func label(_ client: Client, _ id: String, edition: Int) async throws -> String {
    do {
        let request = ReviseJarLabel(id: id, edition: edition, ration: 3.5, rounds: 1)
        _ = try await client.jarLabels.revise(request, options: CallOptions(tries: 1))
        return "ok"
    } catch JarLabelError.busy(let by) {
        return "by \(by)"
    } catch JarLabelError.newer(let newer) {
        return "edition \(newer)"
    }
}
