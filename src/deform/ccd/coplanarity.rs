//! The times at which four points are coplanar: roots of a cubic, by its Bernstein coefficients.

/// Rounding of the determinant of w, a and b at a time, in units of the product of their largest components. A component of a cross
/// product is off by 4 epsilon, a coefficient by 34 (those within are means of three determinants), and three linear interpolations
/// of numbers up to 6 add 27.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Products of three lengths near 1e-97 m may underflow: below this nothing has a sign.
const UNDERFLOW: f64 = 1e-290;
/// An interval is narrow if the coefficients over it are within this many times their rounding.
const NARROW: f64 = 8.0;

pub(super) struct Determinant {
    coefficients: [f64; 4],
    slack: f64,
}

/// The coefficients over an interval of time.
pub(super) struct Span {
    coefficients: [f64; 4],
    slack: f64,
}

impl Determinant {
    pub fn new(coefficients: [f64; 4], product: f64) -> Self {
        Self { coefficients, slack: ROUNDING * product + UNDERFLOW }
    }

    /// By blossoming, always from the whole step: rounding does not grow with the number of cuts.
    pub fn over(&self, from: f64, to: f64) -> Span {
        let Self { coefficients, slack } = *self;
        if from == 0.0 && to == 1.0 {
            return Span { coefficients, slack };
        }
        let lerp = |x: f64, y: f64, t: f64| (1.0 - t) * x + t * y;
        let twice = |t: f64| {
            let [p, q, r] = [0, 1, 2].map(|k| lerp(coefficients[k], coefficients[k + 1], t));
            (lerp(p, q, t), lerp(q, r, t))
        };
        let (old, new) = (twice(from), twice(to));
        let coefficients =
            [lerp(old.0, old.1, from), lerp(old.0, old.1, to), lerp(new.0, new.1, from), lerp(new.0, new.1, to)];
        Span { coefficients, slack }
    }
}

impl Span {
    /// For certain.
    pub fn has_no_root(&self) -> bool {
        let [c0, c1, c2, c3] = self.coefficients;
        c0.min(c1).min(c2.min(c3)) > self.slack || c0.max(c1).max(c2.max(c3)) < -self.slack
    }

    /// Whether it has a root, for certain.
    pub fn crosses_zero(&self) -> bool {
        let [c0, _, _, c3] = self.coefficients;
        c0 > self.slack && c3 < -self.slack || c0 < -self.slack && c3 > self.slack
    }

    /// Whether all of it is as good as a root.
    pub fn is_narrow(&self) -> bool {
        self.coefficients.iter().all(|c| c.abs() <= NARROW * self.slack)
    }

    /// Where to cut it so that the first root is isolated: shares of its length, ascending, 1 for none. These are guesses; what comes
    /// of the parts is up to their own coefficients.
    pub fn cuts(&self) -> [f64; 2] {
        let [c0, c1, c2, c3] = self.coefficients;
        let near = |share: f64| if share < 0.25 { share } else { 0.5 };
        if c0.abs() <= self.slack {
            return [near(self.leave(c1 - c0, c2 - 2.0 * c1 + c0)), 1.0];
        }
        if c3.abs() <= self.slack {
            return [1.0 - near(self.leave(c2 - c3, c1 - 2.0 * c2 + c3)), 1.0];
        }
        if (c0 < 0.0) != (c3 < 0.0) {
            let (root, slope) = self.root();
            let reach = 2.0 * self.slack / slope.abs();
            return if reach < 0.125 { [root - reach, root + reach] } else { [0.5, 1.0] };
        }
        self.extrema()
    }

    /// The share after which a cubic that starts near zero is a few times its rounding away, by its first two differences.
    fn leave(&self, slope: f64, bend: f64) -> f64 {
        let height = 4.0 / 3.0 * self.slack;
        (height / slope.abs()).min((height / bend.abs()).sqrt())
    }

    /// Where the sign changes, and the slope there: Newton's method within a bracket.
    fn root(&self) -> (f64, f64) {
        let [c0, c1, c2, c3] = self.coefficients;
        let (k1, k2, k3) = (3.0 * (c1 - c0), 3.0 * (c2 - 2.0 * c1 + c0), c3 - 3.0 * (c2 - c1) - c0);
        let (mut low, mut high) = (0.0, 1.0);
        let (mut x, mut slope) = (c0 / (c0 - c3), 0.0);
        for _ in 0..12 {
            let value = ((k3 * x + k2) * x + k1) * x + c0;
            slope = (3.0 * k3 * x + 2.0 * k2) * x + k1;
            if (value < 0.0) == (c0 < 0.0) {
                low = x;
            } else {
                high = x;
            }
            let newton = x - value / slope;
            let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            let step = (next - x).abs();
            x = next;
            // The next step would be the square of this.
            if step < 1e-9 {
                break;
            }
        }
        (x, slope)
    }

    /// Where the slope is zero, if not at the ends; else the middle.
    fn extrema(&self) -> [f64; 2] {
        let [c0, c1, c2, c3] = self.coefficients;
        // Scaled: the squares of determinants may overflow.
        let scale = 1.0 / c0.abs().max(c1.abs()).max(c2.abs().max(c3.abs()));
        let (p, q, r) = ((c1 - c0) * scale, (c2 - c1) * scale, (c3 - c2) * scale);
        let sum = (p - q) + (q * q - p * r).max(0.0).sqrt().copysign(p - q);
        let [x, y] = [p / sum, sum / (p - 2.0 * q + r)];
        let inside = |x: f64| x > 1e-3 && x < 1.0 - 1e-3;
        match (inside(x), inside(y)) {
            (true, true) => [x.min(y), x.max(y)],
            (true, false) => [x, 1.0],
            (false, true) => [y, 1.0],
            (false, false) => [0.5, 1.0],
        }
    }
}
