"""The kill test; started by Scripts/kill-test, which says what it is for.

Exit codes: 0 all is there; 1 something was lost, doubled or different; 3 something around fails.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import checks
from killer import Killer
from parts import Children, EnvironmentFailure, Simulator, start_broker, start_service
from plan import Plan
from sinks import TopicSink, WebSink
from stored import Stored

# Everything waited for has come long before, unless it is missing.
START_PATIENCE = 120
END_PATIENCE = 180


class Stopped(Exception):
    """Somebody wants an end."""


def say(text):
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)


def wait_until(condition, patience, what, children):
    """Returns whether it came true in time."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        children.check()
        if condition():
            return True
        time.sleep(0.2)
    say(f"waited {patience} s in vain: {what}")
    return False


def run(options, folder, children):
    plan = Plan(options.seed, options.readings, options.rate, options.without_time)
    bin = Path(options.root) / ".build/release"
    port = start_broker(folder, children)
    web, topics = WebSink(options.seed), TopicSink(folder, port, children)
    plan.write(folder, Path(options.root) / "Thresholds", web.port)
    try:
        killed = start_service("a", bin, folder, port, children)
        spared = start_service("b", bin, folder, port, children)
        for service in (killed, spared):
            if not wait_until(service.is_live, START_PATIENCE, f"service {service.name} is ready", children):
                raise EnvironmentFailure(f"service {service.name} does not start; see {service.log}")
        stored = [Stored(service.database) for service in (killed, spared)]
        simulator = Simulator(bin, folder, port, options.seed, children)
        say(f"{options.readings} numbers at {options.rate}/s, {options.kills} kills, seed {options.seed}")
        killed = Killer(options.seed, options.kills, plan.seconds, say).run(killed, simulator, children)
        simulator.finish(END_PATIENCE)
        say("all is sent; waiting until both services have read and told everything")
        simulator.send_last(plan.last_topic, plan.last_payload)
        settle(plan, stored, children)
        topics.finish()
        for service in (killed, spared):
            service.stop()
    finally:
        web.stop()
    sinks = {"webhook": web.received, "mqtt": topics.received()}
    return checks.report(plan, *stored, sinks)


def settle(plan, stored, children):
    """Waits for the end of both; what does not come is the checks' to name."""

    def is_idle():
        return all(each.has_number(plan.count) and each.waiting() == 0 for each in stored)

    if wait_until(is_idle, END_PATIENCE, "everything is stored and delivered", children):
        # What time alone brings comes to both, though not at one moment.
        wait_until(lambda: stored[0].transitions() == stored[1].transitions(), 20, "the same alarms", children)
        wait_until(is_idle, END_PATIENCE, "everything is stored and delivered", children)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    for name in ("--seed", "--readings", "--kills", "--rate"):
        parser.add_argument(name, type=int, required=True)
    parser.add_argument("--without-time", action="store_true")
    options = parser.parse_args()

    def stop(*_):
        raise Stopped

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    # The folder holds sockets, whose paths must be short.
    parent = tempfile.gettempdir() if len(tempfile.gettempdir()) < 60 else "/tmp"
    folder = Path(tempfile.mkdtemp(prefix="normwatch-kill.", dir=parent))
    children, code = Children(), 3
    try:
        code = 0 if run(options, folder, children) else 1
    except EnvironmentFailure as failure:
        say(str(failure))
        code = failure.code
    except Stopped:
        say("stopped")
        code = 130
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        children.end_all()
        if code in (0, 130):
            shutil.rmtree(folder, ignore_errors=True)
        else:
            say(f"everything of this run is in {folder}")
    sys.exit(code)


if __name__ == "__main__":
    main()
