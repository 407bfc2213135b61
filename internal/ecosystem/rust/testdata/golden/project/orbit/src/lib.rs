//! Values and aliases.

/// The gravitational constant.
pub const G: f64 = 6.674e-11;
pub const NAMES: &[&str] = &["a", "b"];
pub const MASK: u32 = 0xff & !(1 << 3);
pub const LONG: [u8; 40] = [0; 40];
pub const STRUCT: Orbit = Orbit { a: 1, b: None };
pub const FN: fn(u8) -> u8 = f;
const fn f(x: u8) -> u8 { x }
/// Is shared.
pub static PLANETS: [&str; 2] = ["venus", "mars"];
pub static mut COUNTER: u64 = 0;
pub static TEXT: &str = concat!("a", "b");

#[derive(Clone)]
pub struct Orbit { pub a: u8, pub b: Option<Box<Orbit>> }

/// A result.
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;
pub type Pair<'a, T> = (&'a T, &'a T);
pub type Callback = dyn Fn(&Orbit) -> Result<()> + 'static;
pub type Alias = Orbit;

pub fn uses(r: Result<u8>, p: Pair<'_, u8>, a: Alias) -> Result<Orbit, std::io::Error> { todo!() }

extern "C" {
    /// From C.
    pub fn c_abs(x: i32) -> i32;
    pub fn printf(format: *const u8, ...) -> i32;
    pub static environ: *const *const u8;
}

#[no_mangle]
pub extern "system" fn exported(x: u8) {}

pub mod consts { pub const PI: f32 = 3.14; pub const E: f32 = super::f(2) as f32; }
