//! Shares and scores as whole numbers of 1/10000, so that comparing, hashing and printing agree on every machine.
//! Weights and thresholds are stored this way in a snapshot, and scores are compared only after this rounding.

use serde::{Deserialize, Serialize};

/// A number in units of 1/10000: `Ratio(7312)` is 0.7312. Serialised as the whole number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ratio(pub i32);

impl Ratio {
    /// One whole.
    pub const ONE: Self = Self(10_000);

    /// Rounds half away from zero; a value that is not finite counts as zero.
    pub fn from_f64(value: f64) -> Self {
        if !value.is_finite() {
            return Self(0);
        }
        #[expect(clippy::cast_possible_truncation, reason = "clamped to the range of i32 on the same line")]
        let units = (value * 10_000.0).round().clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32;
        Self(units)
    }

    /// The number as a float, for arithmetic inside one score.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 10_000.0
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.4}", self.to_f64())
    }
}

/// A ratio that leaves as a decimal number (`0.7312`), the form of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub Ratio);

impl Score {
    /// Rounds as [`Ratio::from_f64`].
    pub fn from_f64(value: f64) -> Self {
        Self(Ratio::from_f64(value))
    }

    /// The number as a float.
    pub fn to_f64(self) -> f64 {
        self.0.to_f64()
    }
}

impl Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_f64())
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::from_f64)
    }
}
