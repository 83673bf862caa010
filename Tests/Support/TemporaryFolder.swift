internal import Foundation

/// A folder that goes away with the test.
package final class TemporaryFolder {
    package let path: String

    package init() {
        var template = Array((NSTemporaryDirectory() + "/normwatch-test-XXXXXX").utf8CString)
        precondition(mkdtemp(&template) != nil, "a temporary folder can be made")
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
