// SPDX-License-Identifier: LGPL-2.1-or-later

// A trait method called through a pointer, and a closure that runs in a thread.
use std::thread;

extern "C" {
    fn getppid() -> i32;
}

struct Holder<T>(T);

trait Walk {
    fn walk(&self, n: u32) -> i32;
}

impl<T: Copy> Walk for Holder<T> {
    #[inline(never)]
    fn walk(&self, n: u32) -> i32 {
        if n == 0 {
            unsafe { getppid() }
        } else {
            self.walk(n - 1) + 1
        }
    }
}

#[inline(never)]
fn apply<F: Fn(i32) -> i32>(f: F) -> i32 {
    f(3) + 1
}

fn main() {
    let walker: Box<dyn Walk + Send> = Box::new(Holder(1u8));
    let t = thread::spawn(move || apply(|x| walker.walk(2) + x));
    t.join().unwrap();
}
