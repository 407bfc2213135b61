//! A crate for tests. See [`net::Server`] and [the trait](Greet).
//!
//! ```
//! # use demo::Point;
//! let p = Point::new(1, 2);
//! ```

#[macro_use]
mod macros;
mod private;

gate! {
    pub mod net;
}
pub mod shapes {
    //! Shapes of all kinds.

    /// A circle.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Circle<T = f32>(pub T, u8);

    pub use super::private::hidden_away::*;
    /// Shadows what the glob brings.
    pub struct Square;
}
#[cfg(feature = "extra")]
pub mod extra;

pub use private::{Deep as Renamed, Error, Level::*};

/// A point.
///
/// Use [`Point::new`].
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Point {
    /// Across.
    pub x: i32,
    pub y: i32,
    secret: u8,
}

impl Point {
    /// The origin.
    pub const ORIGIN: Point = Point { x: 0, y: 0, secret: 0 };

    /// Makes one.
    #[must_use]
    pub const fn new(x: i32, mut y: i32) -> Self {
        y += 0;
        Point { x, y, secret: 1 }
    }

    pub async fn fetch<'a, S: AsRef<str> + ?Sized>(self: &'a mut Self, name: &S, then: impl Fn(&str) -> bool + 'a) -> Result<(), Error>
    where
        S: 'a,
    {
        let _ = (name.as_ref(), then("}"));
        Ok(())
    }

    #[cfg(feature = "extra")]
    pub fn far(&self) {}

    #[doc(hidden)]
    pub fn internal(&self) {}

    fn unseen(&self) {}
}

/**
 * What greets.
 *
 * with stars
 */
pub trait Greet: Send {
    /// What it returns.
    type Reply: Clone;
    const LOUD: bool = false;
    fn greet(&self, who: &str) -> Self::Reply;
    /// Greets twice.
    fn twice(&self, who: &str) -> (Self::Reply, Self::Reply)
    where
        Self: Sized,
    {
        (self.greet(who), self.greet(who))
    }
}

impl Greet for Point {
    type Reply = String;
    fn greet(&self, who: &str) -> String {
        format!("{who} {}", r#"}"#)
    }
}

/// For all that greet.
pub trait GreetExt: Greet {
    fn shout(&self) -> usize {
        1
    }
}
impl<G: Greet + ?Sized> GreetExt for G {}

pub struct Wrapper {
    inner: Point,
}
impl std::ops::Deref for Wrapper {
    type Target = Point;
    fn deref(&self) -> &Point {
        &self.inner
    }
}

#[deprecated(since = "1.1.0", note = "use Point")]
pub type Old<T> = Vec<T>;

pub const LIMIT: usize = 1 << 4;
pub static NAME: &str = "demo";
pub static mut COUNT: u32 = 0;

#[doc = include_str!("../README.md")]
pub union Bits {
    pub int: u32,
    pub float: f32,
}

/// Sums.
#[macro_export]
macro_rules! sum {
    ($($x:expr),* $(,)?) => { 0 $(+ $x)* };
    (@inner $y:ident) => { $y };
}

point_impls! { Add add, Sub sub }

pub fn array<const N: usize>(items: [u8; N], f: fn(u8) -> u8, (a, b): (u8, u8)) -> [u8; N] {
    let _ = (f, a, b);
    items
}

pub fn opaque<'a>(x: &'a str) -> impl Iterator<Item = char> + use<'a> {
    x.chars()
}

/// # Safety
/// None.
pub unsafe extern "C" fn raw(p: *const u8) -> Box<dyn Fn(&str) -> u8 + Send> {
    let _ = p;
    Box::new(|_| 0)
}

#[cfg(windows)]
pub fn only_windows() {}
