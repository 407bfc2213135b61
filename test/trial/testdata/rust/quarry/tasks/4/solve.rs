use quarry_client::fuse_boxes::HaulFuseBox;
use quarry_client::{CallOptions, Client, Refused};

pub fn could(client: &Client, id: &str) -> Result<bool, String> {
    let request = HaulFuseBox::new(id, "cold").with_labels(true);
    match client.fuse_boxes().haul(&request, &CallOptions::default().dry(true).note("why", "plan")) {
        Ok(fuse_box) => Ok(fuse_box.edition == 0),
        Err(e) if e.is_busy() || e.is_barred() => Ok(false),
        Err(e) => Err(e.fault().to_string()),
    }
}
