use axum::extract::{Path, Query};
use axum::routing::get;
use axum::Router;

async fn page(id: Option<Path<u32>>) -> String {
    format!("{}", id.is_some())
}

async fn list(query: Option<Query<Vec<(String, String)>>>) -> String {
    format!("{}", query.is_some())
}

fn main() {
    let _: Router = Router::new().route("/", get(page)).route("/list", get(list));
}
