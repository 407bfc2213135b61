//! Structs and their methods.
#![allow(dead_code)]

use std::marker::PhantomData;
use std::ops::{Add, Deref, Index};
use std::pin::Pin;
use std::rc::Rc;

/// What holds a telescope.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Mount {
    /// In degrees.
    pub azimuth: i32,
    pub name: String,
    hidden: bool,
}

impl Mount {
    /// The highest altitude.
    pub const MAX: u8 = 90;
    const PRIVATE: u8 = 1;

    /// Makes a mount.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mount::Mount;
    /// let m = Mount::new("north");
    /// assert_eq!(m.azimuth, 0);
    /// ```
    pub fn new(name: impl Into<String>) -> Self { todo!() }
    pub fn turn(&mut self, by: i32) -> &mut Self { self }
    pub fn look(&self) -> Option<&str> { None }
    pub fn into_parts(self) -> (i32, String) { todo!() }
    pub fn shared(self: Rc<Self>, other: &Self) {}
    pub fn pinned(self: Pin<&mut Self>) {}
    pub fn boxed(mut self: Box<Self>) {}
    pub async unsafe fn track<'a>(&'a self, star: &'a str) -> &'a str { star }
    fn private(&self) {}
}

/// A tuple struct.
#[derive(Copy, Clone)]
pub struct Angle(pub f64, u8, pub(crate) u8);

/// A tuple struct without public fields.
pub struct Opaque(u8);

/// A unit struct.
pub struct Unit;

/// With parameters and a default.
#[non_exhaustive]
#[repr(C, align(8))]
pub struct Grid<'a, T: ?Sized + 'a, const W: usize = 3, U = u8>
where
    U: Copy,
{
    pub cells: [U; W],
    pub data: &'a T,
    marker: PhantomData<U>,
}

impl<'a, T: ?Sized, const W: usize, U: Copy> Grid<'a, T, W, U> {
    pub fn width(&self) -> usize { W }
}

impl Grid<'static, str, 3, u8> {
    /// Only for some grids.
    pub fn text(&self) -> &'static str { "" }
}

/// Shares its memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Bits { pub int: u32, pub float: f32 }

impl Add for Angle {
    type Output = Angle;
    fn add(self, other: Angle) -> Angle { self }
}

impl Add<f64> for Angle {
    type Output = Angle;
    fn add(self, other: f64) -> Angle { self }
}

impl From<f64> for Angle {
    fn from(x: f64) -> Self { Angle(x, 0, 0) }
}

impl Deref for Opaque {
    type Target = Mount;
    fn deref(&self) -> &Mount { todo!() }
}

impl Index<usize> for Mount {
    type Output = u8;
    fn index(&self, i: usize) -> &u8 { &0 }
}

impl Drop for Opaque { fn drop(&mut self) {} }

unsafe impl Send for Opaque {}

impl<'a> IntoIterator for &'a Mount {
    type Item = &'a u8;
    type IntoIter = std::slice::Iter<'a, u8>;
    fn into_iter(self) -> Self::IntoIter { [].iter() }
}

/// Can be changed through `DerefMut`.
pub struct Guard(Mount);

impl Deref for Guard {
    type Target = Mount;
    fn deref(&self) -> &Mount { &self.0 }
}

impl std::ops::DerefMut for Guard {
    fn deref_mut(&mut self) -> &mut Mount { &mut self.0 }
}
