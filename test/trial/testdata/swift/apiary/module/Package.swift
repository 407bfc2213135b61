// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "apiary-client",
    products: [.library(name: "ApiaryClient", targets: ["ApiaryClient"])],
    targets: [.target(name: "ApiaryClient")]
)
