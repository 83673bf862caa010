"""What must be true at the end: one line each, with figures, and what differs where something does."""

import json
from collections import Counter, defaultdict

SHOWN = 10


class Report:
    def __init__(self):
        self.is_fine = True

    def line(self, is_fine, text, differences=()):
        self.is_fine = self.is_fine and is_fine
        print(f"{'ok    ' if is_fine else 'FAULT '} {text}", flush=True)
        differences = list(differences)
        for difference in differences[:SHOWN]:
            print(f"         {difference}")
        if len(differences) > SHOWN:
            print(f"         … {len(differences) - SHOWN} more")


def report(plan, a, b, sinks):
    """Returns whether all is as promised. Service a was killed, b was not."""
    found = Report()
    for name, stored in (("A", a), ("B", b)):
        check_numbers(found, name, stored.numbers(), plan)
    check_others(found, a.others(), b.others())
    check_transitions(found, a.transitions(), b.transitions())
    messages = {"A": a.messages(), "B": b.messages()}
    for name, rows in messages.items():
        for channel, received in sinks.items():
            check_delivery(found, name, channel, rows, received[name.lower()])
    check_messages(found, messages)
    return found.is_fine


def check_numbers(found, name, numbers, plan):
    wanted = range(plan.count + 1)  # the last one stands behind all others
    missing = [value for value in wanted if value not in numbers]
    doubled = [value for value, times in numbers.items() if times > 1]
    strange = [value for value in numbers if value != int(value) or int(value) not in wanted]
    how = f"{name}: {len(numbers)} numbers stored{', half of them without device time' if plan.without_time else ''}; "
    how += f"missing {len(missing)}, doubled {len(doubled)}, never sent {len(strange)}"
    differences = [f"missing {value}" for value in missing] + [f"doubled {value:.0f}" for value in doubled]
    found.line(not (missing or doubled or strange), how, differences + [f"never sent {value}" for value in strange])


def differing(a, b, show=str):
    """What only one of two multisets has, in order."""
    only = [(show(each), "only in A") for each in (a - b).elements()] + [(show(each), "only in B") for each in (b - a).elements()]
    return [f"{where}: {text}" for text, where in sorted(only)]


def check_others(found, a, b):
    doubled = sum(times - 1 for times in a.values())
    differences = differing(a, b)
    text = f"other readings: A {a.total()}, B {b.total()}; doubled in A {doubled}, different {len(differences)}"
    found.line(a.total() > 0 and not differences and not doubled, text, differences)


def shown(transition):
    """A transition in a line."""
    body = json.loads(transition)
    place = "/".join(part for part in body["place"].values() if part)
    norm = body["norm"] or {}
    words = [body["time"], body["event"], place, body["hazard"], body["severity"], f"{norm.get('act')}/{norm.get('id')}"]
    return " ".join(map(str, [*words, body["value"], body["unit"], "since", body["since"], "alarm", body["alarm"], body["text"]]))


def check_transitions(found, a, b):
    events = Counter()
    for transition, times in a.items():
        events[json.loads(transition)["event"]] += times
    hazards = {json.loads(transition)["hazard"] for transition in a}
    differences = differing(a, b, shown)
    listed = ", ".join(f"{times} {event}" for event, times in sorted(events.items()))
    text = f"transitions: A {a.total()} ({listed}; {len(hazards)} hazards), B {b.total()}; different {len(differences)}"
    found.line(events["raised"] > 0 and events["ended"] > 0 and not differences, text, differences)


def check_delivery(found, name, channel, messages, received):
    """Every message of the outbox has arrived, and nothing else has; an id always stands for the same words."""
    rows = {id: state for id, state, body in messages if body["channel"]["kind"] == channel}
    contents = defaultdict(set)
    for id, body in received:
        contents[id].add(body)
    undelivered = [f"{id} is {state}" for id, state in rows.items() if state != "delivered"]
    lost = [f"{id} never arrived" for id in rows if id not in contents]
    unknown = [f"{id} arrived and is not in the outbox" for id in contents if id not in rows]
    changed = [f"{id} came with different words" for id, bodies in contents.items() if len(bodies) > 1]
    text = f"{name}: {len(rows)} messages by {channel}; undelivered {len(undelivered)}, never arrived {len(lost)}, "
    text += f"not in the outbox {len(unknown)}, changed {len(changed)}; {len(received) - len(contents)} came again"
    faults = undelivered + lost + unknown + changed
    found.line(bool(rows) and not faults, text, faults)


def check_messages(found, messages):
    """The same is told by both, and by none of them under two ids."""
    told = {name: Counter(meaning(body) for _, _, body in rows) for name, rows in messages.items()}
    ids = defaultdict(set)
    for id, _, body in messages["A"]:
        # An alarm may become worse more than once; it begins and ends once.
        if body["event"] in ("raised", "ended"):
            ids[meaning(body)[:2] + meaning(body)[3:]].add(id)
    twice = [f"under {len(several)} ids: {what}" for what, several in ids.items() if len(several) > 1]
    differences = differing(told["A"], told["B"])
    text = f"told: A {told['A'].total()} messages, B {told['B'].total()}; different {len(differences)}, under two ids {len(twice)}"
    found.line(told["A"].total() > 0 and not differences and not twice, text, differences + twice)


def meaning(body):
    return (body["alarm"], body["event"], body["severity"], body["recipient"], body["channel"]["kind"])
