//! Enums.

/// A star.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Class {
    /// Hot.
    O = 1,
    B,
    #[default]
    G = 5,
    #[doc(hidden)]
    X,
}

/// What is seen.
#[non_exhaustive]
pub enum Sight<T = u8> {
    Nothing,
    /// One star.
    One(T, #[doc(hidden)] u8),
    Pair { left: T, /** On the right. */ right: Box<Sight<T>> },
    Many(Vec<T>),
    #[deprecated]
    Old,
}

impl<T> Sight<T> {
    pub fn count(&self) -> usize { 0 }
}

impl<T> Iterator for Sight<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> { None }
}

impl std::str::FromStr for Class {
    type Err = std::num::ParseIntError;
    fn from_str(s: &str) -> Result<Self, Self::Err> { todo!() }
}

/// Has no values.
#[derive(Debug)]
pub enum Void {}

impl std::fmt::Display for Void {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { Ok(()) }
}

impl std::error::Error for Void {}
