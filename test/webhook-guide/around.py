# Put after the guide's function: a server that believes what the function believes.
import json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if is_from_parley(body, self.headers, os.environ["PARLEY_WEBHOOK_SECRET"]):
            store(self.headers["webhook-id"], json.loads(body))
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()

HTTPServer(("127.0.0.1", 3000), Receiver).serve_forever()
