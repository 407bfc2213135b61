use std::time::Duration;

use quarry_client::{Calm, Client, Until};

pub fn settled(client: &Client, id: &str) -> Result<Option<u64>, String> {
    let until = Until::default().pause(Duration::from_millis(1)).most(Duration::from_millis(500)).or_gone();
    match client.crane_hooks().until_calm(id, &until) {
        Ok(Calm::Calm(hook)) => Ok(Some(hook.edition)),
        Ok(Calm::Gone) => Ok(None),
        Ok(Calm::Late) => Err("late".to_string()),
        Err(_) => Err("refused".to_string()),
    }
}
