//! Sets of spans of whole numbers. An end is part of its span.

/// A span with its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub first: i64,
    pub last: i64,
}

/// A set of spans.
#[derive(Clone, Debug, Default)]
pub struct SpanSet {
    spans: Vec<Span>,
}

impl SpanSet {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a span.
    pub fn insert(&mut self, first: i64, last: i64) {
        self.spans.push(Span { first, last });
    }

    /// Whether a number is in one of them.
    pub fn contains(&self, n: i64) -> bool {
        self.spans.iter().any(|s| s.first <= n && n <= s.last)
    }
}
