import Core
import Testing

@testable import Console

@Suite("Metrics")
struct MetricsTests {
    @Test("OpenMetrics text, whole")
    func text() {
        let metrics = Metrics()
        let readings = metrics.counter("normwatch_readings", "Readings by outcome.", labels: ["outcome"])
        let depth = metrics.gauge("normwatch_outbox_depth", "Notices that wait.")
        let commit = metrics.histogram(
            "normwatch_commit_seconds", "Time of a commit.", unit: "seconds", bounds: [0.001, 0.01, 1])
        let size = metrics.gauge(
            "normwatch_log_bytes", "The \"write-ahead\" log\\file\nnow.", unit: "bytes", labels: ["file"])
        readings.add(12, "stored")
        readings.add(0.5, "odd \"one\"\\\n")
        readings.add(1, "stored")
        metrics.beforeReading { depth.set(7) }
        commit.observe([0.001, 0.002, 0.5, 2])
        size.set(.infinity, "b")
        size.set(-1.25, "a")
        #expect(
            metrics.text == #"""
                # TYPE normwatch_commit_seconds histogram
                # UNIT normwatch_commit_seconds seconds
                # HELP normwatch_commit_seconds Time of a commit.
                normwatch_commit_seconds_bucket{le="0.001"} 1
                normwatch_commit_seconds_bucket{le="0.01"} 2
                normwatch_commit_seconds_bucket{le="1.0"} 3
                normwatch_commit_seconds_bucket{le="+Inf"} 4
                normwatch_commit_seconds_count 4
                normwatch_commit_seconds_sum 2.503
                # TYPE normwatch_log_bytes gauge
                # UNIT normwatch_log_bytes bytes
                # HELP normwatch_log_bytes The \"write-ahead\" log\\file\nnow.
                normwatch_log_bytes{file="a"} -1.25
                normwatch_log_bytes{file="b"} +Inf
                # TYPE normwatch_outbox_depth gauge
                # HELP normwatch_outbox_depth Notices that wait.
                normwatch_outbox_depth 7
                # TYPE normwatch_readings counter
                # HELP normwatch_readings Readings by outcome.
                normwatch_readings_total{outcome="odd \"one\"\\\n"} 0.5
                normwatch_readings_total{outcome="stored"} 13
                # EOF

                """#)
    }

    @Test("A total from elsewhere never goes back")
    func reach() {
        let metrics = Metrics()
        let sent = metrics.counter("normwatch_notices_delivered", "Delivered.")
        #expect(metrics.text.contains("normwatch_notices_delivered_total 0\n"))
        sent.reach(5)
        sent.reach(3)
        #expect(metrics.text.contains("normwatch_notices_delivered_total 5\n"))
    }

    @Test("Only this machine sees them")
    func local() {
        var routes = Routes()
        routes.serve(Metrics())
        let here = routes.answer(Request("GET", "/metrics"))
        #expect(here.status == 200 && here.body == Array("# EOF\n".utf8))
        #expect(here.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(routes.answer(Request("GET", "/metrics", peer: "192.168.1.5")).status == 403)
    }

    @Test("Updates from several threads all count")
    func threads() {
        let metrics = Metrics()
        let counter = metrics.counter("normwatch_test", "Test.", labels: ["thread"])
        let done = Locked(0)
        for thread in 0..<4 {
            startThread {
                for _ in 0..<1000 { counter.add(1, "\(thread % 2)") }
                done.withLock { $0 += 1 }
            }
        }
        #expect(done.wait(atMost: .seconds(20)) { $0 == 4 ? true : nil } == true)
        #expect(metrics.text.contains("{thread=\"0\"} 2000\n") && metrics.text.contains("{thread=\"1\"} 2000\n"))
    }
}
