pub fn additional() {}
