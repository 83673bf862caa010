/// A message as the broker delivered it.
package struct Message: Sendable {
    package let topic: String
    package let payload: [UInt8]
    /// Delivered from the broker's store, not as it was sent.
    package let isRetained: Bool
    package let qos: Int
    /// By our clock.
    package let arrival: Timestamp

    package init(topic: String, payload: [UInt8], isRetained: Bool = false, qos: Int = 0, arrival: Timestamp) {
        (self.topic, self.payload, self.isRetained, self.qos, self.arrival) = (topic, payload, isRetained, qos, arrival)
    }
}
