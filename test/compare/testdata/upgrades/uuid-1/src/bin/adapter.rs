fn main() {
    let id = uuid::Uuid::nil();
    let _: uuid::adapter::Hyphenated = id.to_hyphenated();
    let _ = uuid::Builder::from_bytes([0; 16]).set_variant(uuid::Variant::RFC4122).build();
    let _ = uuid::Version::Random;
    let _: uuid::Error = uuid::Uuid::parse_str("x").unwrap_err();
}
