//! Traits.

use std::fmt::Debug;

/// Bends light.
pub trait Bend: Debug + Send {
    /// What comes out.
    type Light: Clone + Default;
    type Beam<'a>: Iterator<Item = &'a u8> where Self: 'a;
    /// How much.
    const INDEX: f64;
    const LAYERS: usize = 1;

    /// Bends it.
    fn bend(&self, light: Self::Light) -> Self::Light;
    fn beam<'a>(&'a self) -> Self::Beam<'a>;
    /// Bends it twice.
    fn twice(&self, light: Self::Light) -> Self::Light { self.bend(self.bend(light)) }
    fn make() -> Self where Self: Sized;
    fn generic<T: Into<u8>>(self, t: T) where Self: Sized {}
    async fn slowly(&self) {}
    fn hidden_type(&self) -> impl Iterator<Item = u8>;
}

/// Must be implemented with care.
pub unsafe trait Raw<T: ?Sized, const N: usize>: Sized where T: Debug {
    unsafe fn get(self) -> [u8; N];
}

/// Cannot be implemented elsewhere.
pub trait Sealed: private::Sealed {}

mod private { pub trait Sealed {} }

/// Has a method for everything.
pub trait Extend2: Debug {
    fn shout(&self) -> String { String::new() }
}

impl<T: Debug + ?Sized> Extend2 for T {}

impl Sealed for u8 {}
impl private::Sealed for u8 {}

/// A lens.
#[derive(Debug)]
pub struct Lens<T>(pub T);

impl<T: Debug + Send + Clone + Default> Bend for Lens<T> {
    type Light = T;
    type Beam<'a> = std::slice::Iter<'a, u8> where T: 'a;
    const INDEX: f64 = 1.5;
    fn bend(&self, light: T) -> T { light }
    fn beam<'a>(&'a self) -> Self::Beam<'a> { [].iter() }
    fn make() -> Self { todo!() }
    fn hidden_type(&self) -> impl Iterator<Item = u8> { std::iter::empty() }
}

impl<'a, T> AsRef<T> for Lens<&'a T> { fn as_ref(&self) -> &T { self.0 } }


pub trait Marker {}
impl Marker for [u8; 4] {}
impl Marker for (u8, u16) {}
impl Marker for fn(u8) -> u8 {}
impl<T> Marker for *const T {}
impl Marker for &str {}
