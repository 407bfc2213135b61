use std::collections::BTreeMap;
use std::fmt;

/// Goods of one kind that came in together.
#[derive(Clone, Debug, PartialEq)]
pub struct Sack {
    pub(crate) number: u64,
    pub(crate) kind: String,
    pub(crate) amount: f64,
    pub(crate) stale: Stale,
    pub(crate) held: f64,
    pub(crate) from: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stale {
    Never,
    After(u32),
    On(u32),
}

impl Sack {
    /// A sack that never goes stale. See also [`sack!`](crate::sack!).
    pub fn new(kind: impl Into<String>, amount: f64) -> Self {
        Sack { number: 0, kind: kind.into(), amount, stale: Stale::Never, held: 0.0, from: None }
    }

    /// Goes stale so many days after it was stored.
    pub fn fresh_for(mut self, days: u32) -> Self {
        self.stale = Stale::After(days);
        self
    }

    /// Goes stale on a day.
    pub fn fresh_until(mut self, day: u32) -> Self {
        self.stale = Stale::On(day);
        self
    }

    /// Says who brought it.
    pub fn from(mut self, whom: impl Into<String>) -> Self {
        self.from = Some(whom.into());
        self
    }

    /// The number that it was given when it was stored, from 1; 0 before.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What is in it.
    pub fn amount(&self) -> f64 {
        self.amount
    }

    pub(crate) fn stale_on(&self) -> u32 {
        match self.stale {
            Stale::On(day) => day,
            _ => u32::MAX,
        }
    }
}

/// In which order sacks are drawn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// What goes stale first.
    #[default]
    Stale,
    /// What was stored first.
    Old,
    /// What was stored last.
    New,
    /// The smallest.
    Small,
}

/// What to do if there is not enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Short {
    /// Draw nothing and fail with [`Error::Short`].
    #[default]
    Fail,
    /// Draw what there is.
    Less,
    /// Draw what there is and owe the rest: it is taken from what is stored next, before anybody can draw it.
    Owe,
}

/// How to draw.
#[derive(Clone, Debug, Default)]
pub struct Draw {
    /// In which order.
    pub order: Order,
    /// What if there is not enough.
    pub short: Short,
    /// Leave sacks alone that go stale within so many days. 0 takes all that is not stale yet.
    pub fresh: u32,
    /// Only what somebody brought. See [`Sack::from`].
    pub from: Option<String>,
    /// Take whole sacks alone: the last one is taken whole even if that is more than was asked for.
    pub whole: bool,
}

/// What was drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// Number of each sack and what came from it, in order.
    pub parts: Vec<(u64, f64)>,
    /// What is owed, with [`Short::Owe`].
    pub owed: f64,
}

impl Drawn {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.parts.iter().map(|p| p.1).sum()
    }
}

/// What can go wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is not enough; `lacking` is how much more was asked for.
    Short { kind: String, lacking: f64 },
    /// There is no such hold, or all of it went stale.
    NoHold(u64),
    /// No room: the granary holds no more than [`Granary::with_room`] said.
    Full { over: f64 },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Short { kind, lacking } => write!(f, "{lacking} of {kind} are lacking"),
            Error::NoHold(n) => write!(f, "no hold {n}"),
            Error::Full { over } => write!(f, "{over} too much"),
        }
    }
}

impl std::error::Error for Error {}

/// A stock of goods.
#[derive(Debug, Default)]
pub struct Granary {
    pub(crate) day: u32,
    pub(crate) sacks: Vec<Sack>,
    pub(crate) next: u64,
    pub(crate) owed: BTreeMap<String, f64>,
    pub(crate) holds: BTreeMap<u64, Vec<(u64, f64)>>,
    pub(crate) room: Option<f64>,
    #[cfg(feature = "journal")]
    pub(crate) journal: Vec<crate::journal::Entry>,
}

impl Granary {
    /// An empty one, with room for anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that holds no more than that of all kinds together.
    pub fn with_room(room: f64) -> Self {
        Granary { room: Some(room), ..Self::default() }
    }

    /// Stores a sack and gives its number.
    ///
    /// What is owed of its kind is taken from it first.
    ///
    /// # Panics
    ///
    /// If there is no room. See [`Granary::try_store`].
    pub fn store(&mut self, sack: Sack) -> u64 {
        self.try_store(sack).expect("room")
    }

    /// Stores a sack and gives its number, or [`Error::Full`].
    pub fn try_store(&mut self, mut sack: Sack) -> Result<u64, Error> {
        let owed = self.owed.get(&sack.kind).copied().unwrap_or(0.0).min(sack.amount);
        if let Some(room) = self.room {
            let over = self.sacks.iter().map(|s| s.amount).sum::<f64>() + sack.amount - owed - room;
            if over > 0.0 {
                return Err(Error::Full { over });
            }
        }
        if owed > 0.0 {
            *self.owed.get_mut(&sack.kind).unwrap() -= owed;
            sack.amount -= owed;
        }
        if let Stale::After(days) = sack.stale {
            sack.stale = Stale::On(self.day + days);
        }
        self.next += 1;
        sack.number = self.next;
        #[cfg(feature = "journal")]
        self.journal.push(crate::journal::Entry::stored(self.day, &sack));
        self.sacks.push(sack);
        Ok(self.next)
    }

    /// The day it is.
    pub fn day(&self) -> u32 {
        self.day
    }

    /// Lets days go by. Gives what went stale, which is taken out.
    pub fn pass(&mut self, days: u32) -> Vec<Sack> {
        self.day += days;
        let day = self.day;
        let (stale, good) = std::mem::take(&mut self.sacks).into_iter().partition(|s| s.stale_on() <= day);
        self.sacks = good;
        for s in &stale as &Vec<Sack> {
            #[cfg(feature = "journal")]
            self.journal.push(crate::journal::Entry::stale(day, s));
            for parts in self.holds.values_mut() {
                parts.retain(|p| p.0 != s.number);
            }
        }
        stale
    }

    /// Takes goods out.
    ///
    /// ```
    /// # use granary::*;
    /// let mut g = Granary::new();
    /// g.store(sack!("oat", 5.0));
    /// let got = g.draw("oat", 8.0, Draw { short: Short::Less, ..Draw::default() })?;
    /// assert_eq!(got.total(), 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn draw(&mut self, kind: &str, amount: f64, how: Draw) -> Result<Drawn, Error> {
        let (parts, lacking) = self.choose(kind, amount, &how);
        if lacking > 0.0 && how.short == Short::Fail {
            return Err(Error::Short { kind: kind.into(), lacking });
        }
        let mut drawn = Drawn { parts, owed: 0.0 };
        if lacking > 0.0 && how.short == Short::Owe {
            drawn.owed = lacking;
            *self.owed.entry(kind.into()).or_default() += lacking;
        }
        self.take(&drawn.parts);
        Ok(drawn)
    }

    pub(crate) fn choose(&self, kind: &str, amount: f64, how: &Draw) -> (Vec<(u64, f64)>, f64) {
        let mut free: Vec<&Sack> = self
            .sacks
            .iter()
            .filter(|s| s.kind == kind && s.amount > s.held && s.stale_on() > self.day.saturating_add(how.fresh))
            .filter(|s| how.from.is_none() || s.from == how.from)
            .filter(|s| !how.whole || s.held == 0.0)
            .collect();
        match how.order {
            Order::Stale => free.sort_by_key(|s| s.stale_on()),
            Order::Old => {}
            Order::New => free.reverse(),
            Order::Small => free.sort_by(|a, b| a.amount.total_cmp(&b.amount)),
        }
        let (mut parts, mut lacking) = (Vec::new(), amount);
        for s in free {
            if lacking <= 0.0 {
                break;
            }
            let part = if how.whole { s.amount } else { lacking.min(s.amount - s.held) };
            parts.push((s.number, part));
            lacking -= part;
        }
        (parts, lacking.max(0.0))
    }

    pub(crate) fn take(&mut self, parts: &[(u64, f64)]) {
        for (number, part) in parts {
            if let Some(s) = self.sacks.iter_mut().find(|s| s.number == *number) {
                s.amount -= part;
                #[cfg(feature = "journal")]
                self.journal.push(crate::journal::Entry::drawn(self.day, s, *part));
            }
        }
        self.sacks.retain(|s| s.amount > 0.0);
    }
}
