use std::ops::{Range, RangeInclusive};

/// Whole numbers from a beginning up to, and without, an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first number.
    pub from: i64,
    /// The number after the last.
    pub to: i64,
}

impl Span {
    /// From one number up to, and without, another. The order does not matter.
    pub const fn new(a: i64, b: i64) -> Self {
        if a <= b { Span { from: a, to: b } } else { Span { from: b, to: a } }
    }

    /// So many numbers from one on.
    pub const fn sized(from: i64, size: i64) -> Self {
        Span::new(from, from + size)
    }

    /// How many numbers.
    pub const fn size(self) -> i64 {
        self.to - self.from
    }

    /// No number at all.
    pub const fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// Whether a number is in it.
    pub const fn has(self, n: i64) -> bool {
        self.from <= n && n < self.to
    }

    /// What is in both, `None` if nothing is.
    pub fn meet(self, other: Span) -> Option<Span> {
        let (from, to) = (self.from.max(other.from), self.to.min(other.to));
        (from < to).then_some(Span { from, to })
    }

    /// Grows by so many on both sides; shrinks if it is negative, to nothing at most.
    pub fn grown(self, by: i64) -> Span {
        let (from, to) = (self.from - by, self.to + by);
        if from <= to { Span { from, to } } else { let m = (self.from + self.to) / 2; Span { from: m, to: m } }
    }

    /// Parts of a size; the last may be smaller. With `back` they are counted from the end, and the first may be.
    pub fn cut(self, size: i64, back: bool) -> Vec<Span> {
        let mut parts = Vec::new();
        if back {
            let mut to = self.to;
            while to > self.from {
                parts.push(Span { from: (to - size).max(self.from), to });
                to -= size;
            }
            parts.reverse();
        } else {
            let mut from = self.from;
            while from < self.to {
                parts.push(Span { from, to: (from + size).min(self.to) });
                from += size;
            }
        }
        parts
    }
}

/// What can stand for a [`Span`].
pub trait ToSpan {
    /// The span.
    fn to_span(&self) -> Span;
}

impl ToSpan for Span {
    fn to_span(&self) -> Span {
        *self
    }
}

impl ToSpan for Range<i64> {
    fn to_span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

impl ToSpan for RangeInclusive<i64> {
    fn to_span(&self) -> Span {
        Span::new(*self.start(), *self.end() + 1)
    }
}
