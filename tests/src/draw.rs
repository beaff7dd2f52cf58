//! Chance that can be repeated: splitmix64 (Steele, Lea and Flood 2014, <https://doi.org/10.1145/2660193.2660195>).
//! The same seed gives the same world on every machine.

#![expect(clippy::expect_used, reason = "only small numbers are drawn, from lists that hold something")]

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to this one, without it.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a small number").max(1);
        usize::try_from(self.number() % end).expect("a small number")
    }

    /// True so many times of a hundred.
    pub fn chance(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        from.get(self.below(from.len())).expect("something to pick from")
    }

    /// One of these words.
    pub fn word(&mut self, from: &[&'static str]) -> &'static str {
        from.get(self.below(from.len())).expect("a word to pick")
    }

    /// So many characters of an alphabet.
    pub fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| *self.pick(&letters)).collect()
    }

    /// So many hexadecimal digits.
    pub fn hex(&mut self, length: usize) -> String {
        self.text("0123456789abcdef", length)
    }
}
