#!/usr/bin/env python3
"""A small server that speaks S3, for tests: objects in memory, one bucket for each first part of a path.

    s3_server.py [--region REGION] [--page KEYS]

It listens on a port of 127.0.0.1 that the system chooses, and writes the port as its first line. Every request has to be
signed (AWS Signature Version 4: docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html) with the key
test/secret, or temporary/other with the token token; the signature is computed here anew, by hashlib and hmac alone.

It ends when its standard input does. Faults are ordered by unsigned requests to /-/: GET /-/fail?kind=KIND&count=N[&operation=PUT]
breaks the next N requests (of that method): 503, 500, 403, close (no answer), cut (half of an answer), hang, corrupt (another
byte), missing; none: no more of them. GET /-/log has a line for each request: METHOD PATH STATUS. GET /-/spoil?path=PATH changes an object.
"""
import argparse
import calendar
import hashlib
import hmac
import re
import socket
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEYS = {"test": ("secret", None), "temporary": ("other/+=", "token")}
lock = threading.Lock()
objects = {}  # path: (bytes, time)
faults = []  # (kind, method or None)
log = []
options = None


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def quoted(text, safe):
    return urllib.parse.quote(text, safe=safe + "-._~")


def wrong_signature(handler):
    """The error code of a request that is not signed as it must be; None: it is."""
    said = handler.headers.get("Authorization", "")
    match = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, *"
        r"SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})", said)
    if not match:
        return "AccessDenied"
    identity, day, region, names, signature = match.groups()
    if identity not in KEYS:
        return "InvalidAccessKeyId"
    secret, token = KEYS[identity]
    if handler.headers.get("x-amz-security-token") != token:
        return "InvalidToken"
    if region != options.region:
        return "AuthorizationHeaderMalformed"
    at = handler.headers.get("x-amz-date", "")
    skew = abs(time.time() - calendar.timegm(time.strptime(at, "%Y%m%dT%H%M%SZ")))
    if not at.startswith(day) or skew > 900:
        return "RequestTimeTooSkewed"
    names = names.split(";")
    needed = {"host", "x-amz-date", "x-amz-content-sha256"} | {
        name.lower() for name in handler.headers if name.lower().startswith("x-amz-")}
    if not needed <= set(names) or names != sorted(names):
        return "AccessDenied"
    parts = urllib.parse.urlsplit(handler.path)
    pairs = [pair.partition("=") for pair in parts.query.split("&")] if parts.query else []
    pairs = sorted((quoted(urllib.parse.unquote(k), ""), quoted(urllib.parse.unquote(v), ""))
                   for k, _, v in pairs)
    canonical = "\n".join([
        handler.command, quoted(urllib.parse.unquote(parts.path), "/"),
        "&".join(k + "=" + v for k, v in pairs),
        "".join(name + ":" + " ".join(handler.headers[name].split()) + "\n" for name in names),
        ";".join(names), handler.headers["x-amz-content-sha256"]])
    text = "\n".join(["AWS4-HMAC-SHA256", at, f"{day}/{region}/s3/aws4_request",
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (day, region, "s3", "aws4_request"):
        key = sign(key, part)
    good = hmac.compare_digest(sign(key, text).hex(), signature)
    return None if good else "SignatureDoesNotMatch"


def listed(bucket, query):
    values = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
    if values.get("list-type") != "2":
        return None
    prefix = f"/{bucket}/{values.get('prefix', '')}"
    with lock:
        keys = sorted(path for path in objects if path.startswith(prefix))
    # The token has letters that have to be escaped, in XML and in an address.
    after = values.get("continuation-token", "")[3:]
    keys = [key for key in keys if key > after]
    page, rest = keys[:options.page], keys[options.page:]
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
    text += f"<Name>{bucket}</Name><IsTruncated>{'true' if rest else 'false'}</IsTruncated>"
    for key in page:
        data, at = objects[key]
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + ".%03dZ" % (at % 1 * 1000)
        name = key[len(bucket) + 2:].replace("&", "&amp;")
        text += (f"<Contents><Key>{name}</Key><LastModified>{stamp}</LastModified>"
                 f"<ETag>&quot;x&quot;</ETag><Size>{len(data)}</Size></Contents>")
    if rest:
        text += f"<NextContinuationToken>&amp;/ {page[-1]}</NextContinuationToken>"
    return (text + "</ListBucketResult>").encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        with lock:
            log.append(f"{self.command} {self.path} {status}")
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        text = f"<Error><Code>{code}</Code><Message>No.</Message></Error>"
        self.answer(status, text.encode(), Content_Type="application/xml")

    def take_fault(self):
        with lock:
            for i, (kind, method) in enumerate(faults):
                if method in (None, self.command):
                    del faults[i]
                    return kind
        return None

    def order(self):
        parts = urllib.parse.urlsplit(self.path)
        values = dict(urllib.parse.parse_qsl(parts.query))
        said = b""
        with lock:
            if parts.path == "/-/fail":
                if values["kind"] == "none":
                    faults.clear()
                faults.extend([(values["kind"], values.get("operation"))] * int(values["count"]))
            elif parts.path == "/-/spoil":
                data, at = objects[values["path"]]
                objects[values["path"]] = (b"?" + data[1:], at)
            elif parts.path == "/-/log":
                said = "\n".join(log).encode()
                log.clear()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def broken(self, kind):
        """Whether a fault was the answer."""
        if kind in ("close", "hang"):
            with lock:
                log.append(f"{self.command} {self.path} {kind}")
            if kind == "hang":
                time.sleep(5)
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return True
        if kind == "503":
            self.refuse(503, "SlowDown")
        elif kind == "500":
            self.refuse(500, "InternalError")
        elif kind == "403":
            self.refuse(403, "AccessDenied")
        elif kind == "missing":
            self.refuse(404, "NoSuchKey")
        else:
            return False
        return True

    def do_PUT(self):
        if self.path.startswith("/-/"):
            return self.order()
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        kind = self.take_fault()
        code = wrong_signature(self)
        if kind and self.broken(kind):
            return None
        if code:
            return self.refuse(400 if code == "AuthorizationHeaderMalformed" else 403, code)
        path = urllib.parse.urlsplit(self.path).path
        bucket = path.split("/")[1]
        source = self.headers.get("x-amz-copy-source")
        if bucket != "bucket" and not path.startswith("/other/"):
            return self.refuse(404, "NoSuchBucket")
        if source is None and hashlib.sha256(body).hexdigest() != self.headers["x-amz-content-sha256"]:
            return self.refuse(400, "XAmzContentSHA256Mismatch")
        if self.command == "GET":
            return self.do_read(path, bucket, kind)
        if self.command == "DELETE":
            with lock:
                objects.pop(path, None)
            return self.answer(204)
        with lock:
            if source is not None and source not in objects:
                missing = True
            else:
                missing = False
                objects[path] = (body if source is None else objects[source][0], time.time())
        if missing:
            return self.refuse(404, "NoSuchKey")
        return self.answer(200, b"<CopyObjectResult/>" if source else b"", ETag='"x"')

    def do_read(self, path, bucket, kind):
        parts = urllib.parse.urlsplit(self.path)
        if path.rstrip("/") == "/" + bucket:
            text = listed(bucket, parts.query)
            return self.answer(200, text) if text is not None else self.refuse(400, "InvalidArgument")
        with lock:
            found = objects.get(path)
        if found is None:
            return self.refuse(404, "NoSuchKey")
        data = found[0]
        if kind == "corrupt":
            data = b"?" + data[1:]
        if kind == "cut":
            self.answer(200, data[:len(data) // 2], Content_Length=str(len(data)))
            self.close_connection = True
            return None
        return self.answer(200, data)

    def do_HEAD(self):
        kind = self.take_fault()
        if kind and self.broken(kind):
            return None
        if wrong_signature(self):
            return self.refuse(403, "AccessDenied")
        with lock:
            found = objects.get(urllib.parse.urlsplit(self.path).path)
        return self.answer(404) if found is None else self.answer(200, found[0])

    def do_GET(self):
        return self.do_PUT()

    def do_DELETE(self):
        return self.do_PUT()


def main():
    global options
    parser = argparse.ArgumentParser()
    parser.add_argument("--region", default="us-east-1")
    parser.add_argument("--page", type=int, default=1000)
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # clients go as they like
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


main()
