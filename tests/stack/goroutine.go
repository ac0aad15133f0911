// SPDX-License-Identifier: LGPL-2.1-or-later

// A chain of calls on a goroutine's own stack, described by .debug_frame alone. Then the runtime makes
// calls on the thread's stack: in the scheduler, and to allocate memory.
package main

import (
	"runtime"
	"sync"
	"syscall"
	"time"
)

var large []byte

//go:noinline
func leaf(n int) int { return syscall.Getppid() + n }

//go:noinline
func recurse(n int) int {
	if n == 0 {
		return leaf(n)
	}
	return recurse(n-1) + 1
}

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); recurse(2) }()
	wg.Wait()
	time.Sleep(time.Millisecond)
	large = make([]byte, 64<<20)
	// The allocation starts a garbage collection. If the program ended during it, stacks of its threads would be cut short.
	runtime.GC()
}
