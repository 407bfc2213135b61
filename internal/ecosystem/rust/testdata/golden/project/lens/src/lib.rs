//! Functions of every form.

use std::borrow::Cow;
use std::collections::HashMap as Map;
use std::fmt::{self, Debug, Display};
use std::future::Future;
use mount::Mount;

/// Focuses on a point.
pub fn focus(x: f64, mut y: f64, (a, b): (i32, u8), [first, ..]: [u8; 4], _: &str) -> f64 { y += x; y }

/// Is known at compile time.
pub const fn area<const N: usize>(sides: [u32; N]) -> usize { N }

pub unsafe fn raw(p: *const u8, q: *mut Mount) -> *mut () { std::ptr::null_mut() }

pub extern "C" fn callback(code: i32, hook: Option<unsafe extern "C" fn(i32) -> i32>) -> i32 { code }

pub async fn expose(seconds: u32) -> Result<Vec<u8>, fmt::Error> { Ok(vec![]) }

pub fn longest<'a, 'b: 'a>(one: &'a str, two: &'b mut str) -> &'a str { one }

pub fn map<T, U: Debug + ?Sized, F>(list: &[T], f: F) -> Vec<Box<U>>
where
    T: Clone + 'static,
    F: FnMut(&T) -> Box<U> + Send,
    for<'x> &'x T: IntoIterator<Item = &'x u8>,
{
    vec![]
}

pub fn either(x: impl Into<String>, y: &dyn Display, z: Box<dyn Fn(i32) -> i32 + Send + 'static>) -> impl Iterator<Item = u8> { std::iter::empty::<u8>() }

pub fn never() -> ! { loop {} }


pub fn pointers(f: fn(a: u8, b: &str) -> u8, g: for<'a> fn(&'a u8) -> &'a u8, t: ((), (u8,), (u8, u16))) {}

pub fn project<I: Iterator>(i: I) -> <I as Iterator>::Item where I::Item: Default { Default::default() }

pub fn boxed<'a>() -> std::pin::Pin<Box<dyn Future<Output = ()> + Send + 'a>> { todo!() }

#[deprecated(since = "0.2.0", note = "use `focus`")]
#[must_use = "it is expensive"]
pub fn blur() -> u8 { 0 }

#[inline]
#[doc(hidden)]
pub fn hidden() {}

#[track_caller]
#[cold]
pub fn array(a: [u8; 3 * 2], b: [[f32; 4]; 4], c: &mut [u8]) {}

fn private() {}

pub(crate) fn inside() {}

pub fn nested(m: Map<String, Vec<(u8, Cow<'_, str>)>>) where String: Sized {}
