use quarry_client::saw_wires::{ReviseSawWire, SawWireError};
use quarry_client::{CallOptions, Client};

pub fn wire(client: &Client, id: &str, edition: u64) -> Result<String, SawWireError> {
    let request = ReviseSawWire::new(id).edition(edition).ration(2.5).rounds(4u32);
    match client.saw_wires().revise(&request, &CallOptions::default().tries(1)) {
        Ok(_) => Ok("ok".to_string()),
        Err(SawWireError::Busy { by }) => Ok(format!("by {by}")),
        Err(SawWireError::Newer { edition }) => Ok(format!("edition {edition}")),
        Err(other) => Err(other),
    }
}
