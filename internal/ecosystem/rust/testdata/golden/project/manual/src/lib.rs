#![doc = include_str!("../README.md")]
//!
//! Further text.

/** A block comment
 * with stars.
 */
pub struct Block;

#[doc = "From an attribute."]
#[doc = "A second line."]
pub struct Attribute;

/// Links to [`Block`], [`Attribute`](struct@Attribute), [the function](crate::linked), [`Vec::push`],
/// [std::option::Option] and [a page](https://observatory.example), [broken][nowhere].
///
/// # Errors
///
/// Never.
///
/// # Examples
///
/// ```rust,no_run
/// # fn main() {
/// let x = manual::linked();
/// # }
/// ```
///
/// ```should_panic
/// panic!();
/// ```
///
/// ```text
/// not code
/// ```
///
///     indented code
///
/// * a list
///   1. nested
///
/// | a | b |
/// |---|---|
/// | 1 | 2 |
///
/// [nowhere]: https://observatory.example/nowhere
pub fn linked() {}

/// First paragraph,
/// on two lines.
///
/// Second \<b\> & <b>bold</b>.
#[doc(alias = "other")]
pub fn paragraphs() {}
