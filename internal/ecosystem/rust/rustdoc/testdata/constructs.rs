//! Constructs of Rust as rustdoc describes them.
#![feature(trait_alias, extern_types, auto_traits, negative_impls, never_type, thread_local)]

use std::{fmt, ops::Deref};

/// A struct whose other fields are hidden.
#[repr(C, align(8))]
#[must_use = "it holds a lock"]
#[non_exhaustive]
pub struct Partial {
    /// The [`Kind`] of it.
    pub kind: Kind,
    hidden: u8,
}

pub struct Tuple<T: ?Sized>(pub u8, u16, pub Box<T>);

#[repr(packed(2))]
pub struct Packed {
    pub a: u8,
}

#[repr(transparent)]
pub struct Thin(pub u8);
pub struct Unit;

/// A union.
#[repr(C)]
pub union Word {
    pub number: u64,
    pub bytes: [u8; 8],
}

#[repr(u8)]
pub enum Kind {
    A = 1,
    /// Has fields.
    B {
        /// The width.
        width: u32,
        #[doc(hidden)]
        secret: u8,
    } = 7,
    C(#[doc(hidden)] u8, String) = 9,
    #[doc(hidden)]
    D,
}

pub const LIMIT: usize = 1 << 4;
pub static NAMES: [&str; 2] = ["a", "b"];
pub static mut COUNT: u64 = 0;

unsafe extern "C" {
    pub type Opaque;
    pub static errno: i32;
    pub safe fn abs(n: i32) -> i32;
    pub unsafe fn printf(format: *const i8, ...) -> i32;
}

pub trait Both<T> = Clone + PartialEq<T> where T: Copy;

pub unsafe auto trait Marker {}
impl !Marker for Unit {}
unsafe impl Marker for Partial {}

pub trait Shape<'a, const N: usize = 2>: fmt::Debug + 'a
where
    for<'b> &'b Self: IntoIterator<Item = &'b u8>,
{
    const SIDES: usize = N;
    const NAME: &'static str;
    type Unit: Default + Copy;
    type Each<'c, T>: Iterator<Item = T>
    where
        Self: 'c;
    fn area(&self) -> f64;
    fn scaled(self: Box<Self>, by: f64) -> Self
    where
        Self: Sized,
    {
        let _ = by;
        *self
    }
    fn reset(&mut self) {}
    fn owned(self: &std::rc::Rc<Self>);
    fn consume(self)
    where
        Self: Sized;
    async fn later(&'a self) -> Self::Unit;
}

impl<T> Deref for Tuple<T>
where
    T: ?Sized,
{
    type Target = T;
    fn deref(&self) -> &T {
        &self.2
    }
}

impl Partial {
    /// The largest.
    pub const MAX: Self = Partial { kind: Kind::A, hidden: 0 };
    pub const fn new(kind: Kind) -> Self {
        Partial { kind, hidden: 0 }
    }
    pub fn kind(&mut self) -> &mut Kind {
        &mut self.kind
    }
    pub async unsafe fn send<'a, F, R>(self, f: F) -> Result<R, Box<dyn std::error::Error + Send + Sync + 'a>>
    where
        F: for<'b> FnOnce(&'b Partial) -> R + Send + 'a,
        R: 'static,
    {
        Ok(f(&self))
    }
    #[deprecated]
    pub fn old(&self) {}
    #[deprecated(note = "use new")]
    pub fn older(&self) {}
}

pub fn types(
    _: (),
    (a, b): (u8, (i8,)),
    slice: &mut [u8],
    array: [[u8; 4]; LIMIT],
    raw: *mut *const str,
    call: unsafe extern "system" fn(u8, name: &str) -> !,
    higher: for<'a> fn(&'a u8) -> &'a u8,
    object: &(dyn Fn(u8) -> u8 + Send),
    shared: std::sync::Arc<dyn for<'a> Deref<Target = &'static str>>,
    qualified: <Vec<u8> as IntoIterator>::Item,
) -> impl Iterator<Item = Option<fn()>> + use<> {
    let _ = (a, b, slice, array, raw, call, higher, object, shared, qualified);
    std::iter::empty()
}

pub fn implied(_: impl Into<String> + Clone) {}
pub fn inferred<const N: usize, const ON: bool>(_: [u8; N], _: Wide<{ 1 + 2 }, 'x'>) {}
pub struct Wide<const N: i32 = -1, const C: char = 'a'>;

/// See [the limit](LIMIT), [`Partial::new()`], [`missing`] and [self::Kind::B].
pub type Callback<'a, T = u8> = Box<dyn FnMut(T) -> Result<(), T> + 'a>;

#[macro_export]
macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

/// Documents a re-export.
#[doc(inline)]
pub use inner::Deep as Renamed;
pub use std::collections::HashMap as Map;
pub use std::vec;
pub mod inner {
    //! A module.
    /// Is deep.
    pub struct Deep;
    pub use super::Unit;
}
