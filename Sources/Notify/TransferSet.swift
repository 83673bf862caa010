internal import CCurl
internal import Core

/// Several attempts under way at once on one thread: libcurl's multi handle.
///
/// Unchecked `Sendable` is true because the lane's thread alone calls everything but `wake`, which libcurl allows from any
/// thread, and whoever calls `wake` holds a reference, so that the handle is still there.
final class TransferSet: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private var underWay: [UnsafeMutableRawPointer: Transfer] = [:]

    init() {
        precondition(Self.isReady, "libcurl cannot start")
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory for its start") }
        self.multi = multi
    }

    deinit {
        _ = dropAll()
        curl_multi_cleanup(multi)
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    func add(_ transfer: Transfer) throws(Obstacle) {
        guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
            throw Obstacle(reason: "libcurl does not take the transfer", isPermanent: false)
        }
        underWay[transfer.handle] = transfer
    }

    /// Does what can be done without waiting.
    /// - Returns: the attempts that have ended.
    func perform() -> [(job: SendQueue.Job, end: TransferEnd)] {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var ended: [(job: SendQueue.Job, end: TransferEnd)] = []
        var code = CURLE_OK
        while let handle = nw_multi_finished(multi, &code) {
            curl_multi_remove_handle(multi, handle)
            if let transfer = underWay.removeValue(forKey: handle) { ended.append((transfer.job, transfer.end(code))) }
        }
        return ended
    }

    /// Until there is something to do, or somebody calls `wake`.
    func wait(atMost limit: Span) {
        curl_multi_poll(multi, nil, 0, Int32(limit.microseconds / 1000), nil)
    }

    func wake() { curl_multi_wakeup(multi) }

    /// - Returns: what was still under way, in the order of ids.
    func dropAll() -> [SendQueue.Job] {
        for handle in underWay.keys { curl_multi_remove_handle(multi, handle) }
        defer { underWay = [:] }
        return underWay.values.map(\.job).sorted { $0.notice.id < $1.notice.id }
    }
}
