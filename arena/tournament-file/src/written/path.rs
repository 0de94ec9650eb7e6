//! Ways to the nodes of a file.

/// The way from the top of a file to one of its nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the value of a key.
    Key(String),
    /// To an item of a list, from 0.
    Item(usize),
}

impl Path {
    /// Returns the path of a key within keys.
    pub fn of(keys: &[&str]) -> Self {
        Self(keys.iter().map(|key| Step::Key((*key).to_owned())).collect())
    }

    /// Returns the path of these steps.
    pub const fn new(steps: Vec<Step>) -> Self {
        Self(steps)
    }

    /// Returns the steps.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Returns the path one step up and the last step; `None` at the top.
    pub fn split(&self) -> Option<(Self, &Step)> {
        self.0.split_last().map(|(last, rest)| (Self(rest.to_vec()), last))
    }

    /// Returns the path with one step more.
    pub fn with(&self, step: Step) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }
}
