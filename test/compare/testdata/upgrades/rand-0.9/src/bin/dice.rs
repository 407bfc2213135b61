use rand::seq::SliceRandom;
use rand::Rng;

fn main() {
    let mut rng = rand::thread_rng();
    let mut cards = vec![1, 2, 3];
    cards.shuffle(&mut rng);
    let _ = cards.choose(&mut rng);
    let _: u8 = rng.gen_range(1..7);
    let _ = rng.gen_bool(0.5);
    let _: f64 = rng.sample(rand::distributions::Open01);
    let _: f64 = rand::random();
}
