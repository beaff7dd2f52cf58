//! Denied acts that were written down a moment ago: who tries the same again and again fills no disk, and the next entry says how
//! often it was.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long one entry stands for all.
const WINDOW: Duration = Duration::from_secs(60);
/// Most acts that are remembered; beyond, the oldest windows are forgotten first.
const MOST: usize = 10_000;

/// What is remembered, by caller, action and resource.
#[derive(Default)]
pub(crate) struct Denials(Mutex<BTreeMap<String, (Instant, u64)>>);

impl Denials {
    /// Nothing where an entry stands for this one too; else for how many more the last one stood.
    pub(crate) fn take(&self, what: String) -> Option<u64> {
        let known = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some((written, more)) = known.get_mut(&what)
            && now.duration_since(*written) < WINDOW
        {
            *more += 1;
            return None;
        }
        if known.len() >= MOST {
            known.retain(|_, (written, _)| now.duration_since(*written) < WINDOW);
        }
        if known.len() >= MOST {
            known.clear();
        }
        Some(known.insert(what, (now, 0)).map_or(0, |(_, more)| more))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_entry_stands_for_the_same_act_for_a_while() {
        let denials = Denials::default();
        assert_eq!(denials.take("a".to_owned()), Some(0));
        assert_eq!(denials.take("a".to_owned()), None);
        assert_eq!(denials.take("b".to_owned()), Some(0));
        denials.0.lock().unwrap().get_mut("a").unwrap().0 -= WINDOW;
        assert_eq!(denials.take("a".to_owned()), Some(1));
        for number in 0..2 * MOST {
            denials.take(number.to_string());
        }
        assert!(denials.0.lock().unwrap().len() <= MOST);
    }
}
