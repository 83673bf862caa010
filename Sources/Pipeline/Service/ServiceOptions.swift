package import Core
package import Ingest
package import Notify
package import Store

/// Everything that a service is told at its start.
package struct ServiceOptions: Sendable {
    package var data: DataFolder
    /// Nil: a private broker is started.
    package var broker: BrokerAddress?
    /// Where the private broker also listens for devices.
    package var brokerListen: (address: String, port: Int)?
    package var authorityFile: String?
    /// Nil: one that stays the same for the data folder.
    package var clientID: String?
    package var subscriptions = ["#"]
    package var normFolder: String
    /// Text of a site document to be put in force.
    package var site: String?
    package var speed = 1.0
    package var commitWithin = Span.seconds(1)
    /// Whether transitions and alarm states go out on an outside broker; on the private one they always do.
    package var publishesAlarms = false
    package var http: (address: String, port: Int)?
    package var mail: MailSettings?
    package var secretsFolder = ""
    package var keepReadings = Span.days(90)

    package init(data: DataFolder, normFolder: String) { (self.data, self.normFolder) = (data, normFolder) }
}

/// What the service shows while it runs. Called on the loop's thread; must return soon.
package struct ServiceObserver {
    package var transitions: ([Transition]) -> Void = { _ in }
    package var started: (ServiceAddresses) -> Void = { _ in }
    /// About once a second.
    package var tick: (Engine) -> Void = { _ in }
    package var log: Log

    package init(log: Log) { self.log = log }
}

/// Where a running service can be reached; also in `service.json` of the data folder, for our own programs.
package struct ServiceAddresses: Codable, Sendable {
    package let process: Int32
    /// With the password where the broker is ours.
    package let broker: String
    package let http: String?
    package let clientID: String
}
