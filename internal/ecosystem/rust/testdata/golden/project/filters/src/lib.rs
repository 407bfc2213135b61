//! What exists under conditions.
#![cfg_attr(docsrs, feature(doc_cfg))]

/// Needs a feature that is on.
#[cfg(feature = "color")]
pub fn color() {}

/// Needs a feature that is off.
#[cfg(feature = "infrared")]
#[cfg_attr(docsrs, doc(cfg(feature = "infrared")))]
pub fn infrared() {}

#[cfg(unix)]
pub fn unix(fd: std::os::fd::RawFd) {}

#[cfg(windows)]
pub fn windows() {}

#[cfg(not(any(windows, target_os = "macos")))]
pub const OTHER: u8 = 1;

#[cfg(target_pointer_width = "64")]
pub type Word = u64;
#[cfg(not(target_pointer_width = "64"))]
pub type Word = u32;

#[cfg(test)]
mod tests {}

pub struct Filter {
    #[cfg(feature = "color")]
    pub hue: u16,
    #[cfg(feature = "infrared")]
    pub heat: u16,
}

impl Filter {
    #[cfg(all(feature = "color", unix))]
    pub fn apply(&self, #[cfg(feature = "color")] strength: u8) {}
    #[cfg(debug_assertions)]
    pub fn debug(&self) {}
}

#[cfg(feature = "infrared")]
pub mod night { pub fn see() {} }
