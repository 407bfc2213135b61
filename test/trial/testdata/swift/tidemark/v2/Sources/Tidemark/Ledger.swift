/// Heights of water over time.
///
/// Minutes count from an origin of your choice; heights are metres above the datum.
public struct Ledger: Sendable {
    var notes: [Int: Double] = [:]
    let options: Options

    /// How often a minute was noted with two heights.
    public private(set) var disputes = 0

    /// Makes an empty ledger.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Makes an empty ledger of a station, with its datum.
    ///
    /// - Parameter station: The name in the list of stations, such as `"leith"`.
    /// - Throws: ``LedgerError/unknownStation(_:)``.
    public init(station: String) throws {
        guard let datum = Datum.stations[station] else { throw LedgerError.unknownStation(station) }
        var options = Options()
        options.datum = datum
        options.grain = 1
        self.init(options: options)
    }

    /// Notes a height in metres.
    ///
    /// - Returns: Whether it was taken; ``Options/clash`` says what else can become of it.
    @discardableResult
    public mutating func note(_ height: Double, at minute: Int) -> Bool {
        if notes[minute] != nil { disputes += 1 }
        notes[minute] = height
        return true
    }

    /// Notes a height in feet.
    @available(*, deprecated, message: "Takes feet. Use note(_:at:), which takes metres.")
    public mutating func mark(_ height: Double, at minute: Int) {
        note(Measure.feet(height).metres, at: minute)
    }

    /// The height at a minute, between two notes too, as far as ``Options/reach`` goes.
    public func height(at minute: Int) -> Double? {
        notes[minute]
    }

    /// The height that was noted at a minute, never one that was filled in.
    public func reading(at minute: Int) -> Double? {
        notes[minute]
    }

    /// Removes what was noted at a minute.
    @discardableResult
    public mutating func strike(_ minute: Int) -> Double? {
        notes.removeValue(forKey: minute)
    }

    /// Forgets disputes older than a day.
    public mutating func settle() {
        disputes = 0
    }
}

/// Why a ledger cannot be made.
public enum LedgerError: Error, Sendable {
    case unknownStation(String)
    case unread(line: Int)
}
