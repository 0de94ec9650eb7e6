//! The question of a sequential test and the meaning of its verdict, in words that are correct for any two hypotheses.

use stats::sprt::{Hypotheses, SprtVerdict};

use crate::SequentialTest;

/// The beginning of a verdict, which identifies it in an earlier report.
pub(crate) const PASSED: &str = "Yes: the test is passed.";
/// The same for a failed test.
pub(crate) const FAILED: &str = "No: the test has failed.";
/// The same for a test without a verdict.
pub(crate) const NONE: &str = "No verdict";

/// The question of a test between two versions of a bot.
///
/// A test between 100 Elo weaker and equal strength does not ask whether the new version is stronger, and its answer does not
/// say so. Every form of output uses these sentences.
///
/// ```
/// use report::TestQuestion;
/// use stats::sprt::{SprtVerdict, Hypotheses, Model};
///
/// let smoke = Hypotheses::new(-100.0, 0.0, 0.05, 0.05, Model::Normalized)?;
/// let question = TestQuestion::new("`new`", "`base`", "normalized Elo", &smoke);
/// assert_eq!(question.asked(), "Is `new` weaker than `base` by less than 100 normalized Elo, if at all?");
/// assert!(question.answer(SprtVerdict::H1).ends_with("This does not show that `new` is stronger."));
/// # Ok::<(), stats::sprt::HypothesesError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TestQuestion {
    new: String,
    base: String,
    scale: String,
    elo0: f64,
    elo1: f64,
}

impl TestQuestion {
    /// Returns the question of a test of `new` against `base`. Both are given as a sentence names them, `scale` for example as
    /// `normalized Elo`.
    #[must_use]
    pub fn new(new: &str, base: &str, scale: &str, hypotheses: &Hypotheses) -> Self {
        let [new, base, scale] = [new, base, scale].map(str::to_owned);
        Self { new, base, scale, elo0: hypotheses.elo0(), elo1: hypotheses.elo1() }
    }

    /// Returns the question of a running test, with the names of its bots in backticks.
    #[must_use]
    pub fn of(trial: &SequentialTest) -> Self {
        let [new, base] = trial.names().map(|name| format!("`{name}`"));
        let hypotheses = trial.walk().hypotheses();
        Self::new(&new, &base, &format!("{} Elo", hypotheses.model()), hypotheses)
    }

    /// Returns the question as one sentence.
    #[must_use]
    pub fn asked(&self) -> String {
        let Self { new, base, scale, elo0, elo1 } = self;
        match () {
            () if *elo0 > 0.0 => format!("Is {new} stronger than {base} by more than {elo0} {scale}?"),
            () if *elo0 == 0.0 => format!("Is {new} stronger than {base}?"),
            () if *elo1 <= 0.0 => {
                format!("Is {new} weaker than {base} by less than {} {scale}, if at all?", -elo0)
            }
            () => {
                format!("Is {new} {elo1} {scale} stronger than {base}, rather than {} weaker?", -elo0)
            }
        }
    }

    /// Returns the meaning of a verdict: yes or no, which hypothesis the results fit, and what does not follow.
    #[must_use]
    pub fn answer(&self, decision: SprtVerdict) -> String {
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| self.hypothesis(elo));
        match decision {
            SprtVerdict::H1 => {
                let limit = self.limit(self.elo0 < 0.0, "stronger");
                format!("{PASSED} The results fit {h1} (H1) better than {h0} (H0).{limit}")
            }
            SprtVerdict::H0 => {
                let limit = self.limit(self.elo1 > 0.0, "weaker");
                format!("{FAILED} The results fit {h0} (H0) better than {h1} (H1).{limit}")
            }
            SprtVerdict::Continue => format!("{NONE} yet: neither bound is reached."),
        }
    }

    /// Names a difference in strength.
    fn hypothesis(&self, elo: f64) -> String {
        match () {
            () if elo > 0.0 => format!("{} being {elo} {} stronger", self.new, self.scale),
            () if elo < 0.0 => format!("{} being {} {} weaker", self.new, -elo, self.scale),
            () => "equal strength".to_owned(),
        }
    }

    /// Returns what a verdict does not show, if a reader could think that it does.
    fn limit(&self, is_tempting: bool, what: &str) -> String {
        if is_tempting { format!(" This does not show that {} is {what}.", self.new) } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use stats::sprt::Model;

    use super::*;

    fn check(bounds: [f64; 2], asked: &str, passed: &str, failed: &str) {
        let [elo0, elo1] = bounds;
        let hypotheses = Hypotheses::new(elo0, elo1, 0.05, 0.05, Model::Logistic).expect("a test");
        let question = TestQuestion::new("A", "B", "Elo", &hypotheses);
        assert_eq!(question.asked(), asked);
        assert_eq!(question.answer(SprtVerdict::H1), format!("{PASSED} The results fit {passed}"));
        assert_eq!(question.answer(SprtVerdict::H0), format!("{FAILED} The results fit {failed}"));
    }

    #[test]
    fn bounds_from_zero_ask_for_more_strength() {
        check(
            [0.0, 5.0],
            "Is A stronger than B?",
            "A being 5 Elo stronger (H1) better than equal strength (H0).",
            "equal strength (H0) better than A being 5 Elo stronger (H1). This does not show that A is weaker.",
        );
    }

    #[test]
    fn bounds_up_to_zero_ask_how_much_may_be_lost() {
        check(
            [-100.0, 0.0],
            "Is A weaker than B by less than 100 Elo, if at all?",
            "equal strength (H1) better than A being 100 Elo weaker (H0). This does not show that A is stronger.",
            "A being 100 Elo weaker (H0) better than equal strength (H1).",
        );
        check(
            [-2.5, -0.0],
            "Is A weaker than B by less than 2.5 Elo, if at all?",
            "equal strength (H1) better than A being 2.5 Elo weaker (H0). This does not show that A is stronger.",
            "A being 2.5 Elo weaker (H0) better than equal strength (H1).",
        );
    }

    #[test]
    fn bounds_around_zero_ask_which_side() {
        check(
            [-5.0, 5.0],
            "Is A 5 Elo stronger than B, rather than 5 weaker?",
            "A being 5 Elo stronger (H1) better than A being 5 Elo weaker (H0). This does not show that A is stronger.",
            "A being 5 Elo weaker (H0) better than A being 5 Elo stronger (H1). This does not show that A is weaker.",
        );
    }

    #[test]
    fn bounds_of_one_sign_ask_for_a_distance() {
        check(
            [5.0, 10.0],
            "Is A stronger than B by more than 5 Elo?",
            "A being 10 Elo stronger (H1) better than A being 5 Elo stronger (H0).",
            "A being 5 Elo stronger (H0) better than A being 10 Elo stronger (H1). This does not show that A is weaker.",
        );
        check(
            [-10.0, -5.0],
            "Is A weaker than B by less than 10 Elo, if at all?",
            "A being 5 Elo weaker (H1) better than A being 10 Elo weaker (H0). This does not show that A is stronger.",
            "A being 10 Elo weaker (H0) better than A being 5 Elo weaker (H1).",
        );
    }
}
