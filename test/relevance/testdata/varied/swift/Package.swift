// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "docent-relevance-varied",
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.33.1"),
        .package(url: "https://github.com/krzyzanowskim/CryptoSwift.git", exact: "1.10.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.8.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.3.0"),
        .package(url: "https://github.com/onevcat/Kingfisher.git", exact: "8.11.0"),
        .package(url: "https://github.com/vapor/postgres-nio.git", exact: "1.33.1"),
        .package(url: "https://github.com/stencilproject/Stencil.git", exact: "0.15.1"),
        .package(url: "https://github.com/pointfreeco/swift-parsing.git", exact: "0.14.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.11.0"),
        .package(url: "https://github.com/pointfreeco/swift-snapshot-testing.git", exact: "1.18.9"),
        .package(url: "https://github.com/scinfu/SwiftSoup.git", exact: "2.13.6"),
        .package(url: "https://github.com/vapor/vapor.git", exact: "4.122.0"),
    ]
)
