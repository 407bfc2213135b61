// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "kiln",
    products: [.library(name: "Kiln", targets: ["Kiln"])],
    targets: [.target(name: "Kiln")]
)
