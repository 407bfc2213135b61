//! What happened. Needs the feature `journal`.

use crate::{Granary, Sack};

/// What happened to a sack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It came in.
    Stored,
    /// Something was drawn from it.
    Drawn,
    /// It was taken out since it was stale.
    Stale,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The day.
    pub day: u32,
    /// What.
    pub event: Event,
    /// Kind of the goods.
    pub kind: String,
    /// Number of the sack.
    pub sack: u64,
    /// How much: what was stored or drawn, what was left of it when it went stale.
    pub amount: f64,
}

impl Entry {
    fn new(day: u32, event: Event, sack: &Sack, amount: f64) -> Self {
        Entry { day, event, kind: sack.kind.clone(), sack: sack.number, amount }
    }

    pub(crate) fn stored(day: u32, sack: &Sack) -> Self {
        Self::new(day, Event::Stored, sack, sack.amount)
    }

    pub(crate) fn drawn(day: u32, sack: &Sack, part: f64) -> Self {
        Self::new(day, Event::Drawn, sack, part)
    }

    pub(crate) fn stale(day: u32, sack: &Sack) -> Self {
        Self::new(day, Event::Stale, sack, sack.amount)
    }
}

/// Chooses entries of a journal. Every condition that is set must hold.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only of one kind of goods.
    pub kind: Option<String>,
    /// Only one event.
    pub event: Option<Event>,
    /// Only from this day on.
    pub since: u32,
    /// Newest first.
    pub reverse: bool,
}

impl Granary {
    /// What happened, oldest first unless the filter says otherwise.
    pub fn journal(&self, filter: &Filter) -> Vec<&Entry> {
        let mut found: Vec<_> = self
            .journal
            .iter()
            .filter(|e| e.day >= filter.since)
            .filter(|e| filter.kind.as_ref().is_none_or(|k| *k == e.kind))
            .filter(|e| filter.event.is_none_or(|v| v == e.event))
            .collect();
        if filter.reverse {
            found.reverse();
        }
        found
    }
}
