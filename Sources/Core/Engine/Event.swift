/// Whatever enters the engine, in one order. Each has an arrival; arrivals strictly increase.
package enum Event: Sendable {
    case reading(Reading)
    /// A value came that is none: `nan`, a sentinel, an error word.
    case unreadable(Series)
    case availability(Availability)
    /// What a device is, from its metadata or its topic.
    case device(DeviceNote)
    /// We hear the broker, or no longer do. Silence counts only while we listen.
    case listening(Bool)
    /// The program starts, or hears the broker again; it was away since `downSince`. What was queued meanwhile comes next.
    case started(downSince: Timestamp?)
    /// Nothing queued is left: from here on messages arrive as they are sent.
    case caughtUp
    case command(Command)
    case site(Site)
    /// Other norms, and as which version; nil where nobody counts them.
    case norms(NormLibrary, NormVersion? = nil)
    /// Something of our own fails, or works again.
    case trouble(FaultKind, isActive: Bool, detail: String)
    /// Only the passing of time.
    case time
}

/// A device, or all devices below a topic, came or went.
package struct Availability: Hashable, Codable, Sendable {
    /// A device's id, or a gateway's topic, which speaks for its devices.
    package let subject: String
    package let isOnline: Bool
    package init(subject: String, isOnline: Bool) { (self.subject, self.isOnline) = (subject, isOnline) }
}

package struct DeviceNote: Hashable, Codable, Sendable {
    package let device: String
    package var family: String
    /// Devices behind one gateway fall silent together.
    package var gateway: String?
    package var model: String?
    package var isBatteryPowered: Bool?
    /// Where a native topic says that it stands.
    package var placement: Place?

    package init(
        device: String, family: String, gateway: String? = nil, model: String? = nil, isBatteryPowered: Bool? = nil,
        placement: Place? = nil
    ) {
        (self.device, self.family, self.gateway, self.model) = (device, family, gateway, model)
        (self.isBatteryPowered, self.placement) = (isBatteryPowered, placement)
    }
}

/// What a person asks for.
package enum Command: Hashable, Codable, Sendable {
    case acknowledge(alarm: String, by: String)
    case comment(alarm: String, text: String, by: String)
    case arm(building: String, flat: String, mode: ArmMode, by: String)
}

package enum ArmMode: String, CaseIterable, Codable, Sendable {
    case off, away, home, night
}

/// What the engine wants done. The pipeline writes it down in one transaction and carries it out afterwards.
package enum Effect: Hashable, Sendable {
    case store(StoredReading)
    /// A retained value without time: to be shown as the last known, no part of the history.
    case lastKnown(Reading)
    case transition(Transition)
    case notice(Notice)
    case device(DeviceNote)
    /// The answer to a command.
    case reply(CommandReply)
}

package struct StoredReading: Hashable, Sendable {
    package let series: Series
    package let time: Timestamp
    package let arrival: Timestamp
    package let value: Double
    package let quality: Quality
    /// What the device claimed, where it is not `time`.
    package let claimed: Timestamp?

    package init(
        series: Series, time: Timestamp, arrival: Timestamp, value: Double, quality: Quality, claimed: Timestamp?
    ) {
        (self.series, self.time, self.arrival) = (series, time, arrival)
        (self.value, self.quality, self.claimed) = (value, quality, claimed)
    }

    /// The reading as it entered the engine.
    package var reading: Reading? {
        let own = claimed ?? (quality.contains(.arrivalTime) ? nil : time)
        return Reading(series, value, deviceTime: own, isRetained: quality.contains(.retained))
    }
}

package enum CommandReply: Hashable, Sendable {
    case done(String)
    case refused(String)
}

/// A message to one person on one channel.
package struct Notice: Hashable, Codable, Sendable {
    /// hash(alarm, transition, recipient, channel): a receiver can drop a repeat.
    package let id: String
    package let alarm: String
    package let alarmClass: AlarmClass
    package let event: Transition.Kind
    package let severity: Severity
    package let recipient: String
    package let channel: Person.Channel
    package let subject: String
    package let body: String
    package let created: Timestamp
    /// The transition in JSON, for channels that carry data.
    package let transition: String

    package init(
        id: String, alarm: String, alarmClass: AlarmClass, event: Transition.Kind, severity: Severity,
        recipient: String,
        channel: Person.Channel, subject: String, body: String, created: Timestamp, transition: String
    ) {
        (self.id, self.alarm, self.alarmClass, self.event, self.severity) = (id, alarm, alarmClass, event, severity)
        (self.recipient, self.channel, self.subject, self.body) = (recipient, channel, subject, body)
        (self.created, self.transition) = (created, transition)
    }
}
