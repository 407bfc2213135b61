/// Was found.
pub struct Found { pub by: Finder }
pub struct Finder;
pub(crate) struct NotHere;
pub const COUNT: usize = 1;
