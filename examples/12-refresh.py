"""The whole refresh procedure in Python, without packages: one refresh at a time, and the same token again after a lost answer.
Run it against your service:  FOYER_APP_KEY=pk_… python3 examples/12-refresh.py"""
import http.client, json, os, threading, time, urllib.error, urllib.request

base = os.environ.get("FOYER_BASE_URL", "http://localhost:3000/api/v2")

# No answer, or one that was cut off.
lost = (OSError, http.client.HTTPException, ValueError)


class Refused(Exception):
    status = property(lambda self: self.args[0])
    code = property(lambda self: self.args[1])


def send(method, path, body=None, token=None):
    headers = {"X-App-Key": os.environ["FOYER_APP_KEY"], "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(base + path, data, headers, method=method), timeout=10) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as failure:
        raise Refused(failure.code, code_of(failure)) from None


def code_of(failure):
    try:
        return json.load(failure)["error"]["code"]
    except (*lost, KeyError, TypeError):
        return ""  # The page of a proxy, such as 502.


class Session:
    def __init__(self, tokens):  # In an app: in private storage that survives restarts.
        self.tokens, self.lock = tokens, threading.Lock()

    def call(self, method, path, body=None):
        used = self.tokens["access_token"]
        try:
            return send(method, path, body, used)
        except Refused as refused:
            if refused.code != "auth/token-expired":
                raise
        self.refresh(used)
        return send(method, path, body, self.tokens["access_token"])

    def refresh(self, used):
        with self.lock:  # One refresh at a time; who waited finds the new token.
            if self.tokens["access_token"] != used:
                return
            for pause in (0, 1, 2, 4, 8):
                time.sleep(pause)
                try:  # A lost answer, a proxy's own, 429 and 5xx: the same refresh token again, for which the answer is repeated.
                    self.tokens = send("POST", "/auth/token/refresh", {"refresh_token": self.tokens["refresh_token"]})
                    return
                except Refused as refused:
                    if refused.code and refused.status != 429 and refused.status < 500:
                        raise  # The session has ended: only a new sign-in helps.
                except lost:
                    pass
            raise OSError("no answer: try again later, the session is kept")


ada = {"email": f"ada-{time.time_ns()}@example.com", "password": "correct horse battery staple"}
session = Session(send("POST", "/auth/sign-up", ada))
used, before = session.tokens["access_token"], session.tokens["refresh_token"]
waiting = [threading.Thread(target=session.refresh, args=(used,)) for _ in range(5)]
[thread.start() for thread in waiting], [thread.join() for thread in waiting]
print("refreshed:", session.tokens["refresh_token"] != before, session.call("GET", "/me")["email"])
