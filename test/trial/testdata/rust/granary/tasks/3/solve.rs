use granary::journal::{Event, Filter};
use granary::{Granary, Survey};

pub fn losses(g: &Granary, kind: &str) -> Vec<(u32, f64)> {
    let filter = Filter { kind: Some(kind.into()), event: Some(Event::Stale), since: 3, reverse: true };
    g.journal(&filter).into_iter().map(|e| (e.day, e.amount)).collect()
}

pub fn soon(g: &Granary) -> Option<String> {
    g.fading(7).into_iter().next().map(|(kind, ..)| kind)
}
