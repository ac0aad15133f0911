# SPDX-License-Identifier: LGPL-2.1-or-later
# A process in a container is traced from the host, and from a second container that shares its pid
# namespace. This is what docker, podman and kubectl debug do with the lines in
# packaging/Containerfile, made here with unshare(1) and nsenter(1). The process's files are in a
# mount that only its own container sees.
. "$SRC/tests/lib.sh"

cat >app.c <<'C'
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) static void load_settings(void)
{
	int fd = open("/etc/settings", O_RDONLY);
	if (fd >= 0)
		close(fd);
}
__attribute__((noinline)) static void serve(void)
{
	for (;;) {
		load_settings();
		usleep(20000);
	}
}
/* With an argument, first makes the current directory the root. Not every Debian has pivot_root(8). */
int main(int argc, char **argv)
{
	if (argc > 1) {
		if (syscall(SYS_pivot_root, ".", "old") == 0)
			execl("/app", "/app", NULL);
		return 1;
	}
	if (write(1, "ready\n", 6) < 0)
		return 1;
	serve();
}
C
if ! $CC -O1 -g -static -o app app.c; then
	skip container "there is no static C library"
	exit
fi
if ! unshare -r -m -p -f sh -c 'mount -t tmpfs none /mnt && mount -t proc proc /proc' 2>why; then
	skip container "no namespaces: $(tail -n 1 why)"
	exit
fi
mkdir root
unshare -r -m -p -f --kill-child \
	sh -c 'mount -t tmpfs none root && cp app root/app && mkdir root/proc root/old && mount -t proc proc root/proc && cd root && exec ./app pivot' >ready &
outer=$!
trap 'kill -9 $outer 2>/dev/null' EXIT
for ((i = 0; i < 600; i++)); do
	grep -q ready ready && break
	sleep 0.1
done
read -r app <"/proc/$outer/task/$outer/children"
app=${app%% *}

stack='openat\(AT_FDCWD, "/etc/settings", O_RDONLY\) = -1 ENOENT \(No such file or directory\)(  > /app\([A-Za-z_]*(open[0-9]*|syscall_cancel)\+0x[0-9a-f]+\) \[0x[0-9a-f]+\])+  > /app\(load_settings\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]  > /app\(serve\+0x'
timeout 60 "$TRACER" -k -f -p "$app" -e trace=openat --syscall-limit=1 -o log 2>err
like "container: from the host, names come from the container's files" "$(tr '\n' ' ' <log)" "$stack"

# beside COMMAND...: runs the command in the pid and user namespaces of the container, with a /proc
# of that pid namespace, but in a different mount namespace.
beside() {
	nsenter -t "$app" -U -p --preserve-credentials unshare -m sh -c 'mount -t proc proc /proc && exec "$@"' - timeout 60 "$@"
}
beside "$TRACER" -k -f -p 1 -e trace=openat --syscall-limit=1 -o log 2>err
like "container: from a second container" "$(tr '\n' ' ' <log)" "$stack"
like "container: from a second container, the process has pid 1" "$(cat err)" "Process 1 attached"
beside "$TRACER" -k -p 1 --snapshot -o log 2>err
like "container: a snapshot from a second container" "$(tr '\n' ' ' <log)" "^1<app> --- .*/app\(main\+0x"
is "container: the process continues" "$(grep -c TracerPid:.0 "/proc/$app/status")" 1
