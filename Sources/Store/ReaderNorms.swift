import Core

extension Reader {
    /// All norms that were in force, oldest first.
    package func normVersions() throws -> [StoredNormVersion] {
        let statement = try database.prepare(
            "SELECT number, since, hash, author, reason FROM norm_versions ORDER BY number")
        var versions: [StoredNormVersion] = []
        while try statement.step() {
            let version = NormVersion(
                number: statement.int(0), author: statement.text(3) ?? "", reason: statement.text(4))
            versions.append(
                StoredNormVersion(
                    version: version, since: Timestamp(microseconds: statement.int64(1)), hash: statement.text(2) ?? "")
            )
        }
        return versions
    }
}
