//! Going over several coats together.

use crate::{Coat, Span};

/// How [`together`] goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Stops wherever something begins or ends on one of the coats.
    #[default]
    Every,
    /// Stops only where there is something on all of them.
    All,
    /// Stops only where there is something on more than one of them.
    Shared,
}

/// One stop: a span, and what each coat has there.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop<'a, T> {
    /// On all of it the values are the same.
    pub span: Span,
    /// One for each coat, in their order.
    pub values: Vec<Option<&'a T>>,
}

/// Goes over several coats. Spans on which no coat has anything are left out.
pub fn together<'a, T: Clone + PartialEq>(coats: &[&'a Coat<T>], pace: Pace) -> Vec<Stop<'a, T>> {
    let mut marks: Vec<i64> = coats.iter().flat_map(|c| c.parts.iter().flat_map(|(from, (to, _))| [*from, *to])).collect();
    marks.sort_unstable();
    marks.dedup();
    let mut stops = Vec::new();
    for pair in marks.windows(2) {
        let values: Vec<_> = coats.iter().map(|c| c.at(pair[0])).collect();
        let there = values.iter().flatten().count();
        let wanted = match pace {
            Pace::Every => there > 0,
            Pace::All => there == coats.len(),
            Pace::Shared => there > 1,
        };
        if wanted {
            stops.push(Stop { span: Span::new(pair[0], pair[1]), values });
        }
    }
    stops
}

/// Numbers of all spans of a coat that a step hits: `phase`, `phase + step`, and so on.
///
/// # Panics
///
/// If `step` is not positive.
pub fn steps<T: Clone + PartialEq>(coat: &Coat<T>, step: i64, phase: i64) -> Vec<i64> {
    assert!(step > 0, "a step must be positive");
    coat.spans().flat_map(|(s, _)| (s.from..s.to).filter(move |n| (n - phase).rem_euclid(step) == 0)).collect()
}
