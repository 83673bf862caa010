import Glibc

/// A pipe whose reading end is closed already.
final class ClosedPipe {
    let writing: Int32
    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        close(ends[0])
        writing = ends[1]
    }
    deinit { close(writing) }
}
