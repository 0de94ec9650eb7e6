//! Laws of the sequential test, whatever the counts.

use proptest::prelude::*;

use stats::Counts;
use stats::sprt::{Figures, Hypotheses, Model, SprtVerdict, log_likelihood_ratio};

/// Counts of observations with so many scores: 3 of games, 5 of pairs, 13 of blocks at tables of three.
fn counts(scores: usize) -> impl Strategy<Value = Counts> {
    let count = prop_oneof![Just(0u64), 0u64..5, 0u64..300, 0u64..200_000];
    prop::collection::vec(count, scores)
        .prop_map(|counts| Counts::from_list(counts).expect("such observations"))
}

fn hypotheses() -> impl Strategy<Value = Hypotheses> {
    let model = prop_oneof![Just(Model::Logistic), Just(Model::Normalized)];
    let width = prop_oneof![0.5..20.0, 20.0..600.0];
    (-600.0..600.0, width, 0.001..0.4, 0.001..0.4, model).prop_map(|(elo0, width, alpha, beta, model)| {
        Hypotheses::new(elo0, elo0 + width, alpha, beta, model).expect("valid test data")
    })
}

/// The same test from the opponent's view.
fn mirrored(test: &Hypotheses) -> Hypotheses {
    Hypotheses::new(-test.elo1(), -test.elo0(), test.beta(), test.alpha(), test.model())
        .expect("valid test data")
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-7 * (1.0 + a.abs())
}

proptest! {
    #[test]
    fn mirrored_results_have_the_opposite_figures(counts in prop_oneof![counts(5), counts(13)], test in hypotheses()) {
        let (one, other) = (log_likelihood_ratio(&counts, &test), log_likelihood_ratio(&counts.mirrored(), &mirrored(&test)));
        prop_assert!(near(one, -other), "{one} {other}");
        if let (Some(one), Some(other)) =
            (Figures::of(&counts, &test), Figures::of(&counts.mirrored(), &mirrored(&test)))
        {
            prop_assert!(near(one.elo, -other.elo) && near(one.elo_error, other.elo_error));
            prop_assert!((one.los + other.los - 1.0).abs() < 1e-9);
            // The search stops where the probability does not change any more.
            prop_assert!((one.unbiased.elo + other.unbiased.elo).abs() < 0.01, "{one:?} {other:?}");
        }
    }

    #[test]
    fn figures_are_finite_and_in_order(counts in prop_oneof![counts(3), counts(25)], test in hypotheses()) {
        let Some(figures) = Figures::of(&counts, &test) else {
            prop_assert_eq!(counts.total(), 0);
            return Ok(());
        };
        let unbiased = figures.unbiased;
        let optional = [figures.nelo, figures.nelo_error];
        let all = [figures.llr, figures.score, figures.elo, figures.elo_error, figures.los, unbiased.elo];
        prop_assert!(optional.into_iter().flatten().chain(all).all(f64::is_finite), "{figures:?}");
        prop_assert!(unbiased.low <= unbiased.elo && unbiased.elo <= unbiased.high, "{figures:?}");
        prop_assert_eq!(figures.decision == SprtVerdict::H1, figures.llr >= figures.upper);
    }

    #[test]
    fn a_better_result_speaks_for_the_upper_hypothesis(
        counts in prop_oneof![counts(5), counts(13)], test in hypotheses(), from in 0usize..4,
    ) {
        let test = Hypotheses::new(test.elo0(), test.elo1(), test.alpha(), test.beta(), Model::Logistic)
            .expect("only the model is another");
        // At least one result of both scores throughout: the thousandth for unseen ones does not come and go.
        let mut worse = counts.counts().to_vec();
        worse[from] += 2;
        worse[from + 1] += 1;
        let mut better = worse.clone();
        better[from] -= 1;
        better[from + 1] += 1;
        let [worse, better] = [worse, better].map(|counts| {
            log_likelihood_ratio(&Counts::from_list(counts).expect("such observations"), &test)
        });
        prop_assert!(better > worse - 1e-7, "{worse} {better}");
    }
}
