//! Procedural macros.

extern crate proc_macro;
use proc_macro::TokenStream;

/// Derives `Open`.
#[proc_macro_derive(Open, attributes(open, speed))]
pub fn derive_open(input: TokenStream) -> TokenStream { input }

/// Marks a function.
#[proc_macro_attribute]
pub fn timed(args: TokenStream, item: TokenStream) -> TokenStream { item }

/// Makes an exposure.
#[proc_macro]
pub fn expose(input: TokenStream) -> TokenStream { input }
