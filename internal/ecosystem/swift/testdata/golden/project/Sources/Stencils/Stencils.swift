/// Cuts a stencil.
@freestanding(expression)
public macro stencil<T>(_ value: T) -> (T, String) = #externalMacro(module: "Impl", type: "Stencil")

/// Adds members.
@attached(member, names: named(init), arbitrary)
@attached(extension, conformances: Equatable)
public macro Cut(depth: Int = 1) = #externalMacro(module: "Impl", type: "Cut")
