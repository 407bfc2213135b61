use quarry_client::sumps::LogSump;
use quarry_client::truck_loads::ListTruckLoad;
use quarry_client::{CallOptions, Client};

pub fn loads(client: &Client, site: &str) -> Vec<String> {
    let request = ListTruckLoad::new().site(site).size(120u32).closed(true);
    client.truck_loads().list_all(&request, &CallOptions::default()).map(|load| load.unwrap().title).collect()
}

pub fn who(client: &Client, id: &str) -> Vec<String> {
    let page = client.sumps().log(&LogSump::new(id).size(6u32), &CallOptions::default()).unwrap();
    page.items.into_iter().rev().map(|entry| entry.by).collect()
}
