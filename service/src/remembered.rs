//! Answers that are worth keeping: bounded by weight, and emptied as a whole when full, so that no input makes it grow.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What was found out, by what was asked.
pub(crate) struct Remembered<K, V> {
    known: Mutex<(BTreeMap<K, Arc<V>>, usize)>,
    most: usize,
}

impl<K: Ord + Clone, V> Remembered<K, V> {
    /// Keeps answers that weigh no more than this together.
    pub(crate) fn new(most: usize) -> Self {
        Self { known: Mutex::new((BTreeMap::new(), 0)), most }
    }

    /// What is known.
    pub(crate) fn get(&self, key: &K) -> Option<Arc<V>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).0.get(key).cloned()
    }

    /// What is known, or what `find` finds; nothing is kept of a failure. Two that ask at once may both look.
    pub(crate) fn get_or_find<E>(
        &self,
        key: &K,
        weight: impl FnOnce(&V) -> usize,
        find: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(known) = self.get(key) {
            return Ok(known);
        }
        let found = Arc::new(find()?);
        let weight = weight(&found);
        if weight > self.most {
            return Ok(found);
        }
        let (known, total) = &mut *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if *total + weight > self.most {
            known.clear();
            *total = 0;
        }
        *total += weight;
        known.insert(key.clone(), Arc::clone(&found));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_remembers_and_never_outgrows_its_bound() {
        let remembered = Remembered::new(3);
        let mut looked = 0;
        for key in [1, 1, 2, 3, 1, 4, 1] {
            let found: Result<_, ()> = remembered.get_or_find(
                &key,
                |_| 1,
                || {
                    looked += 1;
                    Ok(key)
                },
            );
            assert_eq!(found.map(|found| *found), Ok(key));
            assert!(remembered.known.lock().unwrap().1 <= 3);
        }
        assert_eq!(looked, 5);
        assert_eq!(remembered.get_or_find(&9, |_| 1, || Err("away")).map(|found| *found), Err("away"));
    }
}
