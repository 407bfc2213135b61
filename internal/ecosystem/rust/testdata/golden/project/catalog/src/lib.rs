//! Modules and what they export.

pub mod north;
pub mod inline {
    //! An inline module.
    /// Is here.
    pub struct Here;
    pub(super) struct Above;
    pub mod deeper { pub use super::super::secret::Found as Renamed; pub fn f(x: super::Here, y: crate::north::Polar) {} }
}
mod secret;
#[path = "elsewhere/file.rs"]
pub mod moved;

pub use secret::Found;
pub use secret::*;
pub use stars::Class;
#[doc(inline)]
pub use stars::Sight as View;
#[doc(no_inline)]
pub use mount::{self, Angle, Mount as Stand};
pub use stars::Class::*;
pub use self::inline::{Here, deeper};
pub extern crate stars as heavens;
pub use std::collections::BTreeMap;

/// The usual imports.
pub mod prelude {
    pub use crate::north::Polar;
    pub use super::Found as _;
}

/// Takes types from everywhere.
pub fn all(a: Found, b: View, c: Stand, d: north::Polar, e: BTreeMap<u8, heavens::Void>, f: moved::Far) {}
