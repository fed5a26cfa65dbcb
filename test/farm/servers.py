# SPDX-License-Identifier: MIT
"""The checks of run.py with a real server, and with signatures."""
import os
import re
import shutil
import signal
import socket
import subprocess
import time

from harness import COUNT, TARGETS, driven, expect


CLIENT = shutil.which("valkey-cli") or shutil.which("redis-cli")


class Server:
    """Redis or Valkey on a Unix socket, and with TLS on a port of 127.0.0.1."""

    CONFIGURATION = ('unixsocket {path}\nsave ""\nappendonly no\ndir {work}\nmaxmemory 100mb\nuser default off\n'
                     "user farm on >secret ~kiln:* -@all +get +mget +set +ping\n"
                     "user driver on >public ~kiln:* -@all +get +mget +ping\n"
                     "user admin on >root ~* +@all\n")
    TLS = ("port 0\ntls-port {port}\nbind 127.0.0.1\ntls-cert-file {work}/server.pem\ntls-key-file {work}/server.key\n"
           "tls-ca-cert-file {work}/ca.pem\ntls-auth-clients {clients}\n")

    def __init__(self, farm, program, port=0, clients="no"):
        self.farm, self.program, self.path = farm, program, farm.path(f"socket{port}{clients}")
        with open(farm.path("server.conf"), "w", encoding="utf-8") as file:
            file.write((self.TLS if port else "port 0\n").format(port=port, work=farm.work, clients=clients))
            file.write(self.CONFIGURATION.format(path=self.path, work=farm.work))
        self.process = subprocess.Popen([program, farm.path("server.conf")], stdout=subprocess.DEVNULL)
        for _ in range(100):
            if os.path.exists(self.path):
                break
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, *command):
        done = subprocess.run([CLIENT, "-s", self.path, "--user", "admin", "--pass", "root", "--no-auth-warning",
                               *command], capture_output=True, check=True)
        return done.stdout

    def connections(self):
        return int(re.search(rb"total_connections_received:(\d+)", self.ask("info", "stats")).group(1))


def server_program():
    """None: it is not there, nor its client."""
    return CLIENT and (shutil.which("valkey-server") or shutil.which("redis-server"))


def secrets(farm, name, *lines, mode=0o600):
    with open(os.open(farm.path(name), os.O_CREAT | os.O_WRONLY | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    return f"--keys={farm.path(name)}"


NAME, SEAL, SIGN = f"name {'12' * 32}", f"seal {'34' * 32}", f"sign {'56' * 32}"


def check_server(farm):
    """A real server: what one run has stored another one takes; without rights, lying, full, stopped, killed."""
    if not server_program():
        print("farm: neither valkey-server nor redis-server")
        return 77
    with Server(farm, server_program()) as server:
        where = f"--server=unix:{server.path}"
        runs(farm, server, [where, secrets(farm, "keys", NAME, SEAL, "user farm", "password secret")],
             [where, secrets(farm, "wrong", NAME, SEAL, "user farm", "password other")])
    return 0


def certificates(farm):
    """Of a server for 127.0.0.1, of a client, and of another authority."""
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=farm.work, check=True, capture_output=True)

    for ca in ("ca", "other"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", f"/CN={ca}", "-keyout", f"{ca}.key", "-out", f"{ca}.pem")
    for name, alternative in (("server", "IP:127.0.0.1,DNS:localhost"), ("elsewhere", "IP:127.0.0.2,DNS:elsewhere"), ("client", "DNS:client")):
        with open(farm.path("extensions"), "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={alternative}\n")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", "extensions", "-out", f"{name}.pem")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def check_tls(farm):
    """Certificates of servers are checked, and clients have their own where they are asked for."""
    if not server_program() or not shutil.which("openssl"):
        print("farm: neither valkey-server nor redis-server, or no openssl")
        return 77
    certificates(farm)
    login = (NAME, SEAL, "user farm", "password secret")
    ca = f"ca {farm.path('ca.pem')}"
    client = (f"certificate {farm.path('client.pem')}", f"private {farm.path('client.key')}")
    units, counter = 2 * COUNT, iter(range(100))

    def run(port, what, *lines, host="127.0.0.1"):
        keys = secrets(farm, "keys", *login, *lines)
        text = farm.farm("run", farm.plan(f"run{next(counter)}"), f"--server=tls:{host}:{port}", keys, "--audit=0")
        expect(what in text, f"{lines}: {text}")

    nothing = f"server: 0 hits, 0 misses, 0 forged, {units} without an answer"
    port = free_port()
    with Server(farm, server_program(), port):
        run(port, f"server: 0 hits, {units} misses, 0 forged, 0 without an answer, 0 failures, {units} stored", ca)
        run(port, f"server: {units} hits, 0 misses", ca)
        run(port, f"server: {units} hits, 0 misses", ca, host="localhost")  # perhaps ::1 first, where nobody listens
        run(port, nothing, f"ca {farm.path('other.pem')}")  # of somebody else
        run(port, nothing)  # nobody whom the system trusts
        farm.farm("run", farm.plan("no"), f"--server=tls:127.0.0.1:{port}",
                  secrets(farm, "keys", *login, f"ca {farm.path('nothing')}"), code=1)
    port = free_port()
    with Server(farm, server_program(), port, "yes"):
        run(port, nothing, ca)
        run(port, f"server: 0 hits, {units} misses", ca, *client)
    for part in ("pem", "key"):
        shutil.copy(farm.path(f"elsewhere.{part}"), farm.path(f"server.{part}"))
    port = free_port()
    with Server(farm, server_program(), port):
        run(port, nothing, ca)  # a certificate for another machine
    return 0


def check_driver(farm):
    """A driver that is told to asks a server, and believes nothing of it; one that is not does not."""
    if not server_program():
        print("farm: neither valkey-server nor redis-server")
        return 77
    keys = secrets(farm, "keys", NAME, SIGN, "user farm", "password secret")
    public = farm.farm("public", keys).strip()
    secrets(farm, "driver", NAME, public, "user driver", "password public")
    secrets(farm, "others", NAME, f"public {'78' * 32}", "user driver", "password public")
    run = farm.plan("run")
    farm.farm("run", run, "--quiet")
    with Server(farm, server_program()) as server:
        where = f"unix:{server.path}"
        variables = {"KILN_CACHE_SERVER": where, "KILN_CACHE_SERVER_KEYS": farm.path("driver")}
        said = farm.farm("merge", run, f"--server={where}", keys)
        expect(f"server: {2 * COUNT} stored, 0 not stored" in said, said)
        before = server.connections()
        driven(farm, "", 0)
        expect(server.connections() == before + 1, "somebody asked the server who was not told to")
        said, _ = driven(farm, f"server {COUNT} hits, 0 misses, 0 forged, 0 without", 2 * COUNT, **variables)
        expect(said.count("compiled monolithically 0") == 2 and said.count(" 0 made") == 2, f"something was made\n{said}")
        # What was found is on disk from then on.
        disk = variables | {"KILN_CACHE": "on", "KILN_CACHE_DIR": farm.path("disk")}
        os.makedirs(farm.path("disk"), mode=0o700)
        driven(farm, f"server {COUNT} hits", 2 * COUNT, **disk)
        driven(farm, "server 0 hits, 0 misses", 2 * COUNT, **disk)
        driven(farm, f"server 0 hits, 0 misses, {COUNT} forged", 0,
               **(variables | {"KILN_CACHE_SERVER_KEYS": farm.path("others")}))
        for name in server.ask("keys", "kiln:*").split():
            server.ask("setrange", name.decode(), "50", "?????")
        driven(farm, f"server 0 hits, 0 misses, {COUNT} forged", 0, **variables)
        server.ask("flushall")
        driven(farm, f"server 0 hits, {COUNT} misses", 0, **variables)
        server.process.send_signal(signal.SIGSTOP)
        silent = f"server 0 hits, 0 misses, 0 forged, {COUNT} without an answer, 3 failures, "
        said, _ = driven(farm, silent, 0, **variables)
        waits = [float(text) for text in re.findall(silent + r"([0-9.]+) s", said)]
        expect(all(wait < 10 for wait in waits), f"waited for {waits}")  # 0.6 on a quiet machine
        server.process.send_signal(signal.SIGCONT)
    driven(farm, silent, 0, **variables)
    # Keys that others may read: no server, and all is well.
    os.chmod(farm.path("driver"), 0o640)
    said, _ = driven(farm, "", 0, **variables)
    expect("no server is asked" in said, said)
    return 0


def check_signature(farm):
    """What merge signs is believed until somebody changes it; drivers can insist."""
    run = farm.plan("run")
    farm.farm("run", run, "--quiet")
    keys, disk = secrets(farm, "keys", SIGN), farm.path("cache-1.db")
    public = secrets(farm, "public", farm.farm("public", keys).strip(), mode=0o644)
    others = secrets(farm, "others", f"public {'78' * 32}", mode=0o644)
    outputs = [f"--disk-cache={disk}", f"--elf={farm.path('code.tar')}", f"--pipeline-cache={farm.path('data.bin')}"]
    farm.farm("merge", run, "--sign", *outputs, code=1)  # without a key
    expect(not os.path.exists(disk), "something was written")
    farm.farm("merge", run, "--sign", keys, *outputs, KILN_PARTS="off")
    files = [disk, farm.path("code.tar"), *(farm.path(f"data.{target}.bin") for target in TARGETS.split(","))]
    expect(farm.farm("verify", public, *files).count(": good") == 4, "verify")
    farm.farm("verify", others, *files, code=1)
    os.makedirs(farm.path("none"), mode=0o700)
    variables = {"KILN_CACHE": "readonly", "KILN_CACHE_DIR": farm.path("none"), "KILN_CACHE_READ_ONLY": disk,
                 "KILN_CACHE_READ_ONLY_KEYS": farm.path("public")}
    driven(farm, "", 2 * COUNT, **variables)
    for file in ("others", "nothing"):
        said, _ = driven(farm, "", 0, **(variables | {"KILN_CACHE_READ_ONLY_KEYS": farm.path(file)}))
        expect("not used" in said or "is used" in said, said)
    os.chmod(farm.path("public"), 0o666)
    driven(farm, "", 0, **variables)
    os.chmod(farm.path("public"), 0o644)
    for file in files:
        with open(file, "r+b") as changed:
            changed.seek(os.path.getsize(file) // 2)
            byte = changed.read(1)
            changed.seek(-1, os.SEEK_CUR)
            changed.write(bytes([byte[0] ^ 1]))
        farm.farm("verify", public, file, code=1)
    said, _ = driven(farm, "", 0, **variables)
    expect("its signature is not that of a key that is trusted" in said, said)
    os.remove(disk + ".sig")
    driven(farm, "", 0, **variables)


def runs(farm, server, options, wrong):
    plain = farm.plan("plain")
    farm.farm("run", plain, "--quiet")

    def again(name, what, options):
        run = farm.plan(name)
        text = farm.farm("run", run, *options)
        expect(what in text, f"{name}: {text}")
        expect(farm.hash(run) == farm.hash(plain), f"{name}: another hash")

    units = 2 * COUNT
    again("first", f"server: 0 hits, {units} misses, 0 forged, 0 without an answer, 0 failures, {units} stored", options)
    again("second", f"server: {units} hits, 0 misses", [*options, "--audit=0"])
    again("audited", f"{units} audited", [*options, "--audit=1"])
    again("denied", f"server: 0 hits, 0 misses, 0 forged, {units} without an answer", wrong)
    for name in server.ask("keys", "kiln:*").split():
        server.ask("setrange", name.decode(), "50", "?????")
    again("lying", f"server: 0 hits, 0 misses, {units} forged, 0 without an answer, 0 failures, {units} stored", options)
    server.ask("flushall")
    server.ask("config", "set", "maxmemory", "1")
    again("full", f"server: 0 hits, {units} misses, 0 forged, 0 without an answer, 0 failures, 0 stored", options)
    server.process.send_signal(signal.SIGSTOP)
    again("stopped", f"server: 0 hits, 0 misses, 0 forged, {units} without an answer, 3 failures", options)
    server.process.send_signal(signal.SIGCONT)
    server.process.kill()
    server.process.wait()
    again("killed", f"server: 0 hits, 0 misses, 0 forged, {units} without an answer, 3 failures", options)
