//! Stock in sacks that go stale.
//!
//! A [`Granary`] has goods of many kinds, each in [`Sack`]s. See [`Draw`] for how they are taken out, and
//! [`report`] for what there is.

mod hold;
#[cfg(feature = "journal")]
pub mod journal;
pub mod report;
mod stock;

pub use hold::Hold;
pub use report::Survey;
pub use stock::{Draw, Drawn, Error, Granary, Order, Sack, Short};

#[doc(hidden)]
pub mod old {
    /// Sums numbers.
    #[deprecated(since = "0.6.0", note = "use `Granary`")]
    pub fn stock(amounts: &[f64]) -> f64 {
        amounts.iter().sum()
    }
}
#[allow(deprecated)]
pub use old::stock;

/// Makes a [`Sack`].
///
/// `sack!("rye", 40.0)` never goes stale, `sack!("rye", 40.0, fresh for 10)` goes stale ten days after it was stored,
/// and `sack!("rye", 40.0, fresh until 12)` on day 12.
#[macro_export]
macro_rules! sack {
    ($kind:expr, $amount:expr) => {
        $crate::Sack::new($kind, $amount)
    };
    ($kind:expr, $amount:expr, fresh for $days:expr) => {
        $crate::Sack::new($kind, $amount).fresh_for($days)
    };
    ($kind:expr, $amount:expr, fresh until $day:expr) => {
        $crate::Sack::new($kind, $amount).fresh_until($day)
    };
}
