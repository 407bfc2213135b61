use rand::distributions::{Distribution, Uniform};
use rand::seq::IteratorRandom;

fn main() {
    let mut rng = rand::rngs::OsRng;
    let between = Uniform::new(1, 7);
    let _: i32 = between.sample(&mut rng);
    let _ = (1..5).choose(&mut rng);
}
