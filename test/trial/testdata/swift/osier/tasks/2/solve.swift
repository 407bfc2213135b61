import Osier

func lid(_ text: String, of stakes: Int) -> String {
    do {
        let draft = try Draft(strict: text, style: [.remarks, .topDown])
        return draft.basket(stakes: 2 * stakes, rim: .plaited)?.draft(width: 60) ?? ""
    } catch let error as DraftError {
        return "line \(error.line)"
    } catch {
        return ""
    }
}
