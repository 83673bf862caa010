"""What is played to the services: flats, emergencies and numbers; and the documents that tell it to simulator and services."""

import json
import random
import shutil
from datetime import datetime, timezone

# Flats that lose their supply together, flats that lose it one by one (too few to be the building's outage), and the rest.
EAST = [f"e{number}" for number in range(1, 7)]
DARK = [f"w{number}" for number in range(1, 5)]
WEST = DARK + [f"w{number}" for number in range(5, 13)]

# Lengths of emergencies in seconds. What waits for time rather than for readings (a door's delay, the ten seconds before a
# small outage is told) keeps five seconds clear of its limit: so late may a message come on a busy machine.
DOOR = [(2, 4), (18, 25)]
OUTAGE = [(3, 5), (14, 16), (27, 40)]
LENGTHS = {
    "gas-leak": [(3, 45)],
    "carbon-monoxide": [(5, 80)],
    "fire": [(5, 20)],
    "voltage": [(8, 70)],
    "water": [(6, 20)],
    "lamp-failure": [(5, 30)],
    "door-open": DOOR,
}
ROOMS = {
    "gas-leak": "/kitchen",
    "carbon-monoxide": "/hall",
    "fire": "/kitchen",
    "voltage": "",
    "water": "/bathroom",
    "lamp-failure": "/living",
    "door-open": "/hall",
}
PEAKS = {"gas-leak": [8, 15, 30], "carbon-monoxide": [70, 150, 400], "fire": [40, 70, 90], "voltage": [200, 256, 300]}

WORDS = {"en": "Only for the kill test.", "de": "Nur für den Test.", "ru": "Только для проверки."}


def norm(id, hazard, indicator, unit, limit, severity="warning", **others):
    written = {"id": id, "clause": id, "hazard": hazard, "track": "safety", "severity": severity, "indicator": indicator}
    if unit:
        written["unit"] = unit
    return {**written, **others, "limit": limit, "confidence": "choice", "why": WORDS, "whatToDo": WORDS}


# The acts ask for minutes and hours; these have every kind of waiting within seconds, so that kills hit it.
ACT = {
    "act": {
        "id": "kill-test",
        "kind": "house",
        "jurisdictions": ["house"],
        "issuer": "Normwatch",
        "edition": "1",
        "title": {"en": "Short norms for the kill test"},
        "inForce": {"from": "2020-01-01", "until": None},
        "source": {"title": "Tests/Kill", "kind": "house"},
    },
    "norms": [
        norm("delay", "explosion", "gas", "%LEL", {"shape": "band", "upper": 5, "deadband": 1, "onDelay": "8 s", "offDelay": "4 s"}, species="ch4"),
        norm(
            "levels",
            "poisoning",
            "gas",
            "ppm",
            {
                "shape": "time-at-level",
                "reaches": True,
                "resetBelow": 27,
                "levels": [
                    {"atLeast": 50, "by": "12 s", "severity": "warning"},
                    {"atLeast": 100, "by": "6 s", "severity": "danger"},
                    {"atLeast": 300, "by": "20 s", "severity": "emergency"},
                ],
            },
            species="co",
        ),
        norm(
            "blocks",
            "power-quality",
            "voltage",
            "V",
            {"shape": "mean", "windows": [{"length": "10 s", "kind": "block", "lower": 207, "upper": 253, "completeness": 0.7}]},
            appliesTo={"nominalVoltage": 230},
        ),
        norm("window", "heat", "temperature", "°C", {"shape": "mean", "windows": [{"length": "15 s", "kind": "sliding", "upper": 30, "completeness": 0.7}]}),
        norm("door", "door-left-open", "door", None, {"shape": "state", "all": [{"indicator": "door", "is": True}], "onDelay": "10 s"}, appliesTo={"opening": "entrance"}),
        norm(
            "lamp",
            "lamp-burnout",
            "light",
            "lx",
            {"shape": "state", "all": [{"indicator": "lamp", "is": True}, {"indicator": "light", "below": 10}], "onDelay": "10 s"},
            severity="notice",
        ),
    ],
}


class Plan:
    def __init__(self, seed, count, rate, without_time):
        self.seed, self.count, self.rate, self.without_time = seed, count, rate, without_time
        self.seconds = count / rate
        self.random = random.Random(f"{seed} plan")

    # --- For the simulator

    def scenario(self):
        flats = [{"id": "n{n}", "count": 10, "template": "counter"}]
        if self.without_time:
            flats.append({"id": "t{n}", "count": 10, "template": "counter-without-clock"})
        return {
            "title": "Numbers, and emergencies of every kind all the while",
            "start": "2026-11-30T22:00:00Z",
            "numbers": {"rate": self.rate, "count": self.count},
            "site": {"site": "kill-test", "jurisdictions": ["EU"]},
            "templates": {
                "counter": {"rooms": [{"id": "cellar", "devices": [{"id": "counter", "measures": ["number"]}]}]},
                "counter-without-clock": {
                    "rooms": [{"id": "cellar", "devices": [{"id": "counter", "measures": ["number"], "clock": False}]}]
                },
                "home": {"rooms": self.rooms()},
            },
            "buildings": [
                {"id": "numbers", "flats": flats},
                {"id": "east", "nominalVoltage": 230, "flats": [{"id": flat, "template": "home"} for flat in EAST]},
                {"id": "west", "nominalVoltage": 230, "flats": [{"id": flat, "template": "home"} for flat in WEST]},
            ],
            "happenings": self.happenings(),
            "expect": {"alarms": []},
        }

    @staticmethod
    def rooms():
        def device(id, *measures, every=None, **others):
            return {"id": id, "measures": list(measures), **({"every": every} if every else {}), **others}

        return [
            {
                "id": "hall",
                "devices": [
                    device("meter", "voltage", every="1 s"),
                    device("air", "co", every="1 s"),
                    device("co", "co_alarm", every="10 s"),
                    device("door", "door", every="10 s", opening="entrance"),
                ],
            },
            {
                "id": "kitchen",
                "devices": [
                    device("gas", "methane", every="1 s"),
                    device("detector", "gas_alarm", every="10 s"),
                    device("smoke", "smoke", every="10 s"),
                    device("climate", "temperature", "humidity", every="1 s"),
                ],
            },
            {"id": "bathroom", "devices": [device("leak", "water_leak", every="10 s")]},
            {"id": "living", "devices": [device("lamp", "lamp", every="10 s"), device("light", "light", every="1 s")]},
        ]

    def happenings(self):
        found = self.episodes("power-outage", "east", OUTAGE, 60, meters="zero")
        for flat in DARK:
            found += self.episodes("power-outage", f"west/{flat}", OUTAGE, 40, meters="zero")
        for flat in [f"east/{flat}" for flat in EAST] + [f"west/{flat}" for flat in WEST]:
            for what, lengths in LENGTHS.items():
                found += self.episodes(what, flat + ROOMS[what], lengths, 30, PEAKS.get(what))
        # A lamp that is broken shows only while it is switched on.
        return found + [{**each, "what": "lamp-on"} for each in found if each["what"] == "lamp-failure"]

    def episodes(self, what, place, lengths, pause, peaks=None, **others):
        """One after the other, the last one over well before the end."""
        found = []
        time = self.random.uniform(3, 3 + pause / 2)
        while True:
            end = time + self.random.uniform(*self.random.choice(lengths))
            if end > self.seconds - 4:
                return found
            episode = {"what": what, "where": place, "at": f"{time:.3f} s", "until": f"{end:.3f} s", **others}
            if peaks:
                episode["peak"] = self.random.choice(peaks)
            if what in ("gas-leak", "carbon-monoxide", "fire"):
                episode["rise"] = "1 s"
            found.append(episode)
            time = end + self.random.uniform(6, pause)

    # --- Behind everything

    last_topic = "sensors/numbers/last/cellar/counter/radon"

    @property
    def last_payload(self):
        return {"value": self.count, "unit": "Bq/m³", "time": datetime.now(timezone.utc).isoformat()}

    # --- For the services

    def site(self, name, web_port):
        """Everything places itself, apart from what has attributes."""

        def flat(building, id):
            place = f"sensors/{building}/{id}"
            rooms = [
                {"id": "hall", "devices": [{"id": f"{place}/hall/door", "opening": "entrance"}]},
                {"id": "living", "devices": [{"id": f"{place}/living/lamp", "lamp": True}]},
            ]
            return {"id": id, "rooms": rooms}

        homes = {"east": EAST, "west": WEST}
        buildings = [
            {"id": building, "nominalVoltage": 230, "flats": [flat(building, id) for id in ids]} for building, ids in homes.items()
        ]
        channels = [{"kind": "webhook", "url": f"http://127.0.0.1:{web_port}/{name}"}, {"kind": "mqtt", "topic": f"people/{name}"}]
        return {
            "site": "kill-test",
            "jurisdictions": ["EU"],
            "selfPlacement": True,
            "buildings": buildings,
            "people": [{"id": "duty", "role": "administrator", "channels": channels}],
            "routes": [{"match": {"class": "alarm"}, "steps": [{"to": ["duty"], "after": "0 s"}]}],
        }

    def write(self, folder, thresholds, web_port):
        def put(name, document):
            (folder / name).write_text(json.dumps(document, ensure_ascii=False, indent=1))

        put("scenario.json", self.scenario())
        put("config.json", {"broker": {"subscribe": ["sensors/#"]}})
        for name in ("a", "b"):
            put(f"site-{name}.json", self.site(name, web_port))
        shutil.copytree(thresholds, folder / "norms")
        put("norms/house/kill-test.json", ACT)
