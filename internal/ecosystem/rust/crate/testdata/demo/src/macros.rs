macro_rules! gate {
    ($($item:item)*) => { $( #[cfg(feature = "net")] $item )* };
}

macro_rules! point_impls {
    ($($Trait:ident $method:ident),*) => {
        $(
            impl std::ops::$Trait for crate::Point {
                type Output = crate::Point;
                fn $method(self, other: crate::Point) -> crate::Point {
                    let _ = other;
                    self
                }
            }
        )*
    };
}
