//! Denied acts that were written down a moment ago: who tries the same again and again fills no disk, and the next entry says how
//! often it was.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long one entry stands for all.
const WINDOW: Duration = Duration::from_secs(60);
/// Most acts that are remembered; beyond, the oldest windows are forgotten first.
const MOST: usize = 10_000;

/// Most entries that one caller makes in a window, whatever it tries.
const MOST_OF_ONE: usize = 60;

/// What is remembered, by caller and by what it tried.
#[derive(Default)]
pub(crate) struct Denials(Mutex<BTreeMap<Denial, (Instant, u64)>>);

/// A caller, and the action, resource and reason of what it tried.
pub(crate) type Denial = (String, String);

impl Denials {
    /// Nothing where an entry stands for this one too; else for how many more the last one stood.
    pub(crate) fn take(&self, denial: &Denial) -> Option<u64> {
        let known = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some((written, more)) = known.get_mut(denial)
            && now.duration_since(*written) < WINDOW
        {
            *more += 1;
            return None;
        }
        let caller = &denial.0;
        let of_caller = known.range((caller.clone(), String::new())..).take_while(|((other, _), _)| other == caller);
        if of_caller.filter(|(_, (written, _))| now.duration_since(*written) < WINDOW).count() >= MOST_OF_ONE {
            return None;
        }
        if known.len() >= MOST {
            known.retain(|_, (written, _)| now.duration_since(*written) < WINDOW);
        }
        if known.len() >= MOST {
            known.clear();
        }
        Some(known.insert(denial.clone(), (now, 0)).map_or(0, |(_, more)| more))
    }

    /// The entry could not be written, so the next one is.
    pub(crate) fn forget(&self, denial: &Denial) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(denial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_entry_stands_for_the_same_act_for_a_while() {
        let denials = Denials::default();
        let denial = |caller: &str, what: &str| (caller.to_owned(), what.to_owned());
        let (a, b) = (denial("bot", "a"), denial("bot", "b"));
        assert_eq!(denials.take(&a), Some(0));
        assert_eq!(denials.take(&a), None);
        assert_eq!(denials.take(&b), Some(0));
        denials.0.lock().unwrap().get_mut(&a).unwrap().0 -= WINDOW;
        assert_eq!(denials.take(&a), Some(1));
        denials.forget(&a);
        assert_eq!(denials.take(&a), Some(0), "what could not be written is tried again");
        let many = (0..MOST).filter(|number| denials.take(&denial("eve", &number.to_string())).is_some()).count();
        assert_eq!(many, MOST_OF_ONE);
        for number in 0..2 * MOST {
            denials.take(&denial(&number.to_string(), "a"));
        }
        assert!(denials.0.lock().unwrap().len() <= MOST);
    }
}
