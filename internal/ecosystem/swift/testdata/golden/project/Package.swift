// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Workshop",
    platforms: [.macOS(.v13)],
    products: [
        .library(name: "Workshop", targets: ["Tools", "Boards", "Joints", "Orders", "Glue", "Paint", "Shop", "Timber", "Lathe", "Stencils", "Hoist"]),
    ],
    targets: [
        .target(name: "Tools"),
        .target(name: "Boards", dependencies: ["Tools"]),
        .target(name: "Joints", dependencies: ["Boards"]),
        .target(name: "Orders"),
        .target(name: "Glue", dependencies: ["Joints"]),
        .target(name: "Paint"),
        .target(name: "Shop", dependencies: ["Paint"]),
        .target(name: "Timber", dependencies: ["Boards"]),
        .target(name: "Lathe"),
        .target(name: "Stencils"),
        .target(name: "Hoist", dependencies: ["Boards"], swiftSettings: [.define("HEAVY")]),
    ]
)
