//! Macros.

/// Makes a plate.
///
/// ```
/// plates::plate!(1, 2);
/// ```
#[macro_export]
macro_rules! plate {
    () => { 0 };
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+ $(,)?) => { $x + $crate::plate!($($rest),+) };
}

#[macro_export]
#[doc(hidden)]
macro_rules! hidden { ($($t:tt)*) => {} }

macro_rules! shapes {
    ($( $(#[$meta:meta])* $name:ident: $size:literal => $ty:ty ),* $(,)?) => {
        $(
            $(#[$meta])*
            pub struct $name(pub $ty);
            impl $name {
                /// The size.
                pub const SIZE: usize = $size;
                pub fn get(&self) -> &$ty { &self.0 }
            }
        )*
        /// All shapes.
        pub enum Shape { $( $name($name) ),* }
    };
}

shapes! {
    /// Is round.
    Round: 1 => u8,
    Square: 4 => Vec<String>,
}

macro_rules! functions {
    ($($vis:vis fn $f:ident($($arg:ident: $t:ty),*) $(-> $ret:ty)? $body:block)*) => {
        $( $vis fn $f($($arg: $t),*) $(-> $ret)? $body )*
    };
}

functions! {
    pub fn add(a: u8, b: u8) -> u8 { a + b }
    pub fn nothing() {}
    fn private() {}
}

macro_rules! module { ($m:ident { $($body:item)* }) => { pub mod $m { $($body)* } } }
module!(made { pub struct Inside; pub const N: u8 = 1; });

thread_local! {
    /// For each thread.
    pub static COUNT: std::cell::Cell<u32> = std::cell::Cell::new(1);
}
