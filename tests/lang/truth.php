<?php
// A program that records its own stack. At each marked call, it tries to open a file whose name
// contains the stack.
function mark($label) {
    $frames = [];
    $trace = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS);
    // Each entry has the location of a call. The next entry has the name of the function that contains it.
    foreach ($trace as $i => $t) {
        $caller = $trace[$i + 1] ?? null;
        if (!isset($t['file']))
            continue;
        $name = '{main}';
        if ($caller && !in_array($caller['function'], ['include', 'require', 'eval']))
            $name = (isset($caller['class']) ? $caller['class'] . '::' : '') . $caller['function'];
        $frames[] = "{$t['file']}($name:{$t['line']})";
    }
    @file_put_contents('/nonexistent/' . bin2hex(implode("\n", array_merge([$label], $frames))), '');
    if (getenv('TRUTH_SLEEP'))
        usleep((int) getenv('TRUTH_SLEEP'));
}

class Store {
    function load($n) {
        if ($n)
            return $this->load($n - 1);
        mark('recursion');
    }
    static function still($x) {
        mark('static');
        return $x;
    }
    function __get($name) {
        mark('property');
    }
    function __call($name, $arguments) {
        mark('call');
    }
    function __toString() {
        mark('string');
        return '';
    }
    function __destruct() {
        mark('destructor');
    }
}

function numbers() {
    mark('generator');
    yield 1;
    mark('generator again');
}

function failing() {
    try {
        throw new Exception('x');
    } catch (Exception $e) {
        mark('catch');
    } finally {
        mark('finally');
    }
}

function main() {
    $s = new Store;
    $s->load(5);
    Store::still(1);
    $s->value;
    $s->method();
    (string)$s;
    unset($s);
    foreach (numbers() as $x)
        mark('loop');
    failing();
    array_map('Store::still', [1, 2]);
    array_map(function ($x) { mark('closure'); }, [1]);
    usort($a, fn($x, $y) => 0) ?? null;
    call_user_func_array(['Store', 'still'], [1]);
    for ($i = 0; $i < 20; $i++)
        eval(str_repeat("\n", $i % 5) . "\$f$i = function() { mark('eval'); };\n \$f$i();");
}
try { $a = [1]; main(); } catch (Error $e) { }
mark('top');
