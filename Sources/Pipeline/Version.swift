/// What this program is.
package enum Version {
    package static let number = "0.1.0"
}
