extension Lexicon {
    /// Words that are no quantity of ours: fillers, flags, positions, other quantities and everything that is no measurement.
    static func addOthers(_ roles: inout [String: Role]) {
        func add(_ words: String, _ role: Role) {
            for word in words.split(separator: " ") where roles[String(word)] == nil { roles[String(word)] = role }
        }
        add(
            """
            value val reading readings measured measurement measurements actual now instant live sensor sensors detector \
            air room ambient relative the is of in at mains supply grid line ac rms velocity samples \
            charge remaining data values payload params result body fields telemetry metrics observations env environment
            """, .filler)
        add("state status", .state)
        add("alarm alert detected detection active triggered warn flag", .flag)
        add("raw adc count counts", .count)
        add("open opened", .open)
        add("closed shut close", .closed)
        add("contact reed", .contact)
        add("level intensity density concentration", .level)
        add("l1 l2 l3 x y z a b c phase axis channel ch", .position)
        add(
            """
            power energy current pressure barometer rssi linkquality lqi signal snr wifi uptime speed fan heater heating \
            cooling valve pump relay switch button outlet plug brightness volume flow meter consumption resistance weight \
            distance uv noise sound wind rain voc tvoc iaq aqi ph ec moisture altitude position cover blind \
            shutter curtain lock bell tamper strength angle tilt rotation action color colour kwh kw wh ma hpa pa kpa bar \
            mbar db dbm m3 ohm ohms khz mhz ghz sec secs seconds ms minutes hours w var va pf memory heap disk load lat \
            lon latitude longitude capacity cycles water obscuration brand vendor
            """, .head(.other))
        add(
            """
            set setpoint setpoints target desired goal threshold thresholds limit limits min max minimum maximum avg \
            average mean median std stddev low high ok total sum counter times duration interval period timeout delay \
            hysteresis sensitivity offset calibration calibrate calib cal correction compensation config configuration cfg \
            setting settings mode unit units id type name version model date timestamp time since last previous prev \
            yesterday today history change changed delta diff difference trend rate forecast predicted prediction estimate \
            estimated equivalent eq eco eco2 co2eq co2e dew dewpoint heatindex apparent feels index warning error errors \
            fault enable enabled disabled test selftest preheat warmup chip cpu mcu core internal device board soc esp \
            processor system absolute abs soil leaf comfort away holiday boost frost antifrost preset manual schedule program \
            sensitivities charging battery_low precision accuracy resolution quality reference ref nominal rated \
            statistics stats command cmd cmnd request response log logs debug firmware ota hours_of cycle
            """, .excluded)
    }
}
