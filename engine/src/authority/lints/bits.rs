//! A set of small numbers: which things of a grid a policy is about.

use std::rc::Rc;

/// Numbers below a length that all sets of one grid share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

const WORD: usize = 64;

impl Bits {
    /// None of so many.
    pub(super) fn none(length: usize) -> Self {
        Self(vec![0; length.div_ceil(WORD)])
    }

    /// All of so many.
    pub(super) fn all(length: usize) -> Self {
        Self::of(0..length, length)
    }

    /// These of so many.
    pub(super) fn of(numbers: impl IntoIterator<Item = usize>, length: usize) -> Self {
        let mut set = Self::none(length);
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }

    pub(super) fn insert(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / WORD) {
            *word |= 1 << (number % WORD);
        }
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0.get(number / WORD).is_some_and(|word| word & (1 << (number % WORD)) != 0)
    }

    /// What is in both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// They have something in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Its members in rising order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then_some(left.trailing_zeros())?;
                left &= left - 1;
                Some(at * WORD + bit as usize)
            })
        })
    }
}

/// A set whose members are numbered, so that what is kept of each takes room for the members alone.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    members: Rc<Bits>,
    /// By member its number; of others something.
    numbers: Rc<[u32]>,
    count: usize,
}

impl Numbered {
    pub(super) fn new(members: Bits, length: usize) -> Self {
        let (mut count, mut numbers) = (0_u32, vec![0; length]);
        for member in members.iter() {
            if let Some(number) = numbers.get_mut(member) {
                *number = count;
                count += 1;
            }
        }
        Self { members: Rc::new(members), numbers: numbers.into(), count: count as usize }
    }

    pub(super) fn members(&self) -> &Bits {
        &self.members
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number of a member; nothing for others.
    pub(super) fn number(&self, member: usize) -> Option<usize> {
        self.numbers.get(member).filter(|_| self.members.contains(member)).map(|number| *number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> Bits {
        Bits::of(numbers.iter().copied(), 130)
    }

    #[test]
    fn sets_of_numbers() {
        let (a, b) = (set(&[0, 63, 64, 129]), set(&[1, 63, 129]));
        assert_eq!(a.and(&b), set(&[63, 129]));
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert!(a.contains(64) && !b.contains(64) && a.meets(&b) && !a.meets(&set(&[2])));
        assert_eq!(set(&[]).iter().count(), 0);
        assert_eq!(Bits::all(130).iter().count(), 130);
        assert!(!a.contains(500));
        let numbered = Numbered::new(a, 130);
        assert_eq!([0, 63, 129, 1].map(|member| numbered.number(member)), [Some(0), Some(1), Some(3), None]);
        assert_eq!((numbered.count(), numbered.members().contains(64)), (4, true));
    }
}
