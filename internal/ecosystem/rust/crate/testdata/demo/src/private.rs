type Alias<T> = std::collections::HashMap<String, T>;

/// Reached by a re-export.
pub struct Deep {
    pub map: Alias<u8>,
}

pub enum Error {
    /// Not there.
    NotFound,
    Io(std::io::Error),
    Bad { code: u16 },
}

#[repr(u8)]
pub enum Level {
    Low = 1,
    High = 2,
}

pub mod hidden_away {
    pub struct Square {
        pub other: u8,
    }
    pub struct Triangle;
    struct Unseen;
    pub(crate) fn also_unseen(_: &Triangle) {
        let _ = Unseen;
    }
}
