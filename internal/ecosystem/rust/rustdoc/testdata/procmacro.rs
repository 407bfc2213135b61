//! Procedural macros.
extern crate proc_macro;
use proc_macro::TokenStream;
/// Makes a thing.
#[proc_macro]
pub fn make(input: TokenStream) -> TokenStream { input }
/// Marks a thing.
#[proc_macro_attribute]
pub fn mark(_: TokenStream, item: TokenStream) -> TokenStream { item }
/// Derives a thing.
#[proc_macro_derive(Thing, attributes(thing, part))]
pub fn thing(_: TokenStream) -> TokenStream { TokenStream::new() }
#[proc_macro_derive(Other)]
pub fn other(_: TokenStream) -> TokenStream { TokenStream::new() }
