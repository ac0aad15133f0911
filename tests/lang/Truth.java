// A program that records its own stack. At each marked call, it tries to open a file whose name
// contains the stack.
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

public class Truth {
	static boolean marking;

	// JDK 8 does not have this class.
	static class Walker {
		static List<StackTraceElement> frames() {
			return StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES).walk(s -> {
				List<StackTraceElement> l = new ArrayList<>();
				s.filter(f -> !f.getClassName().contains("0x")).forEach(f -> l.add(f.toStackTraceElement()));
				return l;
			});
		}
	}

	// Returns the frames after mark().
	static List<StackTraceElement> frames() {
		List<StackTraceElement> l;
		try {
			l = Walker.frames();
		} catch (NoClassDefFoundError e) {
			l = Arrays.asList(new Throwable().getStackTrace());
		}
		int n = 0;
		while (!l.get(n).getMethodName().equals("mark"))
			n++;
		return l.subList(n + 1, l.size());
	}

	public static void mark(String label) {
		if (!marking)
			return;
		StringBuilder text = new StringBuilder(label);
		for (StackTraceElement e : frames()) {
			text.append('\n').append(e.getFileName() == null ? "" : e.getFileName()).append('(').append(e.getClassName()).append('.')
				.append(e.getMethodName());
			if (e.getLineNumber() > 0)
				text.append(':').append(e.getLineNumber());
			text.append(')');
		}
		StringBuilder hex = new StringBuilder();
		for (byte b : text.toString().getBytes(StandardCharsets.UTF_8))
			hex.append(String.format("%02x", b));
		try {
			new FileInputStream("/nonexistent/" + hex).close();
		} catch (java.io.IOException e) {
		}
		String sleep = System.getenv("TRUTH_SLEEP");
		if (sleep != null)
			java.util.concurrent.locks.LockSupport.parkNanos(Long.parseLong(sleep) * 1000);
	}

	interface Loader {
		int load(int n);
	}

	static class Store implements Loader {
		Store() {
			mark("constructor");
		}

		public int load(int n) {
			if (n > 0)
				return load(n - 1);
			mark("recursion");
			return n;
		}
	}

	// Classes that are loaded again and again, by a loader for each use.
	public static class Plugin0 implements Runnable {
		public void run() {
			first();
		}

		void first() {
			mark("reload");
		}
	}

	public static class Plugin1 implements Runnable {
		public void run() {
			second();
		}

		void second() {
			mark("reload");
		}
	}

	static class Once extends ClassLoader {
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("Truth$Plugin"))
				return super.loadClass(name, resolve);
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			try (InputStream in = getResourceAsStream(name + ".class")) {
				for (int b = in.read(); b >= 0; b = in.read())
					bytes.write(b);
			} catch (java.io.IOException e) {
				throw new ClassNotFoundException(name, e);
			}
			return defineClass(name, bytes.toByteArray(), 0, bytes.size());
		}
	}

	// After each use, the class is unloaded. The JVM may then put other methods at the same addresses.
	static void reload() throws Exception {
		for (int i = 0; i < 12; i++) {
			((Runnable) new Once().loadClass("Truth$Plugin" + i % 2).getDeclaredConstructor().newInstance()).run();
			System.gc();
		}
	}

	static boolean invalidating;

	static class Base {
		int value() {
			return 1;
		}
	}

	static class Derived extends Base {
		int value() {
			return 2;
		}
	}

	// This is compiled while Base has no subclass. Loading a subclass invalidates the code,
	// also that of frames on the stack.
	static int descend(int n, Base b) {
		int sum = b.value();
		if (n > 0)
			return sum + descend(n - 1, b) + b.value();
		if (invalidating)
			new Derived();
		mark("invalidated");
		return sum;
	}

	static int still(int x) {
		mark("static");
		return x;
	}

	static void failing() {
		try {
			throw new IllegalStateException();
		} catch (IllegalStateException e) {
			mark("catch");
		} finally {
			mark("finally");
		}
	}

	static void deep(int n) {
		if (n > 0)
			deep(n - 1);
		else
			mark("deep");
	}

	// After a virtual thread has slept, most of its frames are on the heap.
	static void asleep(int n) {
		if (n > 0) {
			asleep(n - 1);
			return;
		}
		try {
			Thread.sleep(1);
		} catch (InterruptedException e) {
		}
		mark("virtual");
	}

	static void längerName() {
		mark("unicode");
	}

	static void round() throws Exception {
		new Store().load(5);
		failing();
		Loader lambda = n -> {
			mark("lambda");
			return n;
		};
		lambda.load(1);
		Function<Integer, Integer> reference = Truth::still;
		reference.apply(1);
		Arrays.asList(1, 2).forEach(x -> mark("forEach"));
		Arrays.asList(2, 1).stream().map(Truth::still).forEach(x -> mark("stream"));
		new Object() {
			void run() {
				mark("anonymous");
			}
		}.run();
		längerName();
		descend(4, new Base());
		deep(10);
		Truth.class.getDeclaredMethod("still", int.class).invoke(null, 1);
	}

	int field;

	// Compiled code does not compare with null, but handles SIGSEGV. This method is compiled
	// while it runs, so the code after the loop becomes a jump to the runtime. A walk that
	// follows the jump does not find the end of the frame.
	static void follow() {
		Truth t = new Truth();
		for (int i = 0; i < 200000; i++)
			try {
				if (i == 199999)
					t = null;
				t.field++;
			} catch (NullPointerException e) {
				t = new Truth();
			}
		System.err.println(t.field);
	}

	// The argument is the number of rounds, which gives the compilers time to compile. Only
	// every Nth round makes marked calls.
	public static void main(String[] arguments) throws Exception {
		int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1, each = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
		for (int i = 1; i <= rounds; i++) {
			marking = i % each == 0;
			invalidating = i == rounds;
			round();
		}
		reload();
		Thread[] threads = new Thread[4];
		for (int i = 0; i < threads.length; i++) {
			int n = i;
			threads[i] = new Thread(() -> deep(n));
			threads[i].start();
		}
		for (Thread t : threads)
			t.join();
		try {
			Runnable sleeper = () -> asleep(5);
			((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, sleeper)).join();
		} catch (NoSuchMethodException e) {
		}
		follow();
	}
}
