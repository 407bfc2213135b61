/// Is far.
pub struct Far;
