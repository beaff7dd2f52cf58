//! How sure a share is that was counted over some questions.

use serde::Serialize;

/// Lower and upper end, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval(pub f64, pub f64);

/// Of a normal distribution, the quantile that leaves 2.5 % on each side.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % score interval of a proportion (Wilson 1927, Journal of the American Statistical Association 22, 209-212): it stays inside
/// 0 to 1 and holds for few questions, where the textbook interval does neither. Nothing where nothing was asked.
pub fn wilson(hits: f64, asked: usize) -> Option<Interval> {
    if asked == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "questions of a set are far fewer than 2^52")]
    let n = asked as f64;
    let share = (hits / n).clamp(0.0, 1.0);
    let spread = Z * Z / n;
    let middle = (share + spread / 2.0) / (1.0 + spread);
    let half = Z / (1.0 + spread) * (share * (1.0 - share) / n + spread / (4.0 * n)).sqrt();
    Some(Interval((middle - half).max(0.0), (middle + half).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_paper_gives() {
        // 15 of 50, as in Brown, Cai and DasGupta 2001.
        let Some(Interval(low, high)) = wilson(15.0, 50) else { panic!("something was asked") };
        assert!((low - 0.1910).abs() < 5e-4 && (high - 0.4375).abs() < 5e-4, "{low} {high}");
        assert_eq!(wilson(0.0, 0), None);
        assert!(wilson(10.0, 10).is_some_and(|Interval(_, high)| (high - 1.0).abs() < 1e-9));
        assert!(wilson(0.0, 10).is_some_and(|Interval(low, _)| low.abs() < 1e-9));
    }
}
