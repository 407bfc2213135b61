fn main() {
    let _ = axum::extract::host::Host(String::new());
}
