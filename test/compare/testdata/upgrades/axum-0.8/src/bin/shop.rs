use axum::{
    async_trait,
    extract::{FromRequestParts, Path, Query, State},
    response::IntoResponse,
    routing::get,
    Json, Router,
};
use http::request::Parts;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Item {
    name: String,
}

struct User(String);

#[async_trait]
impl<S> FromRequestParts<S> for User
where
    S: Send + Sync,
{
    type Rejection = &'static str;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(User(parts.uri.to_string()))
    }
}

async fn item(Path(id): Path<u32>, Query(item): Query<Item>) -> impl IntoResponse {
    Json(Item { name: format!("{id}{}", item.name) })
}

async fn user(user: User, State(shop): State<String>) -> String {
    user.0 + &shop
}

fn main() {
    let app: Router<String> = Router::new().route("/items/1", get(item)).route("/user", get(user));
    let _: Router = app.with_state("shop".to_string());
}
