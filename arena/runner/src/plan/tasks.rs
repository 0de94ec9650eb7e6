//! Games to play, of which only the number is known in advance.

use std::fmt;
use std::iter::FusedIterator;

use crate::Task;

/// Games to play, in the order of their numbers. Each is made when it is about to begin, so a run of a million games holds few
/// of them.
pub struct Tasks<'a> {
    left: usize,
    source: Box<dyn Iterator<Item = Task> + 'a>,
}

impl<'a> Tasks<'a> {
    /// Returns the first `count` games of a source.
    pub fn new(count: usize, source: impl Iterator<Item = Task> + 'a) -> Self {
        Self { left: count, source: Box::new(source.take(count)) }
    }

    /// Appends games whose numbers follow the existing ones.
    #[must_use]
    pub fn then(self, tasks: Vec<Task>) -> Self {
        if tasks.is_empty() {
            return self;
        }
        // An exhausted source must not be asked again.
        if self.left == 0 {
            return tasks.into();
        }
        Self { left: self.left + tasks.len(), source: Box::new(self.source.chain(tasks)) }
    }
}

impl From<Vec<Task>> for Tasks<'_> {
    fn from(tasks: Vec<Task>) -> Self {
        Self { left: tasks.len(), source: Box::new(tasks.into_iter()) }
    }
}

impl Iterator for Tasks<'_> {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        let task = self.source.next();
        // A source that ends early has no more.
        self.left = if task.is_some() { self.left.saturating_sub(1) } else { 0 };
        task
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Tasks<'_> {}

impl FusedIterator for Tasks<'_> {}

impl fmt::Debug for Tasks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("left", &self.left).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(number: u64) -> Task {
        Task {
            number,
            pair: number.div_ceil(2),
            leg: 1,
            round: 1,
            place: crate::PairPlace::default(),
            contest: 0,
            seats: [0, 1].into(),
        }
    }

    fn tasks(numbers: impl IntoIterator<Item = u64>) -> Vec<Task> {
        numbers.into_iter().map(task).collect()
    }

    #[test]
    fn games_are_made_as_they_are_asked_for() {
        let mut made = 0;
        let source = (1..).map(task).inspect(|_| made += 1);
        let mut games = Tasks::new(5, source);
        let numbers: Vec<_> = games.by_ref().take(2).map(|task| task.number).collect();
        assert_eq!((numbers, games.len()), (vec![1, 2], 3));
        drop(games);
        assert_eq!(made, 2);
    }

    #[test]
    fn others_follow_whether_or_not_the_first_have_begun() {
        for begun in 0..=3 {
            let mut games = Tasks::from(tasks(1..=3));
            games.by_ref().take(begun).for_each(drop);
            let games = games.then(tasks([4, 5])).then(Vec::new());
            assert_eq!(games.len(), 5 - begun);
            let numbers: Vec<_> = games.map(|task| task.number).collect();
            assert_eq!(numbers, (begun as u64 + 1..=5).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_source_that_ends_early_has_no_more() {
        let mut games = Tasks::new(5, tasks(1..=2).into_iter());
        assert_eq!(games.by_ref().count(), 2);
        assert_eq!((games.len(), games.next()), (0, None));
    }
}
