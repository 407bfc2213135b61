//! Servers.
use std::fmt;

#[path = "other_name.rs"]
mod conn;
pub use self::conn::Conn;

/// A server of [`Conn`]s.
pub struct Server<'a, H> {
    handler: &'a H,
}

impl<'a, H> Server<'a, H> {
    pub fn accept(&self) -> Conn {
        let _ = self.handler;
        super::net::conn::make(&Guard(&()))
    }
    pub fn guard(&self) -> Guard {
        Guard(&())
    }
}

pub struct Guard<'g>(pub &'g ());

impl<H> fmt::Debug for Server<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("{")
    }
}
