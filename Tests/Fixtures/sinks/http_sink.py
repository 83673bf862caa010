"""A webhook's receiver. Behaviour: {"/path": {"status": 429, "headers": {...}, "hang": true, "reset": true, "endless": true}}.

Argument: the secret of the signatures, which are computed here anew.
"""
import hashlib
import hmac
import socket
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import sink

secret = sys.argv[1].encode() if len(sys.argv) > 1 else b""


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = self.headers.get("Normwatch-Timestamp", "").encode() + b"." + body
        expected = "v1=" + hmac.new(secret, signed, hashlib.sha256).hexdigest()
        sink.tell(
            post=self.path, headers={k.lower(): v for k, v in self.headers.items()}, body=body.decode(),
            genuine=self.headers.get("Normwatch-Signature") == expected)
        answer = sink.behaviour.get(self.path, {})
        if answer.get("hang"):
            time.sleep(3600)
        if answer.get("reset"):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        self.send_response(answer.get("status", 200))
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, value)
        if answer.get("endless"):
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 4096)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"ok\n")

    def do_GET(self):
        sink.tell(get=self.path)
        self.send_error(404)

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, ValueError):
            pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


sink.run(Server(("127.0.0.1", 0), Receiver))
