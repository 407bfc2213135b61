// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "docent-relevance",
    dependencies: [
        .package(url: "https://github.com/Alamofire/Alamofire.git", exact: "5.12.0"),
        .package(url: "https://github.com/ReactiveX/RxSwift.git", exact: "6.10.2"),
        .package(url: "https://github.com/apple/swift-algorithms.git", exact: "1.2.1"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.5"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.3"),
        .package(url: "https://github.com/swiftlang/swift-testing.git", revision: "937120cbc281cf29727fdfb8734482158508b4fc"),
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.1"),
    ]
)
