// swift-tools-version: 5.9
import PackageDescription

let core: [Target.Dependency] = ["OsierCore"]

let package = Package(
    name: "osier",
    products: [
        .library(name: "Osier", targets: ["Osier"]),
        .library(name: "OsierDye", targets: ["OsierDye"]),
    ],
    targets: [
        .target(name: "OsierCore"),
        .target(name: "OsierText", dependencies: core),
        .target(name: "OsierDye", dependencies: core),
        .target(name: "Osier", dependencies: core + ["OsierText"]),
    ]
)
