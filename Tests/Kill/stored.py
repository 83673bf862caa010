"""What a service has stored, read from its database."""

import json
import sqlite3
from collections import Counter


class Stored:
    def __init__(self, path):
        self.path = path

    def rows(self, question, *values):
        database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=10)
        try:
            return database.execute(question, values).fetchall()
        finally:
            database.close()

    # Readings move from one table to the other.
    READINGS = (
        "(SELECT series, time, claimed, value, quality FROM readings"
        " UNION ALL SELECT series, time, claimed, value, quality FROM history) AS r JOIN series AS s ON s.id = r.series"
    )

    def numbers(self):
        """How often each value of a counter is there."""
        question = f"SELECT value, count(*) FROM {self.READINGS} WHERE indicator = 'radon' GROUP BY value"
        numbers = Counter(dict(self.rows(question)))
        # 65535 stands for no value at all: it is kept for a look and is no reading.
        for (payload,) in self.rows("SELECT payload FROM rejected WHERE reason = 'sentinel'"):
            numbers[json.loads(payload)["value"]] += 1
        return numbers

    def has_number(self, value):
        question = "SELECT count(*) FROM readings JOIN series ON id = series WHERE indicator = 'radon' AND value = ?"
        return self.rows(question, value)[0][0] > 0

    def others(self):
        """Everything else that devices have measured, by the time that they gave."""
        question = (
            f"SELECT device, indicator, species, channel, ifnull(claimed, time), value FROM {self.READINGS}"
            " WHERE indicator <> 'radon'"
        )
        return Counter(self.rows(question))

    def transitions(self):
        """Changes of alarms, with all that is said of them."""
        rows = self.rows("SELECT body FROM journal WHERE class = 'alarm'")
        return Counter(json.dumps(json.loads(body), sort_keys=True, ensure_ascii=False) for (body,) in rows)

    def waiting(self):
        return self.rows("SELECT count(*) FROM outbox WHERE state = 'waiting'")[0][0]

    def messages(self):
        """Messages to people: id, state, content."""
        return [(id, state, json.loads(body)) for id, state, body in self.rows("SELECT id, state, body FROM outbox")]
