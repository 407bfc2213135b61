fn main() {
    let _ = axum::extract::Host(String::new());
}
