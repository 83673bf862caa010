"""Kills a service at random moments and starts it again."""

import random
import time

# When a kill comes, and how often so: soon after the last one, while it reads what was queued, or at a moment of its own.
KINDS = {"start": 25, "backlog": 25, "live": 50}
PAUSES = [0, 0, 0, 0.05, 0.3, 1.5]
PATIENCE = 60


class Killer:
    def __init__(self, seed, count, seconds, say):
        self.random = random.Random(f"{seed} kills")
        self.kinds = self.random.choices(list(KINDS), list(KINDS.values()), k=count)
        # All through the stream, and none so late that it would hit an idle service.
        count = self.kinds.count("live")
        self.moments = [(slot + self.random.random()) / count * 0.95 * seconds for slot in range(count)]
        self.hit = dict.fromkeys(KINDS, 0)
        self.say = say

    def run(self, service, simulator, children):
        """Kills the service until all kills are done. Returns when the last new life has begun."""
        start = time.monotonic()
        last_words = start
        for number, kind in enumerate(self.kinds, 1):
            self.wait(service, kind, start, children)
            self.hit["live" if service.is_live() else "backlog" if service.is_started() else "start"] += 1
            service.kill()
            children.watched.remove(service)
            time.sleep(self.random.choice(PAUSES))
            service = service.again()
            children.watched.append(service)
            if time.monotonic() - last_words > 10 or number == len(self.kinds):
                last_words = time.monotonic()
                self.say(f"{number} kills after {last_words - start:.0f} s, {self.shown}{'' if simulator.runs else ', stream over'}")
        return service

    @property
    def shown(self):
        return f"{self.hit['start']} while starting, {self.hit['backlog']} while reading the backlog, {self.hit['live']} live"

    def wait(self, service, kind, start, children):
        def pass_until(condition):
            deadline = time.monotonic() + PATIENCE
            while not condition() and time.monotonic() < deadline:
                children.check()
                time.sleep(0.005)

        if kind == "start":
            time.sleep(self.random.uniform(0, 0.2))
        elif kind == "backlog":
            pass_until(service.is_started)
            time.sleep(self.random.uniform(0, 0.05))
        else:
            moment = start + self.moments.pop(0)
            pass_until(lambda: time.monotonic() >= moment)
            # On a busy machine the moments would otherwise find it starting, one after the other.
            pass_until(service.is_live)
            time.sleep(self.random.uniform(0, 0.2))
