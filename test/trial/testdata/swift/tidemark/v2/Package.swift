// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "tidemark",
    products: [.library(name: "Tidemark", targets: ["Tidemark"])],
    targets: [.target(name: "Tidemark")]
)
