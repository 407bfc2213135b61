//! The north.
pub use self::pole::Polar;
mod pole {
    /// The pole star.
    pub struct Polar(pub super::super::inline::Here);
    impl Polar { pub fn shine(&self) -> super::super::Found { todo!() } }
}
