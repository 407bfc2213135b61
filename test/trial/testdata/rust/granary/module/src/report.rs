//! What there is.

use std::collections::BTreeMap;

use crate::Granary;

/// Asks a granary about its stock. Implemented for [`Granary`]; bring it into scope to use it.
pub trait Survey {
    /// What could be drawn of each kind now, kinds without anything left out.
    fn free(&self) -> BTreeMap<String, f64>;

    /// What is there of a kind, held or not.
    fn there(&self, kind: &str) -> f64;

    /// What goes stale within so many days, the soonest first: kind, amount, day. What is held counts, too.
    fn fading(&self, days: u32) -> Vec<(String, f64, u32)>;

    /// What is owed of a kind. See [`Short::Owe`](crate::Short::Owe).
    fn owed(&self, kind: &str) -> f64;

    /// The share of a kind in the whole stock, from 0 to 1. 0 if there is nothing at all.
    fn share(&self, kind: &str) -> f64 {
        let all: f64 = self.kinds().iter().map(|k| self.there(k)).sum();
        if all > 0.0 { self.there(kind) / all } else { 0.0 }
    }

    /// Kinds of which there is something, in order of their names.
    fn kinds(&self) -> Vec<String>;
}

impl Survey for Granary {
    fn free(&self) -> BTreeMap<String, f64> {
        let mut free = BTreeMap::new();
        for s in self.sacks.iter().filter(|s| s.amount > s.held) {
            *free.entry(s.kind.clone()).or_default() += s.amount - s.held;
        }
        free
    }

    fn there(&self, kind: &str) -> f64 {
        self.sacks.iter().filter(|s| s.kind == kind).map(|s| s.amount).sum()
    }

    fn fading(&self, days: u32) -> Vec<(String, f64, u32)> {
        let mut all: Vec<_> = self.sacks.iter().filter(|s| s.stale_on() <= self.day.saturating_add(days)).collect();
        all.sort_by_key(|s| s.stale_on());
        all.iter().map(|s| (s.kind.clone(), s.amount, s.stale_on())).collect()
    }

    fn owed(&self, kind: &str) -> f64 {
        self.owed.get(kind).copied().unwrap_or(0.0)
    }

    fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<_> = self.sacks.iter().map(|s| s.kind.clone()).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }
}
