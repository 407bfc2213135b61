use std::collections::BTreeMap;

use quarry_client::pump_hoses::{HaltPumpHose, OpenPumpHose, PumpHoseError};
use quarry_client::{CallOptions, Client};

pub fn hose(client: &Client, site: &str, key: &str) -> Result<String, PumpHoseError> {
    let once = CallOptions::default().tries(1);
    let request = OpenPumpHose::new("north", site)
        .key(key)
        .labels(BTreeMap::from([("use".to_string(), "mud".to_string())]))
        .limit(0.0)
        .ready_by(12u32)
        .keepers(vec!["ada".to_string(), "eve".to_string()]);
    let made = client.pump_hoses().open(&request, &once)?;
    client.pump_hoses().halt(&HaltPumpHose::new(made.id.as_str(), "frost").hours(36.0), &once)?;
    Ok(made.id)
}
