//! Spans of whole numbers to which values stick.

mod coat;
mod span;
pub mod walk;

pub use coat::{Builder, Clash, Coat};
pub use span::{Span, ToSpan};
