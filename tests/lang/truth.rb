# SPDX-License-Identifier: LGPL-2.1-or-later
# A program that records its own stack. At each marked call, it tries to open a file whose name contains the stack.

# Functions of Ruby itself, which have no file.
BUILT_IN = %w[each map times tap loop sort_by sort catch kill fork join value take new instance_eval define_method public_send send eval require call yield each_with_index inject fetch require_relative synchronize each_value compact collect resume class_eval].each(&:freeze).freeze

def mark(label)
  frames = caller_locations(1).map do |l|
    # Since Ruby 3.4, labels include the name of the class.
    name = l.label.sub(/(?:(?<=\A)|(?<= ))(?:[A-Z]\w*(?:::[A-Z]\w*)*|#<.*>)[#.](?=\S+\z)/, '')
    l.path.to_s.start_with?('<internal:') || BUILT_IN.include?(name) ? "(#{name})" : "#{l.path}(#{name}:#{l.lineno})"
  end
  begin
    File.open("/nonexistent/#{[label, *frames].join("\n").unpack1('H*')}")
  rescue SystemCallError
  end
  sleep ENV['TRUTH_SLEEP'].to_i / 1e6 if ENV['TRUTH_SLEEP']
end

class Store
  attr_accessor :value

  def initialize(n = 0)
    mark('initialize') if n > 0
  end

  def load(n)
    return load(n - 1) if n > 0
    mark('recursion')
  end

  def self.still(x)
    mark('singleton')
    x
  end

  def method_missing(name, *arguments)
    return super unless name == :missing
    mark('missing')
  end

  def respond_to_missing?(*)
    true
  end

  def <=>(other)
    mark('operator')
    0
  end

  define_method(:defined) { mark('defined') }
end

def failing
  raise ArgumentError
rescue ArgumentError
  mark('rescue')
  begin
    raise KeyError
  rescue KeyError
    mark('nested rescue')
  end
ensure
  mark('ensure')
end

def yielding
  yield 1
  [2].each { |x| yield x }
end

def several_lines
  [
    Store.still(1),
    mark(
      'arguments'
    ),
    mark('list')
  ]
end

def größe_name
  mark('unicode')
end

# In long methods, the line numbers of instructions are stored differently.
Object.class_eval "def long\n" + (1..400).map { |i| i % 40 == 0 ? "mark('long')\n" : "x#{i} = [#{i}, #{i} + 1, #{i} * 2]\n" }.join + "end\n", '/generated/long.rb', 1

def deep(n)
  if n > 0
    deep(n - 1)
  else
    mark('deep')
  end
end

def redefine
  40.times do |i|
    eval "\n" * (i % 7) + "def again#{i % 3}\n" + "  x = 1\n" * (i % 5) + "  mark('redefined')\nend\nagain#{i % 3}\n", TOPLEVEL_BINDING, "/generated/#{i % 4}.rb"
    GC.start if i % 10 == 0
  end
end

def same_size
  30.times do |i|
    before = i % 6
    eval "def same\n" + "  x = 1\n" * before + "  mark('same size')\n" + "  x = 1\n" * (5 - before) + "end\nsame\n", TOPLEVEL_BINDING, '/generated/same.rb'
  end
end

s = Store.new(1)
s.load(5)
Store.still(1)
s.missing
s.defined
s.send(:load, 1)
s.instance_eval { load(1) }
failing
yielding { |x| mark("yield #{x}") }
several_lines
größe_name
long
redefine
same_size
deep(30)
[s, Store.new].sort { |a, b| a <=> b }
[1].map(&Store.method(:still))
[1].each { |x| 1.times { mark('blocks') } }
{ a: 1 }.each_with_index { |x, i| mark('each_with_index') }
[3, 1].sort_by { |x| mark('sort_by'); x }
loop do
  mark('loop')
  break
end
1.tap { mark('tap') }
->(x) { mark('lambda') }.call(1)
proc { mark('proc') }.call
numbers = Enumerator.new { |y| y << Store.still(1) }
numbers.next
fiber = Fiber.new do
  mark('fiber')
  Fiber.yield
  deep(3)
end
fiber.resume
deep(2)
fiber.resume
threads = (0..7).map { |i| Thread.new { deep(i) } }
threads.each(&:join)
queue = Queue.new
waiting = Thread.new { queue.pop; mark('after wait') }
busy = Thread.new { 20.times { Thread.pass; Store.still(1) } }
queue << 1
[waiting, busy].each(&:join)
trap('USR1') { mark('signal') }
Process.kill('USR1', Process.pid)
sleep 0.01
pid = fork do
  deep(1)
  Thread.new { deep(1) }.join
end
Process.wait(pid)
if defined?(Ractor) && RUBY_VERSION >= '3.0'
  Warning[:experimental] = false
  ractor = Ractor.new { Object.new.send(:deep, 2) }
  ractor.take
end
GC.compact if GC.respond_to?(:compact)
deep(3)
catch(:done) { deep(2); throw :done }
class Body
  mark('class body')
end
at_exit { mark('at exit') }
mark('top')
