#!/bin/bash
# voussoir view as clients meet it: pages, ranges, a growing file, the standalone page; and what must not work:
# other paths, other hosts, no token, huge heads, silent and slow clients, a thousand at once.
# usage: tests/system/test_view.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
mkdir -p "$work/viewer/assets" "$work/viewer/.hidden"
echo '<p>viewer</p>' >"$work/viewer/index.html"
echo 'let x = 1;' >"$work/viewer/assets/a.js"
echo 'no' >"$work/viewer/.hidden/key"
ln -s /etc/passwd "$work/viewer/assets/link.js"
printf '<html><!--TRAJECTORY--><p>end</p></html>' >"$work/viewer/standalone.html"
head -c 300000 /dev/urandom >"$work/run.h5"

# ---- usage ---------------------------------------------------------------------------------------------------------

# run ARGUMENTS…: view
run() {
    "$command" view "$@" >"$work/out" 2>"$work/err"
    code=$?
}
expect 1 'give one trajectory'
expect 2 'nothing.h5: cannot read the file' nothing.h5
expect 2 'viewer not found in .*npm' "$work/run.h5" --viewer "$work/none"
expect 1 'port' "$work/run.h5" --port 70000

# A scene is shown as it begins; other files of ours say what they are.
cd "$work" || exit 1
"$command" new wall >/dev/null && "$command" view wall.json --viewer viewer --standalone wall.html >/dev/null || bad "no page of a scene"
grep -q 'data-name="wall.json.h5">iUhERg0KGgo' wall.html && ok || bad "the page of a scene does not hold a trajectory"
"$command" run arch --duration 0.05 --checkpoint a.ck --capture "every 12 steps" --quiet >/dev/null || bad "no run"
"$command" sweep arch --grid mu=0.5,0.6 --duration 0.01 -o study >/dev/null 2>&1 || bad "no sweep"
expect 2 'a.ck: is a checkpoint, not a trajectory; continue it' a.ck --viewer viewer
expect 2 'arch-000012.hdf5: is a contact problem, not a trajectory' arch-000012.hdf5 --viewer viewer
expect 2 'runs.h5: is the table of a sweep, not a trajectory' study/runs.h5 --viewer viewer
echo '{"voussoir": 1, "bodis": []}' >wrong.json
expect 2 'wrong.json:1: .*bodis' wrong.json --viewer viewer
"$command" info wall.json a.ck arch-000012.hdf5 study study/runs.h5 arch >info.txt || bad "info does not know a file"
[[ $(grep -cE '^  (scene  |checkpoint  |contacts  |table  .*2 runs; .* columns: run, sample, mu)' info.txt) -eq 6 ]] && ok ||
    bad "info does not say what the files are: $(cat info.txt)"
"$command" info wall.json study --json | "$python" -c '
import json, sys
scene, table = [json.loads(line) for line in sys.stdin]
sys.exit(scene["scene"]["bodies"] != 5 or table["table"]["rows"] != 2 or "mu" not in table["table"]["columns"])' && ok ||
    bad "info --json of a scene and a table"

# ---- one page --------------------------------------------------------------------------------------------------------

cp "$work/run.h5" "$work/a \"b\" & <c>.h5"
"$command" view "$work/a \"b\" & <c>.h5" --viewer "$work/viewer" --standalone "$work/page.html" >/dev/null || bad "no page"
"$python" - "$work/page.html" "$work/run.h5" <<'END' && ok || bad "the page does not hold the trajectory"
import base64, html, re, sys
page = open(sys.argv[1]).read()
found = re.fullmatch(r'<html><script type="text/plain" id="trajectory" data-name="([^"]*)">(.*?)</script><p>end</p></html>', page)
name, inside = found.groups()
sys.exit(html.unescape(name) != 'a "b" & <c>.h5' or base64.b64decode(inside) != open(sys.argv[2], "rb").read())
END
mkdir "$work/old"
cp "$work/viewer/index.html" "$work/old"
expect 2 'standalone.html: not a page that can hold a trajectory; rebuild the viewer' "$work/run.h5" --viewer "$work/old" \
    --standalone "$work/p.html"
# The command finds the viewer built beside it, or reports the remedy.
if env -u VOUSSOIR_VIEWER "$command" view "$work/run.h5" --standalone "$work/real.html" >/dev/null 2>"$work/err"; then
    grep -q 'id="trajectory" data-name="run.h5"' "$work/real.html" && ok || bad "the built viewer's page holds no trajectory"
else
    grep -q 'npm ci && npm run build' "$work/err" && ok || bad "no viewer, and no word what to do: $(cat "$work/err")"
fi

# ---- the server --------------------------------------------------------------------------------------------------------

"$command" view "$work/run.h5" --viewer "$work/viewer" --no-open >"$work/out" 2>"$work/err" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    grep -q 'Ctrl-C' "$work/out" && break
    sleep 0.1
done
port=$(sed -n 's|.*http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$work/out")
token=$(sed -n 's|.*http://127.0.0.1:[0-9]*/\(.*\)/?file=trajectory.h5|\1|p' "$work/out")
[[ -n $port ]] && ok || bad "no address was said: $(cat "$work/out" "$work/err")"
[[ $token =~ ^[0-9a-f]{32}$ ]] && ok || bad "the address holds no token of 128 bits: $(cat "$work/out")"
expect 2 "cannot open port $port of 127.0.0.1" "$work/run.h5" --viewer "$work/viewer" --port "${port:-1}"

"$python" - "${port:-0}" "$work/run.h5" "$server" "$token" <<'END' && ok || bad "the server failed"
import concurrent.futures, http.client, re, socket, sys, time

port, path, server, token = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
base = "/" + token if token else ""
host = f"Host: 127.0.0.1:{port}\r\n".encode()
data = open(path, "rb").read()
failures = 0


def check(name, good):
    global failures
    if not good:
        failures += 1
        print("FAILED:", name, file=sys.stderr)


def ask(name, headers=None, method="GET", below=base, patience=20):
    url = below + name
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    c.putrequest(method, url, skip_host="Host" in (headers or {}))
    for name, value in (headers or {}).items():
        c.putheader(name, value)
    c.endheaders()
    r = c.getresponse()
    return r.status, r.read(), dict(r.getheaders())


def raw(text, patience=5):
    s = socket.create_connection(("127.0.0.1", port), timeout=patience)
    try:
        s.sendall(text)
        out = b""
        while piece := s.recv(65536):
            out += piece
        return out
    except OSError:
        return b"gone"
    finally:
        s.close()


status, body, head = ask("/")
check("the page", status == 200 and body == b"<p>viewer</p>\n" and head["Content-Type"].startswith("text/html"))
status, body, head = ask("/assets/a.js?version=3")
check("a script", status == 200 and "javascript" in head["Content-Type"])
status, body, head = ask("/trajectory.h5")
check("the trajectory", status == 200 and body == data and head["Cache-Control"] == "no-store")
for text, first, last in (("0-0", 0, 1), ("100-199", 100, 200), ("299990-", 299990, 300000), ("-7", 299993, 300000),
                          ("5-99999999999999999999", 5, 300000)):
    status, body, head = ask("/trajectory.h5", {"Range": "bytes=" + text})
    check("range " + text, status == 206 and body == data[first:last]
          and head["Content-Range"] == f"bytes {first}-{last - 1}/300000")
for text in ("300000-", "7-3", "99999999999999999999-"):
    check("no such range " + text, ask("/trajectory.h5", {"Range": "bytes=" + text})[0] == 416)
check("several ranges: the whole", ask("/trajectory.h5", {"Range": "bytes=0-1,5-6"})[0] == 200)
status, body, head = ask("/trajectory.h5", method="HEAD")
check("head only", status == 200 and body == b"" and head["Content-Length"] == "300000")

# a file that grows
open(path, "ab").write(b"more")
check("growth is seen", ask("/trajectory.h5", {"Range": "bytes=300000-"})[1] == b"more")

# nothing else
for url in ("/../run.h5", "/..%2f..%2fetc/passwd", "//etc/passwd", "/assets/../../run.h5", "/.hidden/key", "/assets/link.js",
            "/assets", "/run.h5", "/%00", "/assets//a.js"):
    status, body, _ = ask(url)
    check("refused " + url, status == 404 and b"root:" not in body)
check("other hosts", ask("/", {"Host": "example.org"})[0] == 403)
check("another port", ask("/", {"Host": f"127.0.0.1:{port + 1}"})[0] == 403 and ask("/", {"Host": "127.0.0.1"})[0] == 403)
check("localhost", ask("/", {"Host": f"localhost:{port}"})[0] == 200)

# without the token nothing at all, not even whether a file exists
wrong = "".join("0" if x != "0" else "1" for x in token)
last_wrong = base[:-1] + ("0" if token[-1:] != "0" else "1")
for below in ("", "/", "/" + wrong, base[:-1], last_wrong, "/" + token.upper() + "g"):
    for name in ("/", "/index.html", "/trajectory.h5", "/nothing"):
        status, body, _ = ask(name, below=below)
        check(f"no token: {below}{name}", status == 403 and data[:100] not in body)
status, body, head = ask("/")
for name, value in (("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                    ("Cross-Origin-Resource-Policy", "same-origin")):
    check(name, head.get(name) == value and ask("/nothing")[2].get(name) == value)
check("policy", all(x in head.get("Content-Security-Policy", "")
                    for x in ("default-src 'none'", "frame-ancestors 'none'", "connect-src 'self'")))
check("other methods", ask("/", method="POST")[0] == 405 and ask("/", method="DELETE")[0] == 405)
check("no request", raw(b"hello\r\n\r\n").startswith(b"HTTP/1.1 400"))
check("zero bytes", raw(b"GET / HTTP/1.1\r\nHost: \0\r\n\r\n").startswith(b"HTTP/1.1 400"))
check("a huge head", raw(b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 100000).startswith(b"HTTP/1.1 431"))
check("a huge path", raw(b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 4"))

# several requests at once: each is answered, in order, with its own headers
def get(name, more=b""):
    return f"GET {base}{name} HTTP/1.1\r\n".encode() + host + more + b"\r\n"


def bodies(answers):
    found = []
    while b"Content-Length" in answers:
        head, _, rest = answers.partition(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", head)[1])
        found.append((int(head[9:12]), rest[:length]))
        answers = rest[length:]
    return found


last = b"Connection: close\r\n"
four = get("/assets/a.js") + get("/trajectory.h5", b"Range: bytes=0-99\r\n") + get("/nothing") + get("/", last)
wanted = [(200, b"let x = 1;\n"), (206, data[:100]), (404, b"404 Not Found\n"), (200, b"<p>viewer</p>\n")]
check("four requests at once", bodies(raw(four)) == wanted)
s = socket.create_connection(("127.0.0.1", port), timeout=5)
answers = b""
try:
    for k in range(0, len(four), 7):
        s.sendall(four[k:k + 7])
    while piece := s.recv(65536):
        answers += piece
except OSError:
    pass
s.close()
check("four requests in pieces", bodies(answers) == wanted)
check("many at once", [x for x, _ in bodies(raw(500 * get("/") + get("/", last)))] == 501 * [200])
check("what follows the last is not answered", len(bodies(raw(get("/", last) + 1000 * get("/")))) == 1)
check("a body is no request", len(bodies(raw(get("/", b"Content-Length: 300\r\n") + get("/")))) == 1)
missing = f"HEAD {base}/nothing HTTP/1.1\r\n".encode() + host + b"\r\n"
check("no body after HEAD", raw(missing + get("/", last)).count(b"404") == 1)

# silent clients occupy slots and release them; meanwhile a thousand requests, 200 at a time
silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
for s in silent[:20]:
    s.sendall(b"GET / HT")
with concurrent.futures.ThreadPoolExecutor(200) as pool:
    done = list(pool.map(lambda k: ask("/trajectory.h5", {"Range": f"bytes={k}-{k + 999}"}), range(1000)))
check("a thousand requests", all(r[0] == 206 and r[1] == data[k:k + 1000] for k, r in enumerate(done)))
slow = socket.create_connection(("127.0.0.1", port))
slow.sendall(get("/trajectory.h5"))
slow.recv(10)
check("beside a slow reader", ask("/")[0] == 200)
for s in silent + [slow]:
    s.close()

# Clients that send a byte now and then take all slots: others get in nevertheless, and a request that is not complete
# after 5 s ends.
dripping = [socket.create_connection(("127.0.0.1", port)) for _ in range(64)]
start, got_in, ended = time.monotonic(), 0, None
dripping[-1].settimeout(0.5)
while ended is None and time.monotonic() - start < 12:
    try:
        for s in dripping[:-1]:
            s.send(b"G", socket.MSG_NOSIGNAL)
    except OSError:
        pass
    try:
        if time.monotonic() - start < 1:
            got_in += ask("/", patience=2)[0] == 200
    except OSError:
        pass
    try:
        dripping[-1].send(b"G")
        if dripping[-1].recv(1) == b"":
            ended = time.monotonic() - start
    except TimeoutError:
        pass
    except OSError:
        ended = time.monotonic() - start
check("64 slow clients keep nobody out", got_in > 0)
check(f"a slow request ends, {ended} s", ended is not None and 4 < ended < 8)
for s in dripping:
    s.close()
memory = int(next(line for line in open(f"/proc/{server}/status") if line.startswith("VmHWM")).split()[1])
check(f"memory stays small, {memory} kB", memory < 100000)
sys.exit(failures > 0)
END
kill $server
wait $server && ok || bad "it did not last until SIGTERM, or does not end by it as by Ctrl-C"

# ---- port 80, which browsers do not write into Host ------------------------------------------------------------------

rm "$work/out" "$work/err"
"$command" view "$work/run.h5" --viewer "$work/viewer" --no-open --port 80 >"$work/out" 2>"$work/err" &
server=$!
for _ in $(seq 100); do
    if grep -qs 'Ctrl-C' "$work/out" || [[ -s $work/err ]]; then break; fi
    sleep 0.1
done
if grep -q 'cannot open port 80' "$work/err"; then
    ok # not root, or another server is there
else
    "$python" - "$(sed -n 's|.*http://127.0.0.1:80\(/.*\)|\1|p' "$work/out")" <<'END' && ok || bad "port 80 was refused"
import http.client, sys
c = http.client.HTTPConnection("127.0.0.1", 80, timeout=5)
c.putrequest("GET", sys.argv[1], skip_host=True)
c.putheader("Host", "127.0.0.1")
c.endheaders()
sys.exit(c.getresponse().status != 200)
END
fi
kill $server 2>/dev/null

# ---- the browser ---------------------------------------------------------------------------------------------------------

# Other users can read the arguments of every program: those of the browser must not hold the token.
mkdir "$work/bin"
cat >"$work/bin/xdg-open" <<END
#!/bin/sh
echo "\$1" >"$work/opened"
cp "\$1" "$work/opened.html"
stat -c %a "\$(dirname "\$1")" >"$work/mode"
END
chmod +x "$work/bin/xdg-open"
TMPDIR=$work PATH=$work/bin:$PATH "$command" view "$work/run.h5" --viewer "$work/viewer" >"$work/out" 2>"$work/err" &
server=$!
for _ in $(seq 100); do
    [[ -s $work/mode ]] && break
    sleep 0.1
done
url=$(sed -n 's|.*\(http://127.0.0.1:.*\)|\1|p' "$work/out")
token=$(sed -n 's|.*127.0.0.1:[0-9]*/\(.*\)/?file.*|\1|p' "$work/out")
[[ -n $token ]] && ! grep -q "$token" "$work/opened" && ok || bad "the browser's arguments hold the token: $(cat "$work/opened")"
grep -qF "url=$url\"" "$work/opened.html" && ok || bad "the page that was opened does not lead to $url"
[[ $(cat "$work/mode") == 700 ]] && ok || bad "others can read the page that leads to the address: $(cat "$work/mode")"
# Killed, it leaves no page behind: a child removes it within seconds.
kill -KILL $server
wait $server 2>/dev/null
folder=$(dirname "$(cat "$work/opened")")
for _ in $(seq 100); do
    [[ -e $folder ]] || break
    sleep 0.1
done
[[ ! -e $folder ]] && ok || bad "the page that leads to the address is left in $folder"

echo "$checks checks, $failures failed"
exit $((failures > 0))
