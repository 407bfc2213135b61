use quarry_client::road_gates::{ListRoadGate, ReopenRoadGate, RoadGateError};
use quarry_client::{CallOptions, Client, Phase};

pub fn revive(client: &Client, site: &str, day: u32) -> Result<(Vec<String>, Vec<String>, Vec<String>), RoadGateError> {
    let options = CallOptions::default();
    let (mut back, mut busy, mut gone) = (vec![], vec![], vec![]);
    let request = ListRoadGate::new().site(site).size(120u32).closed(true);
    for gate in client.road_gates().list_all(&request, &options) {
        let gate = gate?;
        if gate.phase != Phase::Closed {
            continue;
        }
        match client.road_gates().reopen(&ReopenRoadGate::new(gate.id.as_str()).as_of(day), &options) {
            Ok(_) => back.push(gate.id),
            Err(RoadGateError::Busy { .. }) => busy.push(gate.id),
            Err(RoadGateError::Gone) => gone.push(gate.id),
            Err(other) => return Err(other),
        }
    }
    Ok((back, busy, gone))
}
