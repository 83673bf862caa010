"""The processes of a run. All are started from the main thread: they are told to end with the thread that started them."""

import json
import shutil
import socket
import subprocess
import time


class EnvironmentFailure(Exception):
    """The run cannot go on."""

    code = 3


class ServiceEnded(EnvironmentFailure):
    """A service that nobody had killed has ended: that is a fault of ours."""

    code = 1


class Child:
    """A process that does not get the terminal's Ctrl-C, and that ends with us."""

    # With code 0, by itself.
    may_end = False

    def __init__(self, name, words, log, **streams):
        self.name, self.log = name, log
        if shutil.which("setpriv"):
            words = ["setpriv", "--pdeathsig", "KILL", *words]
        with open(log, "ab") as file:
            streams.setdefault("stdout", subprocess.DEVNULL)
            self.process = subprocess.Popen(
                [str(word) for word in words], stdin=subprocess.DEVNULL, stderr=file, start_new_session=True, **streams
            )

    @property
    def runs(self):
        return self.process.poll() is None

    def end(self, patience=30):
        """Asks it to end, and makes it; returns its exit code."""
        if self.runs:
            self.process.terminate()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
        return self.process.wait()


class Children:
    """Everything that has been started, so that it is ended whatever happens."""

    def __init__(self):
        self.watched = []
        self.others = []

    def check(self):
        """None of them ends by itself, or only well."""
        for child in self.watched:
            if not child.runs and not (child.may_end and child.process.returncode == 0):
                failure = ServiceEnded if isinstance(child, Service) else EnvironmentFailure
                raise failure(f"{child.name} has ended by itself with code {child.process.returncode}; see {child.log}")

    def end_all(self):
        for child in reversed(self.watched + self.others):
            child.end(10)


def start_broker(folder, children):
    """A mosquitto that keeps everything for whoever is away. Returns its port."""
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") or shutil.which("mosquitto")
    if program is None:
        raise EnvironmentFailure("mosquitto is not installed")
    for _ in range(5):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        settings = folder / "mosquitto.conf"
        settings.write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
            "max_inflight_messages 0\nmax_queued_messages 0\n"
        )
        broker = Child("the broker", [program, "-c", settings], folder / "mosquitto.log")
        children.others.append(broker)
        deadline = time.monotonic() + 10
        while broker.runs and time.monotonic() < deadline:
            with socket.socket() as probe:
                # Somebody else's program may answer there: then ours has ended, or will at once.
                if probe.connect_ex(("127.0.0.1", port)) == 0 and not time.sleep(0.2) and broker.runs:
                    children.watched.append(broker)
                    return port
            time.sleep(0.05)
        broker.end()
    raise EnvironmentFailure(f"the broker does not start; see {folder / 'mosquitto.log'}")


class Service(Child):
    """One life of a service; `again` begins the next one on the same data."""

    def __init__(self, name, words, folder):
        self.words, self.folder = words, folder
        log = folder / f"{name}.log"
        self.heard_from = log.stat().st_size if log.exists() else 0
        super().__init__(name, words, log)

    @property
    def database(self):
        return self.folder / self.name / "normwatch.db"

    def again(self):
        return Service(self.name, self.words, self.folder)

    def has_said(self, message):
        """Whether this is in the log of this life."""
        with open(self.log, "rb") as file:
            file.seek(self.heard_from)
            return message in file.read()

    def is_started(self):
        return self.has_said(b'"service started"')

    def is_live(self):
        return self.has_said(b'"backlog read, judging live"')

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """An orderly end, which must go well too."""
        code = self.end(60)
        if code != 0:
            raise ServiceEnded(f"service {self.name} ended with code {code} when it was asked to stop; see {self.log}")


def start_service(name, bin, folder, port, children):
    words = [bin / "normwatch", "run", "--data", folder / name, "--broker", f"mqtt://127.0.0.1:{port}"]
    words += ["--norms", folder / "norms", "--site", folder / f"site-{name}.json", "--config", folder / "config.json"]
    service = Service(name, [*words, "--json"], folder)
    children.watched.append(service)
    return service


class Simulator(Child):
    may_end = True

    def __init__(self, bin, folder, port, seed, children):
        self.port = port
        words = [bin / "normwatch-simulator", folder / "scenario.json", "--broker", f"mqtt://127.0.0.1:{port}"]
        super().__init__("the simulator", [*words, "--seed", seed], folder / "simulator.log")
        children.watched.append(self)

    def finish(self, patience):
        """It ends once the broker has confirmed all messages."""
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise EnvironmentFailure(f"the simulator does not come to its end; see {self.log}") from None
        if code != 0:
            raise EnvironmentFailure(f"the simulator has failed with code {code}; see {self.log}")

    def send_last(self, topic, payload):
        """Behind everything else in the broker's queues."""
        words = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-t", topic, "-m", json.dumps(payload)]
        if subprocess.run(words, timeout=30).returncode != 0:
            raise EnvironmentFailure("the last message cannot be sent with mosquitto_pub")
