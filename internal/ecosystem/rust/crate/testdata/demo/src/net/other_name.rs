/// A connection.
pub struct Conn(());

pub(super) fn make(_: &super::Guard) -> Conn {
    Conn(())
}

impl Iterator for Conn {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        None
    }
}

impl From<super::Server<'_, u8>> for Conn {
    fn from(_: super::Server<'_, u8>) -> Conn {
        Conn(())
    }
}
