//! `--shard`: which part of a schedule one of several arenas plays that know nothing of each other.
//!
//! A shard is a residue: of n shards, shard i plays the pairs k with k ≡ i (mod n). The numbers of pairs are a
//! function of the configuration, so shards need no server, and `arena merge` puts their journals together.

use std::env;
use std::fmt;

use diagnostic::Failure;

/// The most shards of a run.
const MOST: u64 = 100_000;

/// What a shard can be, for messages.
const FORMS: &str = "for example `--shard 0/4`, or `--shard auto/4` in an array job";

/// A part of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// What the numbers of its pairs leave when divided by `count`; less than that.
    index: u64,
    /// How many shards there are, from 1.
    count: u64,
}

impl Shard {
    /// Returns whether the pair with this number, from 1, is played by this shard.
    pub const fn has(self, pair: u64) -> bool {
        pair % self.count == self.index
    }

    /// Says which pairs it plays.
    pub fn pairs(self) -> String {
        format!("the pairs k with k mod {} = {}", self.count, self.index)
    }

    /// Returns the shard `index` of `count`; n of n is the same as 0 of n, whether they are counted from 0 or 1.
    fn new(index: u64, count: u64, text: &str) -> Result<Self, Failure> {
        if count == 0 || count > MOST {
            let message = format!("`--shard {text}`: there cannot be {count} shards");
            return Err(Failure::usage(message).hint(format!("from 1 to {MOST}; {FORMS}")));
        }
        if index > count {
            let message = format!("`--shard {text}`: there is no shard {index} of {count}");
            let hint = format!("shards are 0 to {}; {count} is the same as 0", count - 1);
            return Err(Failure::usage(message).hint(hint));
        }
        Ok(Self { index: index % count, count })
    }

    /// Reads the part of a schedule that the value of `--shard` names: `I/N`, or `auto/N` and `auto` in an array job.
    ///
    /// # Errors
    /// When it names none.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        Self::read(text, |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
    }

    /// Reads `I/N`, `auto/N` or `auto`; `variable` knows the environment.
    fn read(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let array = Array { text, variable };
        let (index, count) = match text.split_once('/') {
            None if text == "auto" => return array.whole(),
            Some(("auto", count)) => (Some(array.index()?), count.parse().ok()),
            Some((index, count)) => (index.parse().ok(), count.parse().ok()),
            None => (None, None),
        };
        match (index, count) {
            (Some(index), Some(count)) => Self::new(index, count, text),
            _ => Err(Failure::usage(format!("`--shard {text}` names no shard")).hint(FORMS)),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// What an array job says of its tasks in the environment.
struct Array<'a, F> {
    text: &'a str,
    variable: F,
}

impl<F: Fn(&str) -> Option<String>> Array<'_, F> {
    /// Returns the number of this task.
    fn index(&self) -> Result<u64, Failure> {
        const NAMES: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];
        match (self.number(NAMES[0])?, self.number(NAMES[1])?) {
            (Some(_), Some(_)) => Err(self.refuse(&format!("both {} and {} are set", NAMES[0], NAMES[1]))),
            (Some(index), None) | (None, Some(index)) => Ok(index),
            (None, None) => Err(self.refuse(&format!("neither {} nor {} is set", NAMES[0], NAMES[1]))),
        }
    }

    /// Returns the shard where the number of tasks is in the environment too. A part of an array that was submitted
    /// again must not be taken for a whole one.
    fn whole(&self) -> Result<Shard, Failure> {
        let index = self.index()?;
        if let Some(count) = self.number("JOB_COMPLETIONS")? {
            return Shard::new(index, count, self.text);
        }
        let names = ["SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"];
        let [Some(count), Some(least), Some(most)] =
            [self.number(names[0])?, self.number(names[1])?, self.number(names[2])?]
        else {
            return Err(self.refuse("the environment does not say how many tasks there are"));
        };
        let is_whole = count > 1 && least <= 1 && most.checked_sub(least) == Some(count - 1);
        if !is_whole || index < least || index > most {
            let message =
                format!("task {index} of {count}, numbered {least} to {most}, is of no whole array");
            return Err(self.refuse(&message));
        }
        Shard::new(index, count, self.text)
    }

    fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        let Some(value) = (self.variable)(name) else { return Ok(None) };
        let number = value.parse().map_err(|_| self.refuse(&format!("{name} is `{value}`, no number")))?;
        Ok(Some(number))
    }

    fn refuse(&self, message: &str) -> Failure {
        Failure::usage(format!("`--shard {}`: {message}", self.text))
            .hint("`--shard auto/N` takes the number of shards from the command line, `--shard I/N` both")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, environment: &[(&str, &str)]) -> Result<(u64, u64), String> {
        let variable = |name: &str| {
            let (_, value) = environment.iter().find(|(key, _)| *key == name)?;
            Some((*value).to_owned())
        };
        let shard = Shard::read(text, variable).map_err(|failure| failure.to_string())?;
        Ok((shard.index, shard.count))
    }

    #[test]
    fn every_pair_is_of_one_shard() {
        let shards: Vec<_> = (1..=3).map(|index| Shard::new(index, 3, "").unwrap()).collect();
        for pair in 1..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(pair)).count(), 1, "{pair}");
        }
    }

    #[test]
    fn shards_are_counted_from_0_or_from_1() {
        assert_eq!(read("0/4", &[]), Ok((0, 4)));
        assert_eq!(read("4/4", &[]), Ok((0, 4)));
        assert_eq!(read("3/4", &[]), Ok((3, 4)));
        assert_eq!(read("0/1", &[]), Ok((0, 1)));
        assert!(read("5/4", &[]).unwrap_err().contains("there is no shard 5 of 4"));
        assert!(read("0/0", &[]).unwrap_err().contains("there cannot be 0 shards"));
        for text in ["", "1", "1/", "/4", "-1/4", "a/4", "1/4/2", "auto/", "auto/x"] {
            assert!(
                read(text, &[("SLURM_ARRAY_TASK_ID", "1")]).unwrap_err().contains("names no shard"),
                "{text}"
            );
        }
    }

    #[test]
    fn array_jobs_name_their_tasks() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "4"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_MAX", "4"),
        ];
        assert_eq!(read("auto", &slurm), Ok((0, 4)));
        assert_eq!(read("auto/8", &slurm), Ok((4, 8)));
        assert_eq!(read("0/2", &slurm), Ok((0, 2)));
        let completions = [("JOB_COMPLETION_INDEX", "2"), ("JOB_COMPLETIONS", "3")];
        assert_eq!(read("auto", &completions), Ok((2, 3)));
        assert_eq!(read("auto/5", &completions[..1]), Ok((2, 5)));
    }

    #[test]
    fn what_is_no_whole_array_is_refused() {
        assert!(read("auto", &[]).unwrap_err().contains("is set"));
        assert!(read("auto", &[("JOB_COMPLETION_INDEX", "2")]).unwrap_err().contains("how many tasks"));
        assert!(read("auto/4", &[("JOB_COMPLETION_INDEX", "x")]).unwrap_err().contains("`x`, no number"));
        let both = [("JOB_COMPLETION_INDEX", "2"), ("SLURM_ARRAY_TASK_ID", "2")];
        assert!(read("auto/4", &both).unwrap_err().contains("both"));
        for [id, count, least, most] in [["3", "1", "3", "3"], ["0", "1", "0", "0"], ["1", "3", "1", "9"]] {
            let again = [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_ARRAY_TASK_MIN", least),
                ("SLURM_ARRAY_TASK_MAX", most),
            ];
            assert!(read("auto", &again).unwrap_err().contains("no whole array"), "{id}");
        }
    }
}
