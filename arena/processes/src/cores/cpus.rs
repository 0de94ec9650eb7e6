//! Sets of logical processors, as the system writes them: `0-3,8`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The greatest number of a processor that is read: no system has more, and a list must not fill the memory.
const GREATEST: usize = 1 << 16;

/// A set of logical processors, by their numbers.
///
/// ```
/// use processes::Cpus;
///
/// let cpus: Cpus = "0-3,8".parse()?;
/// assert_eq!((cpus.len(), cpus.contains(8)), (5, true));
/// assert_eq!(cpus.union(&"4".parse()?).to_string(), "0-4,8");
/// # Ok::<(), processes::NoCpus>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cpus(BTreeSet<usize>);

impl Cpus {
    /// Returns the numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied()
    }

    /// Returns how many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether this one is among them.
    #[must_use]
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(&cpu)
    }

    /// Returns the lowest number.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.0.first().copied()
    }

    /// Adds one.
    pub(crate) fn insert(&mut self, cpu: usize) {
        self.0.insert(cpu);
    }

    /// Returns those of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(&self.0 | &other.0)
    }
}

impl FromIterator<usize> for Cpus {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

/// Writes ranges with commas between them, lowest first.
impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = self.iter().peekable();
        let mut separator = "";
        while let Some(first) = numbers.next() {
            let mut last = first;
            while let Some(next) = numbers.next_if_eq(&(last + 1)) {
                last = next;
            }
            match last - first {
                0 => write!(f, "{separator}{first}")?,
                _ => write!(f, "{separator}{first}-{last}")?,
            }
            separator = ",";
        }
        Ok(())
    }
}

/// A text that is no list of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("is no list of processors such as `0-3,8`")]
pub struct NoCpus;

impl FromStr for Cpus {
    type Err = NoCpus;

    fn from_str(text: &str) -> Result<Self, NoCpus> {
        let mut cpus = Self::default();
        for part in text.trim().split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number <= GREATEST);
            let (first, last) = number(first).zip(number(last)).ok_or(NoCpus)?;
            cpus.0.extend(first..=last);
        }
        Ok(cpus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        for text in ["", "0", "0-3", "0-1,4", "0,2,4-6,9"] {
            assert_eq!(text.parse::<Cpus>().unwrap().to_string(), text);
        }
        assert_eq!(" 4,0-1,1\n".parse::<Cpus>().unwrap().to_string(), "0-1,4");
        for text in ["x", "1-", "-1", "0-99999999999", "3;4"] {
            assert_eq!(text.parse::<Cpus>(), Err(NoCpus), "{text}");
        }
    }
}
