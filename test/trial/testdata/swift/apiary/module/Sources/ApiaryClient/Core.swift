/// Calls the service.
public struct Client: Sendable {
    /// Who calls.
    public let caller: String
    let transport: Transport

    /// - Parameters:
    ///   - caller: The name that calls are signed with.
    ///   - transport: How calls travel.
    public init(caller: String, transport: Transport) {
        self.caller = caller
        self.transport = transport
    }

    func call<R, E: Refused>(_ operation: String, _ request: some Request, _ options: CallOptions) async throws(E) -> R {
        fatalError(operation)
    }

    func wait<R, E: Refused>(_ until: Until, _ seconds: Int, _ request: some Request) async throws(E) -> Calm<R> {
        fatalError("\(seconds)")
    }
}

/// How calls travel.
public enum Transport: Sendable {
    /// Within the process, for tests.
    case local
    /// To an address.
    case remote(String)
}

/// How one call is made. What is `nil` is as the comments say.
public struct CallOptions: Sendable {
    /// How often a call is tried that fails on the way. Not set: 4. With 1 it is not repeated.
    public var tries: Int?
    /// Seconds after which a call fails. Not set: 20.
    public var patience: Double?
    /// Whether nothing is changed. Not set: `false`. See the README.
    public var dry: Bool?
    /// Words that the log keeps with the call.
    public var notes: [String: String]

    public init(tries: Int? = nil, patience: Double? = nil, dry: Bool? = nil, notes: [String: String] = [:]) {
        self.tries = tries
        self.patience = patience
        self.dry = dry
        self.notes = notes
    }
}

/// What one waits for.
public struct Until: Sendable {
    /// Seconds between two looks. Not set: what the operation says.
    public var pause: Double?
    /// Seconds after which the wait is ``Calm/late``. Not set: 600.
    public var most: Double?
    /// Whether it is as good if the thing is gone: then ``Calm/gone`` is the answer and nothing is thrown. Not set: `false`.
    public var orGone: Bool?

    public init(pause: Double? = nil, most: Double? = nil, orGone: Bool? = nil) {
        self.pause = pause
        self.most = most
        self.orGone = orGone
    }
}

/// How a wait ended.
public enum Calm<Thing: Sendable>: Sendable {
    case calm(Thing)
    case gone
    case late
}

/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
    public let items: [Item]
    /// For `after` of the next request; `nil` on the last page.
    public let next: String?
}

/// All items of all pages.
public struct Pages<Item: Sendable, Failure: Refused>: AsyncSequence, Sendable {
    public typealias Element = Item
    let operation: String

    init(_ client: Client, _ operation: String, _ request: some Request, _ options: CallOptions) {
        self.operation = operation
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    public struct AsyncIterator: AsyncIteratorProtocol {
        public mutating func next() async throws(Failure) -> Item? { nil }
    }

    /// All of them at once.
    public func collect() async throws(Failure) -> [Item] { [] }
}

/// One thing that happened.
public struct LogEntry: Sendable {
    /// The operation, such as `"hives.revise"`.
    public let operation: String
    /// Who did it.
    public let by: String
    public let day: Int
    public let notes: [String: String]
}

/// What was weighed, by its name.
public struct Weighed: Sendable {
    public let values: [String: [Double]]
}

/// What a thing does.
public enum Phase: Sendable { case calm, changing, paused, closed }

/// What something is sold as.
public enum Grade: Sendable { case plain, fine, royal }

/// What an operation takes.
public protocol Request: Sendable {
    var fields: Fields { get }
}

/// What an operation gives.
public protocol Reply: Sendable {
    var id: String { get }
    var edition: Int { get }
}

/// An error of the service.
public protocol Refused: Error, Sendable {}

extension Refused {
    /// Whether somebody else changes the thing.
    public var isBusy: Bool { fault == "busy" }
    /// Whether the caller may not do it.
    public var isBarred: Bool { fault == "barred" }
    /// The service's own word for it.
    public var fault: String { "\(self)" }
}

/// An error that the kind has no case for.
public struct Refusal: Sendable {
    public let code: String
}

/// The fields of a request.
public struct Fields: Sendable {
    var all: [String: String] = [:]

    mutating func add<T>(_ name: String, _ value: T?) {
        if let value { all[name] = "\(value)" }
    }
}
