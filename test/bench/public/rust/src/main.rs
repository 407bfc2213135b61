//! The server of the public comparison that is made with rmcp.
//!
//!     rmcp-shop [-sessions] -addr ADDR -redis ADDR -catalog URL

use std::{collections::HashMap, sync::Arc, time::SystemTime};

use redis::{AsyncCommands, aio::MultiplexedConnection};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::*,
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

struct Shop {
    tools: Vec<Tool>,
    redis: MultiplexedConnection,
    http: reqwest::Client,
    catalog: String,
}

#[derive(Clone)]
struct Server(Arc<Shop>);

#[derive(Deserialize)]
struct SearchIn {
    category: String,
    min_price: f64,
    max_price: f64,
    limit: i64,
}

#[derive(Deserialize)]
struct CartIn {
    user_id: String,
}

#[derive(Serialize, Deserialize)]
struct Item {
    product_id: i64,
    quantity: i64,
}

#[derive(Serialize, Deserialize)]
struct CheckoutIn {
    user_id: String,
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Product {
    id: i64,
    sku: String,
    name: String,
    price: f64,
    rating: f64,
}

#[derive(Deserialize)]
struct Found {
    total_found: i64,
    products: Vec<Product>,
}

#[derive(Serialize)]
struct Ranked {
    id: i64,
    sku: String,
    name: String,
    price: f64,
    rating: f64,
    popularity_rank: usize,
}

#[derive(Serialize)]
struct SearchOut {
    category: String,
    total_found: i64,
    products: Vec<Ranked>,
    top10_popular_ids: Vec<i64>,
}

#[derive(Serialize, Deserialize)]
struct CartItem {
    product_id: i64,
    qty: i64,
}

#[derive(Serialize, Deserialize)]
struct Order {
    order_id: String,
    product_id: i64,
    qty: i64,
    price: f64,
    ts: i64,
}

#[derive(Serialize)]
struct Cart {
    items: Vec<CartItem>,
    item_count: usize,
    estimated_total: f64,
}

#[derive(Serialize)]
struct CartOut {
    user_id: String,
    cart: Cart,
    recent_history: Vec<Order>,
}

#[derive(Deserialize)]
struct Price {
    order_id: String,
    total: f64,
}

#[derive(Serialize)]
struct CheckoutOut {
    order_id: String,
    user_id: String,
    total: f64,
    items_count: usize,
    rate_limit_count: i64,
    status: &'static str,
}

impl Shop {
    async fn get<T: serde::de::DeserializeOwned>(&self, path: &str, query: &[(&str, String)]) -> anyhow::Result<T> {
        Ok(self.http.get(format!("{}{path}", self.catalog)).query(query).send().await?.json().await?)
    }

    async fn search(&self, args: SearchIn) -> anyhow::Result<SearchOut> {
        let query = [
            ("category", args.category.clone()),
            ("min_price", args.min_price.to_string()),
            ("max_price", args.max_price.to_string()),
            ("limit", args.limit.to_string()),
        ];
        let mut redis = self.redis.clone();
        let popular = async { Ok(redis.zrevrange::<_, Vec<String>>("popular", 0, 9).await?) };
        let (found, popular) = tokio::try_join!(self.get::<Found>("/products/search", &query), popular)?;
        let mut ranks = HashMap::new();
        let mut ids = Vec::new();
        for member in &popular {
            if let Some(Ok(id)) = member.strip_prefix("product:").map(str::parse::<i64>) {
                ids.push(id);
                ranks.insert(id, ids.len());
            }
        }
        let ranked = |p: Product| Ranked {
            popularity_rank: ranks.get(&p.id).copied().unwrap_or(0),
            id: p.id,
            sku: p.sku,
            name: p.name,
            price: p.price,
            rating: p.rating,
        };
        Ok(SearchOut {
            category: args.category,
            total_found: found.total_found,
            products: found.products.into_iter().map(ranked).collect(),
            top10_popular_ids: ids,
        })
    }

    async fn cart(&self, args: CartIn) -> anyhow::Result<CartOut> {
        let mut redis = self.redis.clone();
        let cart: HashMap<String, String> = redis.hgetall(format!("cart:{}", args.user_id)).await?;
        let items: Vec<CartItem> = serde_json::from_str(cart.get("items").map_or("[]", |s| s))?;
        let first = items.first().map_or(1, |item| item.product_id);
        let path = format!("/products/{first}");
        let recent = async { Ok(redis.lrange::<_, Vec<String>>(format!("history:{}", args.user_id), 0, 4).await?) };
        let (_, recent) = tokio::try_join!(self.get::<Product>(&path, &[]), recent)?;
        let recent: Result<Vec<Order>, _> = recent.iter().map(|s| serde_json::from_str(s)).collect();
        Ok(CartOut {
            cart: Cart {
                item_count: items.len(),
                items,
                estimated_total: cart.get("total").and_then(|s| s.parse().ok()).unwrap_or(0.0),
            },
            user_id: args.user_id,
            recent_history: recent?,
        })
    }

    async fn checkout(&self, args: CheckoutIn) -> anyhow::Result<CheckoutOut> {
        let Some(first) = args.items.first() else { anyhow::bail!("there are no items") };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs() as i64;
        let order = Order {
            order_id: format!("{}-{now}", args.user_id),
            product_id: first.product_id,
            qty: first.quantity,
            price: 0.0,
            ts: now,
        };
        let order = serde_json::to_string(&order)?;
        let member = format!("product:{}", first.product_id);
        let (mut a, mut b, mut c) = (self.redis.clone(), self.redis.clone(), self.redis.clone());
        let price = async {
            let url = format!("{}/cart/calculate", self.catalog);
            Ok::<Price, anyhow::Error>(self.http.post(url).json(&args).send().await?.json().await?)
        };
        let count = async { Ok(a.incr::<_, _, i64>(format!("rate:{}", args.user_id), 1).await?) };
        let history = async { Ok(b.rpush::<_, _, i64>(format!("history:{}", args.user_id), order).await?) };
        let popular = async { Ok(c.zincr::<_, _, _, f64>("popular", member, 1).await?) };
        let (price, count, _, _) = tokio::try_join!(price, count, history, popular)?;
        Ok(CheckoutOut {
            order_id: price.order_id,
            total: price.total,
            items_count: args.items.len(),
            user_id: args.user_id,
            rate_limit_count: count,
            status: "confirmed",
        })
    }
}

fn text(result: anyhow::Result<impl Serialize>) -> Result<CallToolResponse, ErrorData> {
    let internal = |err: String| ErrorData::internal_error(err, None);
    let result = result.map_err(|err| internal(err.to_string()))?;
    let text = serde_json::to_string(&result).map_err(|err| internal(err.to_string()))?;
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        fn arguments<T: serde::de::DeserializeOwned>(request: &CallToolRequestParams) -> Result<T, ErrorData> {
            let args = Value::Object(request.arguments.clone().unwrap_or_default());
            serde_json::from_value(args).map_err(|err| ErrorData::invalid_params(err.to_string(), None))
        }
        match request.name.as_ref() {
            "search_products" => text(self.0.search(arguments(&request)?).await),
            "get_user_cart" => text(self.0.cart(arguments(&request)?).await),
            "checkout" => text(self.0.checkout(arguments(&request)?).await),
            other => Err(ErrorData::invalid_params(format!("unknown tool {other}"), None)),
        }
    }
}

fn tools() -> Vec<Tool> {
    let (string, number, integer) = (json!({"type": "string"}), json!({"type": "number"}), json!({"type": "integer"}));
    let item = json!({
        "type": "object",
        "properties": {"product_id": integer, "quantity": integer},
        "required": ["product_id", "quantity"],
    });
    let tool = |name: &str, description: &str, properties: Value| {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        serde_json::from_value(json!({"name": name, "description": description, "inputSchema": schema})).unwrap()
    };
    vec![
        tool(
            "search_products",
            "Finds products of a category within a range of prices",
            json!({"category": string, "min_price": number, "max_price": number, "limit": integer}),
        ),
        tool("get_user_cart", "Returns the cart and the latest orders of a user", json!({"user_id": string})),
        tool("checkout", "Orders items for a user", json!({"user_id": string, "items": {"type": "array", "items": item}})),
    ]
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).cloned().unwrap_or_default();
    let redis = redis::Client::open(format!("redis://{}", value("-redis")))?;
    let shop = Arc::new(Shop {
        tools: tools(),
        redis: redis.get_multiplexed_async_connection().await?,
        http: reqwest::Client::new(),
        catalog: value("-catalog"),
    });
    let mut config = StreamableHttpServerConfig::default();
    if !args.iter().any(|a| a == "-sessions") {
        config = config.with_legacy_session_mode(false).with_json_response(true);
    }
    let service: StreamableHttpService<Server, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(Server(shop.clone())), Default::default(), config);
    let listener = tokio::net::TcpListener::bind(value("-addr")).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
