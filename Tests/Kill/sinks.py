"""Where messages to people arrive: an HTTP server for webhooks, and a subscriber for those over MQTT."""

import json
import random
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from parts import Child, EnvironmentFailure


class WebSink:
    """Takes webhooks, and now and then refuses one so that it has to come again. Service a posts to /a, service b to /b."""

    def __init__(self, seed):
        self.lock = threading.Lock()
        self.random = random.Random(f"{seed} refusals")
        # By service: id and content of everything that was taken.
        self.received = {"a": [], "b": []}
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(sink.take(self.path.strip("/"), self.headers.get("Normwatch-Id"), body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

            def handle(self):
                try:
                    super().handle()
                except ConnectionError:
                    pass  # killed in the middle

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, service, id, body):
        with self.lock:
            if self.random.random() < 0.05:
                return 503
            self.received[service].append((id, body.decode()))
            return 204

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class TopicSink:
    """Hears people/a and people/b."""

    def __init__(self, folder, port, children):
        self.port = port
        self.file = folder / "people.log"
        words = ["mosquitto_sub", "-h", "127.0.0.1", "-p", port, "-V", "5", "-q", "1", "-t", "people/#", "-F", "%t %p"]
        with open(self.file, "wb") as file:
            self.child = Child("mosquitto_sub", words, folder / "mosquitto_sub.log", stdout=file)
        children.others.append(self.child)
        self.pass_mark("begin")

    def pass_mark(self, mark):
        """Waits until a message of ours has come back: it is subscribed, and has heard what was there before."""
        deadline = time.monotonic() + 60
        while f"people/{mark} " not in self.file.read_text():
            if time.monotonic() > deadline or not self.child.runs:
                raise EnvironmentFailure("mosquitto_sub hears nothing")
            words = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-t", f"people/{mark}", "-m", "-"]
            subprocess.run(words, timeout=30)
            time.sleep(0.3)

    def finish(self):
        self.pass_mark("end")
        self.child.end()

    def received(self):
        """By service: id and content."""
        found = {"a": [], "b": []}
        for line in self.file.read_text().splitlines():
            topic, body = line.split(" ", 1)
            name = topic.removeprefix("people/")
            if name in found:
                found[name].append((json.loads(body)["id"], body))
        return found
