"""Sends requests over kept connections and says which had no answer. Reads one JSON document from stdin, see wire-clients.ts."""
import http.client
import json
import ssl
import sys
import threading

try:
    import urllib3
except ImportError:
    urllib3 = None

HEADERS = {"authorization": "Bearer of-a-user", "content-type": "application/octet-stream"}


def chunks(length):
    for at in range(0, length, 10_000):
        yield b"b" * min(10_000, length - at)


def path_of(case):
    return f"/?answer={case['answer']}" + ("&chunked=1" if case["chunkedAnswer"] else "")


class HttpClient:
    def __init__(self, plan):
        context = ssl.create_default_context(cadata=plan["ca"]) if plan["ca"] else None
        self.make = lambda: (
            http.client.HTTPSConnection("127.0.0.1", plan["port"], context=context, timeout=60)
            if context
            else http.client.HTTPConnection("127.0.0.1", plan["port"], timeout=60)
        )
        self.connection = self.make()

    def send(self, case):
        headers = dict(HEADERS)
        if case["close"]:
            headers["connection"] = "close"
        body = chunks(case["body"]) if case["chunkedBody"] else b"b" * case["body"]
        try:
            self.connection.request("POST", path_of(case), body, headers, encode_chunked=case["chunkedBody"])
            answer = self.connection.getresponse()
            return answer.status, answer.headers.get("body-length"), len(answer.read())
        except Exception:
            self.connection.close()
            self.connection = self.make()
            raise


class Urllib3:
    def __init__(self, plan):
        scheme = "https" if plan["ca"] else "http"
        context = ssl.create_default_context(cadata=plan["ca"]) if plan["ca"] else None
        more = {"ssl_context": context} if context else {}
        self.base = f"{scheme}://127.0.0.1:{plan['port']}"
        self.pool = urllib3.PoolManager(num_pools=1, maxsize=1, retries=False, timeout=60, **more)

    def send(self, case):
        headers = dict(HEADERS)
        if case["close"]:
            headers["connection"] = "close"
        body = chunks(case["body"]) if case["chunkedBody"] else b"b" * case["body"]
        answer = self.pool.request("POST", self.base + path_of(case), body=body, headers=headers)
        return answer.status, answer.headers.get("body-length"), len(answer.data)


def run(plan, cases, lost):
    client = {"http.client": HttpClient, "urllib3": Urllib3}[plan["client"]](plan)
    for case in cases:
        try:
            found = client.send(case)
            if found != (200, str(case["body"]), case["answer"]):
                lost.append([case, str(found)])
        except Exception as error:
            lost.append([case, repr(error)])


def main():
    plan = json.load(sys.stdin)
    if plan["client"] == "urllib3" and urllib3 is None:
        print(json.dumps({"missing": True}))
        return
    lost = []
    lanes = [plan["cases"][lane :: plan["connections"]] for lane in range(plan["connections"])]
    threads = [threading.Thread(target=run, args=(plan, lane, lost)) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"lost": [[case, error] for case, error in lost[:20]], "lostCount": len(lost)}))


main()
