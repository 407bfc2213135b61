use rand::rngs::StdRng;
use rand::{Rng, RngCore, SeedableRng};

fn main() {
    let mut rng = StdRng::from_entropy();
    let mut other = StdRng::seed_from_u64(1);
    let mut bytes = [0; 4];
    rng.fill_bytes(&mut bytes);
    other.try_fill_bytes(&mut bytes).unwrap();
    let _ = StdRng::from_rng(&mut other).unwrap();
    let _: u32 = rng.next_u32();
    let _: u8 = rng.gen_range(0..=9);
    let _ = rand::rngs::mock::StepRng::new(0, 1);
}
