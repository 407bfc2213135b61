import OsierCore

/// A basket as text: a line for each row.
public struct Draft: Sendable {
    /// How lines are read.
    public struct Style: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Empty lines are rows of their own.
        public static let spaced = Style(rawValue: 1)
        /// `#` begins a remark.
        public static let remarks = Style(rawValue: 2)
        /// The first line is the top.
        public static let topDown = Style(rawValue: 4)
    }

    /// Reads a draft. A line that cannot be read is skipped.
    public init(_ text: String, style: Style = []) {}

    /// Reads a draft. A line that cannot be read is an error.
    ///
    /// - Throws: ``DraftError`` with the number of the line, counted from 1.
    public init(strict text: String, style: Style = []) throws {}

    /// The basket of the draft.
    public func basket(stakes: Int, rim: Rim = .rolled) -> Basket? { nil }
}

/// A line that cannot be read.
public struct DraftError: Error, Sendable {
    public let line: Int
}

extension Basket {
    /// The basket as a draft.
    ///
    /// - Parameter width: Characters of a line. `nil`: two for each stake.
    public func draft(width: Int? = nil) -> String { "" }

    /// The basket as a draft.
    @available(*, deprecated, renamed: "draft(width:)", message: "Writes the rows from the top, which nothing reads any more.")
    public func text(columns: Int = 40) -> String { "" }
}
