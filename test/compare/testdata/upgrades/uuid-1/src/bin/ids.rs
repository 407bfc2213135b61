use uuid::Uuid;

fn main() {
    let id = Uuid::new_v4();
    println!("{}", id.to_hyphenated());
    println!("{}", id.to_simple());
    println!("{}", id.to_urn().encode_lower(&mut Uuid::encode_buffer()));
    let _ = Uuid::from_slice(&[0; 16]).unwrap();
    let _ = Uuid::from_bytes([0; 16]);
    let _ = Uuid::parse_str("936DA01F9ABD4d9d80C702AF85C822A8").is_ok();
    let _ = Uuid::new_v5(&Uuid::NAMESPACE_DNS, b"shop");
    let _ = id.to_hyphenated_ref();
    let _ = id.as_u128();
    if id.get_variant() == Some(uuid::Variant::RFC4122) {
        println!("variant");
    }
    let _ = id.get_version_num();
    let _ = id.is_nil();
}
