internal import CCurl
internal import Core

/// One attempt in libcurl's hands. Lives and dies on the thread of its lane.
final class Transfer {
    let job: SendQueue.Job
    let handle: UnsafeMutableRawPointer
    private let isCancelled: () -> Bool
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var message: [UInt8] = []
    private var sent = 0
    private var answered = 0
    private var refusal = ""
    private var wasJudged = false
    private var wasAccepted = false
    /// When the mail server has said its last word on the message; only a goodbye can follow.
    private var decided: ContinuousClock.Instant?

    /// More of an answer than this is not read: its code has said all.
    private static let longestAnswer = 65_536
    /// How long a mail server may take to say goodbye; libcurl waits for that on our thread.
    private static let longestGoodbye = Duration.seconds(2)

    init(_ plan: TransferPlan, for job: SendQueue.Job, isCancelled: @escaping () -> Bool) throws(Obstacle) {
        guard let handle = curl_easy_init() else {
            throw Obstacle(reason: "libcurl has no memory for a transfer", isPermanent: false)
        }
        (self.job, self.handle, self.isCancelled) = (job, handle, isCancelled)
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setUp(plan) else { throw Obstacle(reason: "libcurl refuses a setting", isPermanent: false) }
    }

    deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
        words.deallocate()
    }

    private func setUp(_ plan: TransferPlan) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var isFine = set(CURLOPT_URL, plan.url) && set(CURLOPT_NOSIGNAL, 1) && set(CURLOPT_FOLLOWLOCATION, 0)
        isFine = isFine && set(CURLOPT_CONNECTTIMEOUT_MS, Int(plan.connectWithin.microseconds / 1000))
        isFine = isFine && set(CURLOPT_TIMEOUT_MS, Int(plan.endWithin.microseconds / 1000))
        // Do not wait for the thread that looks up a name: a dead name server would stop the whole lane.
        isFine = isFine && set(CURLOPT_QUICK_EXIT, 1)
        if let file = plan.caFile { isFine = isFine && set(CURLOPT_CAINFO, file) }
        isFine = isFine && nw_easy_set_pointer(handle, CURLOPT_ERRORBUFFER, words) == CURLE_OK
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA] {
            isFine = isFine && nw_easy_set_pointer(handle, option, context) == CURLE_OK
        }
        isFine = isFine && nw_easy_set_transfer(handle, CURLOPT_WRITEFUNCTION, onAnswer) == CURLE_OK
        isFine = isFine && nw_easy_set_transfer(handle, CURLOPT_HEADERFUNCTION, onLine) == CURLE_OK
        isFine = isFine && nw_easy_set_transfer(handle, CURLOPT_READFUNCTION, onRead) == CURLE_OK
        isFine = isFine && nw_easy_set_progress(handle, onProgress, context) == CURLE_OK
        switch plan.payload {
        case .post(let headers, let body):
            return isFine && setUpPost(headers, body)
        case .mail(let from, let to, let message, let login, let encryption):
            self.message = message
            return isFine && setUpMail(from, to, login, encryption, seconds: Int(plan.endWithin.seconds))
        }
    }

    private func setUpPost(_ headers: [String], _ body: [UInt8]) -> Bool {
        // HTTP/1.1: with HTTP/2 a connection that has died without a word is used again for the next attempt.
        // And a kept connection is used again within a burst only: an old one may have died the same way.
        set(CURLOPT_PROTOCOLS_STR, "http,https") && set(CURLOPT_MAXAGE_CONN, 15)
            && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            && set(CURLOPT_POST, 1)
            && nw_easy_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK
            && body.withUnsafeBytes {
                nw_easy_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
                    == CURLE_OK
            } && set(CURLOPT_HTTPHEADER, headers)
    }

    private func setUpMail(
        _ from: String, _ to: String, _ login: TransferPlan.Login?, _ encryption: MailSettings.Encryption, seconds: Int
    ) -> Bool {
        let level =
            switch encryption {
            case .required: CURLUSESSL_ALL
            case .offered: CURLUSESSL_TRY
            case .never: CURLUSESSL_NONE
            }
        var isFine = set(CURLOPT_PROTOCOLS_STR, "smtp,smtps") && set(CURLOPT_USE_SSL, Int(level.rawValue))
        isFine = isFine && set(CURLOPT_PROXY, "") && set(CURLOPT_UPLOAD, 1) && set(CURLOPT_MAIL_FROM, from)
        isFine = isFine && set(CURLOPT_MAIL_RCPT, [to]) && set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(seconds, 1))
        // One mail a connection: a kept one has to be closed with a goodbye, later and on our thread.
        isFine = isFine && set(CURLOPT_FORBID_REUSE, 1)
        isFine = isFine && nw_easy_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(message.count)) == CURLE_OK
        guard let login else { return isFine }
        return isFine && set(CURLOPT_USERNAME, login.user)
            && set(CURLOPT_PASSWORD, String(decoding: login.password, as: UTF8.self))
    }

    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        nw_easy_set_long(handle, option, value) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ value: String) -> Bool {
        nw_easy_set_string(handle, option, value) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ values: [String]) -> Bool {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = curl_slist_append(list, value) else { break }
            list = longer
        }
        guard let list else { return false }
        lists.append(list)
        return nw_easy_set_list(handle, option, list) == CURLE_OK
    }

    /// What `code` means, once libcurl has let go of it.
    func end(_ code: CURLcode) -> TransferEnd {
        let text = String(cString: words)
        let wish = nw_easy_retry_after(handle)
        return TransferEnd(
            trouble: Self.trouble(code), status: nw_easy_status(handle),
            words: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text, refusal: refusal,
            wasAccepted: wasAccepted, retryAfter: wish > 0 ? .seconds(Int(wish)) : nil)
    }

    private static func trouble(_ code: CURLcode) -> TransferEnd.Trouble? {
        switch code {
        case CURLE_OK: nil
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .name
        case CURLE_COULDNT_CONNECT: .connection
        case CURLE_OPERATION_TIMEDOUT: .time
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_USE_SSL_FAILED,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            .encryption
        case CURLE_LOGIN_DENIED: .login
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        default: .other
        }
    }

    // What libcurl's callbacks ask for.

    fileprivate func answer(_ count: Int) -> Int {
        answered += count
        return answered > Self.longestAnswer ? 0 : count
    }

    /// A line of a mail server, or of an answer's head.
    fileprivate func line(_ bytes: UnsafeRawBufferPointer) {
        guard !message.isEmpty, let first = bytes.first else { return }
        decided = nil
        if first == UInt8(ascii: "4") || first == UInt8(ascii: "5") {
            refusal = String(decoding: bytes.prefix(512), as: UTF8.self)
            // After a refused login another way to log in may follow.
            if !["504", "534", "535", "538"].contains(refusal.prefix(3)) { decided = .now }
        }
        // The first answer after the whole message counts; a friendly goodbye after a refusal does not.
        guard sent == message.count, !wasJudged else { return }
        (wasJudged, decided) = (true, .now)
        wasAccepted = first == UInt8(ascii: "2")
    }

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, message.count - sent)
        buffer.copyBytes(from: message[sent..<sent + count])
        sent += count
        return count
    }

    fileprivate var mustEnd: Bool {
        if let decided, .now - decided > Self.longestGoodbye { return true }
        return isCancelled()
    }
}

private func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

private let onAnswer: nw_transfer_callback = { _, size, count, context in
    context.map { transfer($0).answer(size * count) } ?? 0
}

private let onLine: nw_transfer_callback = { bytes, size, count, context in
    if let context { transfer(context).line(UnsafeRawBufferPointer(start: bytes, count: size * count)) }
    return size * count
}

private let onRead: nw_transfer_callback = { bytes, size, count, context in
    context.map { transfer($0).read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) } ?? 0
}

private let onProgress: curl_xferinfo_callback = { context, _, _, _, _ in
    context.map { transfer($0).mustEnd ? 1 : 0 } ?? 0
}
