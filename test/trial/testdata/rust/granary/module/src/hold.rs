use crate::{Draw, Drawn, Error, Granary, Short};

/// Goods that are kept for somebody. Dropping it lets them go, unless [`Hold::keep`] was called.
#[must_use = "a hold that is dropped holds nothing"]
pub struct Hold<'a> {
    granary: &'a mut Granary,
    number: u64,
    kept: bool,
}

impl Hold<'_> {
    /// What is held.
    pub fn total(&self) -> f64 {
        self.granary.holds[&self.number].iter().map(|p| p.1).sum()
    }

    /// Keeps it beyond the guard. Gives the number for [`Granary::claim`].
    pub fn keep(mut self) -> u64 {
        self.kept = true;
        self.number
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        if !self.kept {
            self.granary.release(self.number);
        }
    }
}

impl Granary {
    /// Holds goods. They are chosen as [`Granary::draw`] chooses them; [`Short::Owe`] counts as [`Short::Less`], and
    /// [`Draw::whole`] has no effect.
    pub fn hold(&mut self, kind: &str, amount: f64, how: Draw) -> Result<Hold<'_>, Error> {
        let how = Draw { whole: false, ..how };
        let (parts, lacking) = self.choose(kind, amount, &how);
        if lacking > 0.0 && how.short == Short::Fail {
            return Err(Error::Short { kind: kind.into(), lacking });
        }
        for (number, part) in &parts {
            self.sacks.iter_mut().find(|s| s.number == *number).unwrap().held += part;
        }
        let number = self.holds.keys().last().map_or(1, |n| n + 1);
        self.holds.insert(number, parts);
        Ok(Hold { granary: self, number, kept: false })
    }

    /// Draws what a kept hold holds. The hold is gone then.
    pub fn claim(&mut self, hold: u64) -> Result<Drawn, Error> {
        let parts = self.release(hold).filter(|p| !p.is_empty()).ok_or(Error::NoHold(hold))?;
        self.take(&parts);
        Ok(Drawn { parts, owed: 0.0 })
    }

    /// Lets go what a kept hold holds.
    pub fn let_go(&mut self, hold: u64) -> Result<(), Error> {
        self.release(hold).map(|_| ()).ok_or(Error::NoHold(hold))
    }

    fn release(&mut self, hold: u64) -> Option<Vec<(u64, f64)>> {
        let parts = self.holds.remove(&hold)?;
        for (number, part) in &parts {
            if let Some(s) = self.sacks.iter_mut().find(|s| s.number == *number) {
                s.held -= part;
            }
        }
        Some(parts)
    }
}
