"""What both sinks share: they talk to the test in JSON lines, and end when it does.

Standard output: {"ready": {"port": ...}} first, then one line for each thing received.
Standard input: one line replaces the behaviour; the end of it ends the sink, so that none outlives a test that was killed.
"""
import json
import os
import sys
import threading

_lock = threading.Lock()
behaviour = {}


def tell(**line):
    with _lock:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def obey():
    for line in sys.stdin:
        fresh = json.loads(line)
        behaviour.clear()
        behaviour.update(fresh)
        tell(obeyed=fresh)
    os._exit(0)


def run(server, **ready):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tell(ready=dict(ready, port=server.server_address[1]))
    obey()
