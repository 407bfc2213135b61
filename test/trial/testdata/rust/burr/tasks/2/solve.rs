use burr::{Clash, Coat};

pub fn load(jobs: &[(i64, i64, u32)]) -> Vec<(i64, i64, u32)> {
    let mut coat = Coat::builder().clash(Clash::Blend(|a, b| a + b)).build();
    for (first, last, workers) in jobs {
        coat.stick(*first..=*last, *workers);
    }
    coat.spans().map(|(s, workers)| (s.from, s.to, *workers)).collect()
}
