//! Tables of pools that are too large for matrices.
//!
//! The table has the same figures, but they are calculated differently. Ratings come from conjugate gradients, their errors
//! from samples ([`crate::fit::conjugate`]), and the small-sample correction of a cluster from the diagonal of the information
//! alone. If components are linked, the ratings of the main component count as known when the others are placed.

use crate::fit::conjugate::LargeSolution;
use crate::fit::errors::certainty::Source;
use crate::fit::errors::sandwich::Clusters;
use crate::fit::errors::spread::Spread;
use crate::fit::fitting::{Estimate, Fitting, Penalty, assemble};
use crate::fit::linked::Links;
use crate::fit::model::UNITS_PER_ELO;
use crate::fit::ridge;
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::{ErrorKind, Errors, FitSettings, Method, Prior, RatingTable};

/// Returns the table of a large pool, without results and bounds, and which advantages the games determine.
pub(crate) fn table(
    tied: &Fitting<'_>,
    tally: &Tally,
    components: &Components,
    main: Option<usize>,
    settings: &FitSettings,
) -> (RatingTable, Vec<bool>) {
    let groups = tied.problem.layout.seats.len();
    let plain = LargeSolution::of(&tied.problem);
    let free: Vec<bool> =
        tied.problem.layout.seats.iter().map(|places| plain.is_some() && !places.is_empty()).collect();
    let is_connected = components.count() <= 1;
    let table = match (ridge(settings.prior, components, main, plain.is_some()), plain) {
        (Some((sigma, cause)), _) => {
            let fitting =
                Fitting::new(tally, components, settings, groups, Some(Penalty { sigma, free: &free }));
            let solution = LargeSolution::of(&fitting.problem);
            let settings = FitSettings { errors: Errors::Hessian, ..*settings };
            of_solution(&fitting, solution.as_ref(), components, &settings, Method::Ridge { sigma, cause })
        }
        (None, Some(plain)) if settings.prior == Prior::Auto && !is_connected => {
            linked(tied, &plain, tally, components, main.unwrap_or_default(), settings)
        }
        (None, plain) => {
            let method = if is_connected { Method::Plain } else { Method::Separate };
            of_solution(tied, plain.as_ref(), components, settings, method)
        }
    };
    (table, free)
}

/// Returns how the parameters of a fit vary, and how well that is known.
fn spread(
    fitting: &Fitting<'_>,
    solution: &LargeSolution,
    errors: Errors,
) -> (Vec<Vec<f64>>, Option<Clusters>) {
    if errors == Errors::Hessian {
        return (solution.examples(&solution.model_gradients()), None);
    }
    let (gradients, clusters) = Clusters::large(&fitting.problem, &solution.values, solution.inverse());
    (solution.examples(&gradients), Some(clusters))
}

fn kind(errors: Errors) -> ErrorKind {
    if errors == Errors::Hessian { ErrorKind::InverseHessian } else { ErrorKind::Clusters }
}

fn of_solution(
    fitting: &Fitting<'_>,
    solution: Option<&LargeSolution>,
    components: &Components,
    settings: &FitSettings,
    method: Method,
) -> RatingTable {
    let layout = &fitting.problem.layout;
    let estimate = solution.map(|solution| {
        let (examples, clusters) = spread(fitting, solution, settings.errors);
        let source = clusters.map(|clusters| Source {
            clusters,
            places: (0..layout.size).map(Some).collect(),
            rated: layout.players.iter().flatten().count(),
            blocks: Source::blocks(layout.size, &fitting.problem.blocks),
            unit: UNITS_PER_ELO.powi(-2),
        });
        let (values, spread) = (solution.values.clone(), Spread::Sampled(examples));
        Estimate { values, spread, source, scales: fitting.scales.clone(), origin: None }
    });
    let log_likelihood = solution.map_or(0.0, |solution| solution.log_likelihood);
    let places = (layout.players.clone(), layout.seats.clone());
    assemble(estimate, places, components, settings, (method, kind(settings.errors), log_likelihood))
}

/// Works as [`crate::fit::linked::table`], with the ratings within components treated as known.
fn linked(
    fitting: &Fitting<'_>,
    plain: &LargeSolution,
    tally: &Tally,
    components: &Components,
    main: usize,
    settings: &FitSettings,
) -> RatingTable {
    let between = tally.filtered(|i, j| !components.ties(i, j));
    let links = Links::new(fitting, &plain.values, &between, components, main, settings);
    let problem = links.problem(&between);
    let Some(found) = LargeSolution::of(&problem) else {
        return of_solution(fitting, Some(plain), components, settings, Method::Separate);
    };
    let (mut inner, clusters) = spread(fitting, plain, settings.errors);
    for one in &mut inner {
        for scale in &fitting.scales {
            let mean = scale.iter().map(|&i| one[i]).sum::<f64>() / scale.len() as f64;
            scale.iter().for_each(|&i| one[i] -= mean);
        }
    }
    let own = found.examples(&found.model_gradients());
    let deviation = |(inner, own): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
        let part = |values: &[f64], place: Option<usize>| place.map_or(0.0, |place| values[place]);
        links.rows().map(|(source, link)| part(inner, source) + part(own, link)).collect()
    };
    let spread = Spread::Sampled(inner.iter().zip(&own).map(deviation).collect());
    let log_likelihood = plain.log_likelihood + found.log_likelihood;
    links.table(&found.values, spread, clusters, (kind(settings.errors), log_likelihood), settings)
}
