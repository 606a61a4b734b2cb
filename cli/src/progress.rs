//! A progress bar on stderr, if that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;

const STEPS: u64 = 1000;

/// The bar of one command, over any number of stages.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Nothing is drawn where nobody looks.
    pub fn new() -> Self {
        let seen = std::io::stderr().is_terminal();
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        let style = ProgressStyle::with_template("{msg:<10} {wide_bar} {percent:>3} % {elapsed:>4}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }

    /// Starts a stage, and gives what to call with the share that is done.
    pub fn stage(&self, name: &str) -> Arc<dyn Fn(f32) + Send + Sync> {
        self.bar.set_position(0);
        self.bar.set_message(name.to_string());
        let bar = self.bar.clone();
        Arc::new(move |share| bar.set_position((share.clamp(0.0, 1.0) * STEPS as f32) as u64))
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
