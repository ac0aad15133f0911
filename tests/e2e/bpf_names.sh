# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf shows the same descriptors, addresses and ids as ptrace, even if a descriptor is closed or a
# process ends right after the call.
. "$SRC/tests/lib.sh"
can_bpf || exit 0

# Descriptors have the same names as under ptrace, and JSON marks none of them as looked up late.
program fds
for engine in ptrace bpf; do
	mkdir "fds.$engine" && cd "fds.$engine" || exit
	timeout -k 5 60 "$TRACER" --engine=$engine -a1 -y -e trace=fcntl,openat,close,chdir -e signal=none -o log "$WORK/bin/fds" 2>/dev/null
	sed "s,$(pwd -P),DIR,g; s,$PWD,DIR,g" log | "$SRC/tests/mask" | grep -v execve >../names.$engine
	timeout -k 5 60 "$TRACER" --engine=$engine -y --format=json -e trace=openat,close,read -o json "$WORK/bin/fds" 2>/dev/null
	timeout -k 5 60 "$TRACER" --engine=$engine -P /etc/hostname -o log cat /etc/hostname 2>/dev/null
	grep -oE '^[a-z0-9]+\(' log >../path.$engine
	cd ..
done
same "names of descriptors" names.bpf names.ptrace
is "names of descriptors: none is marked as late" "$(grep -c '"late":true' fds.bpf/json)" 0
same "-P selects the same calls" path.bpf path.ptrace

# Addresses of sockets and the results of socketpair(2) are the same, too, although the sockets are
# closed right away.
cat >sockets.py <<'EOF'
import socket
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    try:
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.bind((address, 0))
    except OSError:
        continue  # IPv6 is not available
    listening.listen()
    client = socket.create_connection(listening.getsockname()[:2])
    server, _ = listening.accept()
    client.send(b"x")
    for s in client, server, listening:
        s.close()
    udp = socket.socket(family, socket.SOCK_DGRAM)
    udp.bind((address, 0))
    udp.sendto(b"y", udp.getsockname()[:2])
    udp.close()
one, other = socket.socketpair()
one.close()
other.close()
for name in "\0abstract", "socket":
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(name)
    listening.listen()
    client = socket.socket(socket.AF_UNIX)
    client.connect(name)
    server, _ = listening.accept()
    for s in client, server, listening:
        s.close()
netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
netlink.bind((0, 0))
netlink.close()
EOF
if python3 -c 'import socket' 2>/dev/null; then
	# Before Linux 6.8, sock_diag(7) does not list sockets that are only bound.
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -a1 -yy -e trace=socket,socketpair,bind,connect,sendto,close -e signal=none -o log \
			python3 -I sockets.py 2>/dev/null
		grep -E '<(TCP|UDP|UNIX|NETLINK)' log |
			sed -E 's/:[0-9]{2,5}\b/:PORT/g; s/htons\([0-9]+\)/htons(PORT)/g; s/\b[0-9]+->[0-9]+/N->N/g; s/\b[0-9]{4,}/N/g; s/(UNIX-STREAM:\[)[0-9]+/\1N/' \
				>"sockets.$engine"
		rm -f socket
	done
	if grep -q '127.0.0.1:PORT->' sockets.ptrace && grep -q '<NETLINK:\[R' sockets.ptrace; then
		same "addresses of sockets" sockets.bpf sockets.ptrace
	else
		skip "addresses of sockets" "ptrace cannot look them up, because this kernel has no sock_diag(7)"
	fi
	like "addresses of sockets are shown" "$(cat sockets.bpf)" '127.0.0.1:PORT->127.0.0.1:PORT'
	like "addresses of sockets: AF_UNIX" "$(cat sockets.bpf)" 'socketpair\(.*<UNIX-STREAM:\[N->N.*close\([0-9]+<UNIX-STREAM:\[N,@"abstract"\]>'
	like "addresses of sockets: AF_NETLINK" "$(cat sockets.bpf)" 'close\([0-9]+<NETLINK:\[ROUTE:'
	timeout -k 5 60 "$TRACER" --engine=bpf -yy --format=json -e trace=socketpair,close -e signal=none -o json python3 -I sockets.py 2>/dev/null
	rm -f socket
	is "addresses of sockets: none is marked as late" "$(grep -c '"late":true' json)" 0
else
	skip "addresses of sockets" "python3 is missing"
fi

# Netlink messages are decoded without -y, although the sockets are closed right away.
cat >netlink.py <<'EOF'
import socket
import struct
for _ in range(20):
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    s.bind((0, 0))
    s.send(struct.pack("IHHIIBxxx", 20, 18, 0x301, 1, 0, 0))
    s.recv(65536)
    s.close()
one, other = socket.socketpair()
one.send(b"no netlink")
other.recv(10)
EOF
if python3 -c 'import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)' 2>/dev/null; then
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -a1 -e trace=sendto,recvfrom -e signal=none -o log python3 -I netlink.py 2>/dev/null
		sed -nE 's/^([a-z]+\([0-9]+, \[*\{nlmsg_len=)[0-9]+(, nlmsg_type=[A-Z_]+).*/\1N\2/p; t; /^[a-z]+\(/p' log >"netlink.$engine"
	done
	if grep -q 'nlmsg_type=RTM_' netlink.ptrace; then
		same "messages of netlink sockets" netlink.bpf netlink.ptrace
	else
		skip "messages of netlink sockets" "ptrace cannot look them up, because this kernel has no sock_diag(7)"
	fi
	is "messages of netlink sockets are decoded" "$(grep -c 'nlmsg_type=RTM_' netlink.bpf)" 40
else
	skip "messages of netlink sockets" "python3 or netlink is missing"
fi

# Ids of another pid namespace are translated even if the process has exited before the line is written.
if unshare -pf true 2>/dev/null; then
	timeout -k 5 60 "$TRACER" --engine=bpf -f -a1 --decode-pids=pidns -e trace=wait4,kill -e signal=none -o log \
		unshare -pf sh -c '(exit 3) & wait; kill -0 $$' 2>/dev/null
	like "an id in a pid namespace" "$(cat log)" "kill\\(1 /\\* [0-9]+ in strace's PID NS \\*/, 0\\) = 0"
	like "the id of a child that has exited" "$(cat log)" "= 3\\}\\], .* = [0-9]+ /\\* [0-9]+ in strace's PID NS"
else
	skip "ids in a pid namespace" "cannot be created here"
fi
