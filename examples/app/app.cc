/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Something to trace: a greenhouse with two threads that read a sensor, a
 * plugin that is loaded while it runs, and another program that it starts.
 * Every system call below has a story that only its stack tells:
 *
 *	tracer -k -f examples/app/app
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#define NOINLINE __attribute__((noinline))

namespace greenhouse
{

class Sensor
{
public:
	explicit Sensor(const char *path) : path_(path)
	{
	}

	NOINLINE int read_celsius() const
	{
		char text[16] = "";
		int fd = open(path_, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return 21; /* no such sensor: room temperature */
		if (read(fd, text, sizeof(text) - 1) < 0)
			text[0] = '\0';
		close(fd);
		return atoi(text) / 1000;
	}

private:
	const char *path_;
};

template <typename Task> NOINLINE void run_in_thread(Task task)
{
	std::thread(task).join();
}

NOINLINE int call_plugin(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW);
	auto water = plugin ? reinterpret_cast<int (*)(int)>(dlsym(plugin, "water_plants")) : nullptr;

	return water ? water(42) : -1;
}

NOINLINE int report(const char *text)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		execl("/bin/echo", "echo", text, nullptr);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

} // namespace greenhouse

int main(int, char **argv)
{
	std::string me = argv[0];
	std::string here = me.substr(0, me.rfind('/') + 1);
	greenhouse::Sensor inside("/sys/class/thermal/thermal_zone0/temp"), outside("/no/such/sensor");
	int celsius[2], litres;

	greenhouse::run_in_thread([&] { celsius[0] = inside.read_celsius(); });
	greenhouse::run_in_thread([&] { celsius[1] = outside.read_celsius(); });
	litres = greenhouse::call_plugin((here + "plugin.so").c_str());
	return greenhouse::report(("watered with " + std::to_string(litres) + " litres").c_str());
}
