//! How opponents meet.

use super::declare::word_enum;

word_enum! {
    /// The format of a tournament: how opponents meet.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Format {
        /// Every two bots meet.
        #[default]
        RoundRobin = "round-robin",
        /// Some bots, the seeds, meet all others.
        Gauntlet = "gauntlet",
        /// The matches of a list.
        List = "list",
        /// Bots with like scores meet, round by round.
        Swiss = "swiss",
        /// Who loses a match is out.
        Knockout = "knockout",
        /// Who loses two matches is out.
        DoubleKnockout = "double-knockout",
        /// Neighbours by rating meet, without end.
        Ladder = "ladder",
        /// Two bots meet until a sequential test has a verdict.
        Sprt = "sprt",
    }
}

impl Format {
    /// Returns whether results decide who meets next.
    #[must_use]
    pub const fn has_feedback(self) -> bool {
        match self {
            Self::Swiss | Self::Knockout | Self::DoubleKnockout | Self::Ladder => true,
            Self::RoundRobin | Self::Gauntlet | Self::List | Self::Sprt => false,
        }
    }

    /// Returns whether every game is known before the first one is played: no result decides what is played next, nor
    /// when to stop.
    #[must_use]
    pub const fn is_decided_beforehand(self) -> bool {
        match self {
            Self::RoundRobin | Self::Gauntlet | Self::List => true,
            Self::Swiss | Self::Knockout | Self::DoubleKnockout | Self::Ladder | Self::Sprt => false,
        }
    }

    /// Returns whether the bots of a format with feedback may change during a run.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Ladder)
    }

    /// Returns whether a format with feedback ends sooner or later by its number of rounds alone.
    #[must_use]
    pub const fn ends_by_rounds(self) -> bool {
        matches!(self, Self::Swiss | Self::Ladder)
    }
}
