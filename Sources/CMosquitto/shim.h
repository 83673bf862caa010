#pragma once

#include <mosquitto.h>
#include <mqtt_protocol.h>

/// Flags of a CONNACK: bit 0 tells that the broker has kept our session.
static inline int mosquitto_session_present(int flags) {
    return flags & 1;
}
