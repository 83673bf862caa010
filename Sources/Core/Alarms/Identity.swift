/// Stable identifiers: the same cause gives the same id in every run and after every restart.
package enum Identity {
    /// 16 hexadecimal digits. Not for secrets.
    package static func hash(_ parts: [String]) -> String {
        let digits = String(mix(fnv(parts)), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// FNV-1a over the parts, 64 bits.
    package static func fnv(_ parts: [String]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0x1f) &* 0x100_0000_01b3  // so that ("ab", "c") is not ("a", "bc")
        }
        return hash
    }

    /// Spreads small differences over all digits, so that people do not take neighbouring ids for a sequence.
    private static func mix(_ value: UInt64) -> UInt64 {
        let a = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        let b = (a ^ (a >> 27)) &* 0x94d0_49bb_1331_11eb
        return b ^ (b >> 31)
    }

    static func alarm(_ subject: Alarm.Subject, building: String?, flat: String?, since: Timestamp) -> String {
        let what: [String] =
            switch subject {
            case .hazard(let hazard): [hazard.rawValue, ""]
            case .fault(let kind, let device): [kind.rawValue, device]
            }
        return hash([building ?? "", flat ?? ""] + what + [String(since.microseconds)])
    }
}
