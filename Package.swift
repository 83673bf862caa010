// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // Exclusive access is checked at run time in debug builds, where the tests run.
    .unsafeFlags(["-enforce-exclusivity=unchecked", "-static-stdlib"], .when(configuration: .release)),
]

/// The released programs carry Swift's runtime in them: they run where Swift is not installed, and a fifth faster.
let linking: [LinkerSetting] = [.unsafeFlags(["-static-stdlib", "-use-ld=lld"], .when(configuration: .release))]

/// A C library from the system's packages; `Scripts/prerequisites` installs them all.
func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(name)", swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "normwatch",
    products: [
        .executable(name: "normwatch", targets: ["Command"]),
        .executable(name: "normwatch-simulator", targets: ["Simulator"]),
        .executable(name: "normwatch-bench", targets: ["Bench"]),
    ],
    targets: [
        cLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        cLibrary("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
        cLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        cLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        cLibrary("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
        .target(name: "CSystem", path: "Sources/CSystem"),

        module("Core", []),
        module("Decode", ["Core"]),
        module("Store", ["Core", "CSQLite"]),
        module("Ingest", ["Core", "CMosquitto", "CSystem"]),
        module("Notify", ["Core", "CCurl", "CSodium"]),
        module("Console", ["Core", "Store", "CMicroHTTPD"]),
        module("Pipeline", ["Core", "Decode", "Store", "Ingest", "Notify", "Console"]),
        .executableTarget(
            name: "Command", dependencies: ["Core", "Decode", "Store", "Ingest", "Notify", "Pipeline"],
            path: "Sources/Command", swiftSettings: settings, linkerSettings: linking),
        .executableTarget(
            name: "Simulator", dependencies: ["Core", "Decode", "Store", "Ingest", "Pipeline"], path: "Simulator",
            exclude: ["Scenarios", "README.md"],
            swiftSettings: settings, linkerSettings: linking),

        .executableTarget(
            name: "Bench", dependencies: ["Core", "Decode", "Store", "Ingest", "Pipeline"], path: "Sources/Bench",
            swiftSettings: settings, linkerSettings: linking),

        .target(name: "Support", dependencies: ["Core", "Ingest"], path: "Tests/Support", swiftSettings: settings),
        tests("CoreTests", ["Core", "Support"]),
        tests("DecodeTests", ["Core", "Decode"]),
        tests("StoreTests", ["Core", "Support", "Store"]),
        tests("IngestTests", ["Core", "Support", "Ingest"]),
        tests("NotifyTests", ["Core", "Notify"]),
        tests("ConsoleTests", ["Core", "Console"]),
        tests("PipelineTests", ["Core", "Support", "Decode", "Store", "Ingest", "Notify", "Console", "Pipeline"]),
        tests("CommandTests", ["Core", "Support", "Store", "Ingest", "Notify", "Pipeline", "Command"]),
        tests("SimulatorTests", ["Core", "Support", "Ingest", "Pipeline", "Simulator", "Command"]),
    ]
)
