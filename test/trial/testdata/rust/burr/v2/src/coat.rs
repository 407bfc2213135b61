use std::collections::BTreeMap;

use crate::{Span, ToSpan};

/// What happens where something is stuck over something else. See the crate's README.
pub enum Clash<T> {
    /// What comes covers what is there.
    Cover,
    /// What is there stays.
    Yield,
    /// Nothing is changed, in the whole span.
    Refuse,
    /// They are blended: what is there, what comes.
    Blend(fn(&T, &T) -> T),
}

/// Makes a [`Coat`].
pub struct Builder<T> {
    clash: Clash<T>,
    seams: bool,
    within: Option<Span>,
}

impl<T: Clone + PartialEq> Builder<T> {
    /// What happens where something is stuck over something else. [`Clash::Cover`] if it is not called.
    pub fn clash(mut self, clash: Clash<T>) -> Self {
        self.clash = clash;
        self
    }

    /// Keeps neighbours with equal values apart. `false` if it is not called.
    pub fn seams(mut self, seams: bool) -> Self {
        self.seams = seams;
        self
    }

    /// What lies outside of it does not stick.
    pub fn within(mut self, span: impl ToSpan) -> Self {
        self.within = Some(span.to_span());
        self
    }

    /// The coat, with nothing on it.
    pub fn build(self) -> Coat<T> {
        Coat { parts: BTreeMap::new(), clash: self.clash, seams: self.seams, within: self.within }
    }
}

/// Values that stick to spans: one for each number at most.
pub struct Coat<T> {
    pub(crate) parts: BTreeMap<i64, (i64, T)>,
    clash: Clash<T>,
    seams: bool,
    within: Option<Span>,
}

impl<T: Clone + PartialEq> Default for Coat<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl Coat<()> {
    /// A plain set of numbers.
    pub fn of_spans<S: ToSpan>(spans: impl IntoIterator<Item = S>) -> Self {
        let mut coat = Coat::new();
        for s in spans {
            coat.stick(s, ());
        }
        coat
    }
}

impl<T: Clone + PartialEq> Coat<T> {
    /// One that covers.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// For other ones.
    pub fn builder() -> Builder<T> {
        Builder { clash: Clash::Cover, seams: false, within: None }
    }

    /// Sticks a value to a span. Gives `false` if nothing was changed.
    pub fn stick(&mut self, span: impl ToSpan, value: T) -> bool {
        let Some(span) = self.bounded(span.to_span()) else { return false };
        let there = self.over(span);
        let free = gaps(span, &there);
        match self.clash {
            Clash::Refuse if !there.is_empty() => return false,
            Clash::Yield | Clash::Refuse => {
                for s in &free {
                    self.parts.insert(s.from, (s.to, value.clone()));
                }
                if free.is_empty() {
                    return false;
                }
            }
            Clash::Cover => {
                self.cut_out(span);
                self.parts.insert(span.from, (span.to, value));
            }
            Clash::Blend(f) => {
                self.cut_out(span);
                for (s, old) in there {
                    self.parts.insert(s.from, (s.to, f(&old, &value)));
                }
                for s in free {
                    self.parts.insert(s.from, (s.to, value.clone()));
                }
            }
        }
        self.join();
        true
    }

    /// Takes off what is on a span, and gives it.
    pub fn peel(&mut self, span: impl ToSpan) -> Vec<(Span, T)> {
        let span = span.to_span();
        let there = self.over(span);
        self.cut_out(span);
        there
    }

    /// What sticks to a number.
    pub fn at(&self, n: i64) -> Option<&T> {
        self.parts.range(..=n).next_back().filter(|(_, (to, _))| n < *to).map(|(_, (_, v))| v)
    }

    /// What sticks to a span: parts of it with their values, in order.
    pub fn over(&self, span: impl ToSpan) -> Vec<(Span, T)> {
        let span = span.to_span();
        self.spans().filter_map(|(s, v)| s.meet(span).map(|s| (s, v.clone()))).collect()
    }

    /// Where nothing sticks within a span.
    pub fn bare(&self, span: impl ToSpan) -> Vec<Span> {
        let span = span.to_span();
        gaps(span, &self.over(span))
    }

    /// The first bare span of at least a size, at or after a number. Looks no farther than [`Builder::within`].
    pub fn room(&self, size: i64, after: i64) -> Option<Span> {
        let end = self.within.map_or(i64::MAX, |w| w.to);
        self.bare(Span { from: after.min(end), to: end }).into_iter().find(|s| s.size() >= size)
    }

    /// All spans with their values, in order.
    pub fn spans(&self) -> impl Iterator<Item = (Span, &T)> {
        self.parts.iter().map(|(from, (to, v))| (Span { from: *from, to: *to }, v))
    }

    /// Keeps only what also is on another coat, with the values of this one.
    pub fn trim<U: Clone + PartialEq>(&mut self, other: &Coat<U>) {
        let all = std::mem::take(&mut self.parts);
        for (from, (to, v)) in all {
            for (s, _) in other.over(Span { from, to }) {
                self.parts.insert(s.from, (s.to, v.clone()));
            }
        }
        self.join();
    }

    /// Moves everything; what leaves [`Builder::within`] falls off.
    pub fn slide(&mut self, by: i64) {
        for (from, (to, v)) in std::mem::take(&mut self.parts) {
            if let Some(s) = self.bounded(Span { from: from + by, to: to + by }) {
                self.parts.insert(s.from, (s.to, v));
            }
        }
    }

    fn bounded(&self, span: Span) -> Option<Span> {
        match self.within {
            Some(w) => span.meet(w),
            None => (!span.is_empty()).then_some(span),
        }
    }

    fn cut_out(&mut self, span: Span) {
        let hit: Vec<_> = self.spans().filter(|(s, _)| s.meet(span).is_some()).map(|(s, v)| (s, v.clone())).collect();
        for (s, v) in hit {
            self.parts.remove(&s.from);
            if s.from < span.from {
                self.parts.insert(s.from, (span.from, v.clone()));
            }
            if span.to < s.to {
                self.parts.insert(span.to, (s.to, v));
            }
        }
    }

    fn join(&mut self) {
        if self.seams {
            return;
        }
        let mut joined: Vec<(i64, i64, T)> = Vec::new();
        for (from, (to, v)) in std::mem::take(&mut self.parts) {
            match joined.last_mut() {
                Some(l) if l.1 == from && l.2 == v => l.1 = to,
                _ => joined.push((from, to, v)),
            }
        }
        self.parts = joined.into_iter().map(|(from, to, v)| (from, (to, v))).collect();
    }
}

fn gaps<T>(span: Span, there: &[(Span, T)]) -> Vec<Span> {
    let (mut free, mut from) = (Vec::new(), span.from);
    for (s, _) in there {
        if from < s.from {
            free.push(Span { from, to: s.from });
        }
        from = s.to;
    }
    if from < span.to {
        free.push(Span { from, to: span.to });
    }
    free
}
