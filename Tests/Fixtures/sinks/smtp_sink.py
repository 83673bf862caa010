"""A mail server. Behaviour: {"<command>": "<reply>"}, with the commands in capitals, "greeting" and "." (the end of a mail).

A reply "hang" says nothing. {"login": ["user", "password"]} asks for AUTH, {"starttls": true} offers STARTTLS and asks for it
before AUTH and MAIL. Argument: a folder for the certificate, which makes TLS possible; "implicit" after it, from the first byte.
"""
import base64
import email
import email.policy
import socketserver
import ssl
import subprocess
import sys
import time

import sink

tls = None
ready = {}
if len(sys.argv) > 1:
    ready["certificate"] = sys.argv[1] + "/certificate.pem"
    key = sys.argv[1] + "/key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", key, "-out", ready["certificate"]], check=True, stderr=subprocess.DEVNULL)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(ready["certificate"], key)
implicit = "implicit" in sys.argv


class Conversation(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            self.talk()
        except (OSError, EOFError):
            pass

    def open(self, encrypted):
        if encrypted:
            self.request = tls.wrap_socket(self.request, server_side=True)
        self.encrypted = encrypted
        self.lines = self.request.makefile("rb")

    def line(self):
        line = self.lines.readline()
        if not line:
            raise EOFError
        return line

    def say(self, what, usual):
        reply = sink.behaviour.get(what, usual)
        if reply == "hang":
            sink.tell(hanging=what)
            time.sleep(3600)
        self.request.sendall(reply.encode() + b"\r\n")
        return reply[0] in "23"

    def talk(self):
        self.open(implicit)
        sender, recipients, user = None, [], None
        if not self.say("greeting", "220 sink"):
            return
        while True:
            line = self.line().decode().rstrip("\r\n")
            command = line.split(" ")[0].split(":")[0].upper()
            sink.tell(command=line)
            needs_tls = sink.behaviour.get("starttls") and not self.encrypted
            if command == "EHLO":
                lines = ["sink", "8BITMIME"]
                if needs_tls:
                    lines.append("STARTTLS")
                elif "login" in sink.behaviour:
                    lines.append("AUTH PLAIN")
                self.request.sendall(b"".join(b"250-" + x.encode() + b"\r\n" for x in lines) + b"250 HELP\r\n")
            elif command == "STARTTLS" and needs_tls:
                self.say(command, "220 go on")
                self.open(True)
            elif command in ("AUTH", "MAIL") and needs_tls:
                self.say(command, "530 5.7.0 Must issue a STARTTLS command first")
            elif command == "AUTH":
                words = line.split(" ")
                if len(words) < 3:
                    self.request.sendall(b"334 \r\n")
                    words.append(self.line().decode().strip())
                given = base64.b64decode(words[2]).decode().split("\0")[1:]
                if given == sink.behaviour["login"]:
                    user = given[0]
                    self.say(command, "235 welcome")
                else:
                    self.say(command, "535 5.7.8 Error: authentication failed")
            elif command == "MAIL":
                if "login" in sink.behaviour and not user:
                    self.say(command, "530 5.7.0 Authentication required")
                elif self.say(command, "250 ok"):
                    sender, recipients = line[10:], []
            elif command == "RCPT":
                if self.say(command, "250 ok"):
                    recipients.append(line[8:])
            elif command == "DATA":
                if self.say(command, "354 go ahead"):
                    self.take(sender, recipients, user)
            elif command == "QUIT":
                self.say(command, "221 bye")
                return
            else:
                self.say(command, "250 ok")

    def take(self, sender, recipients, user):
        raw = b""
        while (line := self.line()) != b".\r\n":
            raw += line[1:] if line.startswith(b".") else line
        message = email.message_from_bytes(raw, policy=email.policy.default)
        longest = max(len(line) for line in raw.split(b"\r\n"))
        lone = raw.replace(b"\r\n", b"").count(b"\n") + raw.replace(b"\r\n", b"").count(b"\r")
        sink.tell(
            mail=message["Message-ID"], sender=sender, recipients=recipients, user=user, encrypted=self.encrypted,
            headers={k.lower(): str(v) for k, v in message.items()}, body=message.get_content().replace("\r\n", "\n"),
            defects=[str(d) for d in message.defects], ascii=raw.isascii(), longest=longest, lone=lone,
            date=message["Date"].datetime.isoformat())
        self.say(".", "250 2.0.0 taken")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64


sink.run(Server(("127.0.0.1", 0), Conversation), **ready)
