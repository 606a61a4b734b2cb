//! The clock behind the times in statistics.

pub(super) use machine::Moment;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod machine {
    use std::time::Instant;

    #[derive(Clone, Copy)]
    pub struct Moment(Instant);

    impl Moment {
        pub fn now() -> Self {
            Self(Instant::now())
        }

        /// Nanoseconds since then.
        pub fn elapsed(&self) -> u64 {
            self.0.elapsed().as_nanos() as u64
        }
    }
}

/// WebAssembly has no clock: the program that instantiates the module imports one.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod machine {
    #[link(wasm_import_module = "fracas")]
    unsafe extern "C" {
        /// Milliseconds since any moment, like `performance.now()`; always 0 where there is no clock.
        safe fn now() -> f64;
    }

    #[derive(Clone, Copy)]
    pub struct Moment(f64);

    impl Moment {
        pub fn now() -> Self {
            Self(now())
        }

        /// Nanoseconds since then.
        pub fn elapsed(&self) -> u64 {
            ((now() - self.0) * 1e6) as u64 // 0 if the clock went back
        }
    }
}
