//! The covariance of a fit from the spread of the results, without trusting the covariance of the model.
//!
//! With the information `A` and the sum `B` of the outer products of each cluster's gradient, the covariance is `A⁻¹ B A⁻¹`
//! (White 1982; Liang and Zeger 1986). A cluster consists of results that depend on each other: the games that share an
//! opening, or a colour-swapped pair. The plain form is too small for few clusters, because the fit follows the very results
//! whose spread it measures. The reduced-bias form, CR2, uses `(1 − A_g A⁻¹)^(−½) s_g` for the gradient `s_g` of a cluster with
//! the information `A_g`. It is unbiased if games are independent and vary as the model assumes. Student's t corrects the rest,
//! with the degrees of freedom at which its variance varies like that of a χ² (Bell and McCaffrey 2002, *Survey Methodology*
//! 28; McCaffrey and Bell 2006, *Statistics in Medicine* 25; for any cluster and contrast Pustejovsky and Tipton 2018, *Journal
//! of Business & Economic Statistics* 36).

use std::collections::BTreeMap;

use crate::GameScore;
use crate::fit::solver::{Problem, Solution};
use crate::numeric::inverse::Inverse;
use crate::numeric::matrix::Matrix;

/// In directions that a cluster alone determines, one minus the leverage is rounding, and so is the residual.
const DECIDED: f64 = 1e-7;

/// How many kinds of clusters determine the degrees of freedom of a figure: those with the highest weight. With more kinds the
/// degrees are so many that their number does not matter.
const MOST_KINDS: usize = 256;

/// The share of a figure's variance below which the remaining clusters are ignored.
const NEGLIGIBLE: f64 = 1e-2;

/// The clusters of a fit, as a measure of how well its variances are known.
#[derive(Debug, Clone)]
pub(crate) struct Clusters {
    /// The inverse of the information.
    inverse: Inverse,
    kinds: Vec<Kind>,
    /// The kinds that involve each parameter.
    about: Vec<Vec<u32>>,
    /// The typical dispersion of ratings.
    pub(crate) typical: Typical,
}

/// The dispersion of the results: their variance relative to that of the model.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Typical {
    /// The mean over all directions of the ratings.
    pub(crate) dispersion: f64,
    /// The number of these directions.
    pub(crate) directions: usize,
}

/// All clusters with the same games: only their results differ.
#[derive(Debug, Clone)]
struct Kind {
    /// The parameters that they involve.
    places: Vec<usize>,
    /// The information of a cluster on these parameters.
    information: Matrix,
    /// `(1 − A_g A⁻¹)^(−½)` on these parameters.
    root: Matrix,
    /// The number of games of a cluster.
    games: u32,
    count: u64,
}

/// The precision of a variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Freedom {
    /// The degrees of freedom.
    pub(crate) degrees: f64,
    /// The part of the model's variance that the results can show, 0 to 1: less than 1 if a single cluster determines the
    /// figure.
    pub(crate) shown: f64,
    /// The variance according to the model, in square natural units.
    pub(crate) variance: f64,
    /// The variance if the games of a cluster are fully dependent. A score varies no more than the model assumes, and the sum
    /// of n such scores has at most n times their total variance.
    pub(crate) greatest: f64,
}

/// Returns the plain sandwich without a small-sample correction (HC0): by pairs and single games, or by games.
pub(crate) fn plain(problem: &Problem<'_>, solution: &Solution, by_pairs: bool) -> Matrix {
    let gradients = gradients(problem, &solution.values);
    let of = |cell: usize, score: GameScore| &gradients[cell][usize::from(score.halves())];
    let mut middle = Matrix::zero(problem.layout.size);
    if by_pairs {
        for unit in &problem.tally.units {
            let cluster: Vec<(usize, f64)> =
                unit.results().flat_map(|(cell, score)| of(cell, score)).copied().collect();
            middle.add_square(&cluster, unit.count as f64);
        }
    } else {
        for (leg, count) in problem.tally.games() {
            let game: Vec<(usize, f64)> =
                leg.iter().flat_map(|&(cell, score)| of(cell as usize, score)).copied().collect();
            middle.add_square(&game, count as f64);
        }
    }
    between(&solution.inverse, &middle)
}

/// Returns `A⁻¹ B A⁻¹`. Players with few opponents leave most of `B` zero, which costs nothing on the left.
fn between(inverse: &Matrix, middle: &Matrix) -> Matrix {
    inverse.product(&middle.product(inverse))
}

/// Returns the gradient of a game by cell and result, for the parameters that it involves.
fn gradients(problem: &Problem<'_>, values: &[f64]) -> Vec<[Vec<(usize, f64)>; 3]> {
    let cell = |cell| {
        let moments = problem.moments(cell, values);
        moments.gradient.map(|gradient| problem.spread(cell, gradient))
    };
    (0..problem.tally.cells.len()).map(cell).collect()
}

/// The cells of a cluster's games, each with its number of games. Clusters of one kind share it.
type Shape = Vec<(usize, u32)>;

/// The adjusted gradient of a cluster by the parameters, and the number of such clusters.
pub(crate) type Adjusted = (Vec<(usize, f64)>, u64);

impl Clusters {
    /// Returns the covariance of the solution's parameters, in square natural units, and how well it is known.
    pub(crate) fn dense(problem: &Problem<'_>, solution: &Solution) -> (Matrix, Self) {
        let inverse = &solution.inverse;
        let (adjusted, mut clusters) = Self::of(problem, &solution.values, Inverse::Dense(inverse.clone()));
        let mut middle = Matrix::zero(problem.layout.size);
        for (gradient, count) in &adjusted {
            middle.add_square(gradient, *count as f64);
        }
        let rated = problem.layout.players.iter().flatten();
        clusters.set_typical(problem, rated.map(|&i| inverse.times_row(&middle, i)).sum());
        (between(inverse, &middle), clusters)
    }

    /// Returns the same for a pool that is too large for matrices. The adjusted gradients of all clusters replace the
    /// covariance.
    pub(crate) fn large(problem: &Problem<'_>, values: &[f64], inverse: Inverse) -> (Vec<Adjusted>, Self) {
        let (adjusted, mut clusters) = Self::of(problem, values, inverse);
        let rated = problem.layout.players.iter().flatten().count();
        let square = |&(place, part): &(usize, f64)| {
            if place < rated { part * part * clusters.inverse.part(&[place]).get(0, 0) } else { 0.0 }
        };
        let spread =
            adjusted.iter().map(|(gradient, count)| *count as f64 * gradient.iter().map(square).sum::<f64>());
        let spread = spread.sum();
        clusters.set_typical(problem, spread);
        (adjusted, clusters)
    }

    /// Stores the typical dispersion, from the sum over the directions of the ratings.
    fn set_typical(&mut self, problem: &Problem<'_>, spread: f64) {
        let rated = problem.layout.players.iter().flatten().count();
        let directions = rated - problem.blocks.iter().filter(|block| block[0] < rated).count();
        if directions > 0 {
            self.typical = Typical { dispersion: spread / directions as f64, directions };
        }
    }

    fn of(problem: &Problem<'_>, values: &[f64], inverse: Inverse) -> (Vec<Adjusted>, Self) {
        let gradients = gradients(problem, values);
        let tally = problem.tally;
        let about = vec![Vec::new(); problem.layout.size];
        let mut clusters = Self { inverse, kinds: Vec::new(), about, typical: Typical::default() };
        let mut numbers: BTreeMap<Shape, usize> = BTreeMap::new();
        let mut all = Vec::new();
        let units = tally.units.iter().enumerate().filter(|(_, unit)| unit.alone > 0);
        let alone = units.map(|(place, unit)| (vec![(place as u32, 1)], unit.alone));
        let shared = tally.clusters.iter().map(|parts| (parts.clone(), 1));
        for (parts, count) in alone.chain(shared) {
            let mut shape: BTreeMap<usize, u32> = BTreeMap::new();
            let mut sum: BTreeMap<usize, f64> = BTreeMap::new();
            for (unit, times) in parts {
                for (cell, score) in tally.units[unit as usize].results() {
                    *shape.entry(cell).or_default() += times;
                    for (place, part) in &gradients[cell][usize::from(score.halves())] {
                        *sum.entry(*place).or_default() += f64::from(times) * part;
                    }
                }
            }
            let shape: Shape = shape.into_iter().collect();
            let number = match numbers.get(&shape) {
                Some(number) => *number,
                None => {
                    let number = clusters.kinds.len();
                    let kind = Kind::of(problem, values, &clusters.inverse, &shape);
                    kind.places.iter().for_each(|&place| clusters.about[place].push(number as u32));
                    clusters.kinds.push(kind);
                    numbers.insert(shape, number);
                    number
                }
            };
            let kind = &mut clusters.kinds[number];
            kind.count += count;
            let gradient: Vec<f64> =
                kind.places.iter().map(|place| sum.get(place).copied().unwrap_or_default()).collect();
            let adjusted = kind.root.times(&gradient);
            all.push((kind.places.iter().copied().zip(adjusted).collect(), count));
        }
        (all, clusters)
    }

    /// Returns how well the variance of a linear figure is known. The figure is given as parameters with factors that sum to
    /// zero over every block of ratings that is determined up to a shift.
    pub(crate) fn freedom(&self, figure: &[(usize, f64)]) -> Freedom {
        // How the figure depends on the gradient.
        let influence = self.inverse.times(figure);
        let whole: f64 = figure.iter().map(|&(place, factor)| factor * influence[place]).sum();
        let parts = self.parts(figure, &influence, whole);
        let considered: f64 = parts.iter().map(Part::weight).sum();
        let residuals: Vec<Residual> = parts.iter().map(|part| Residual::of(part, &influence)).collect();
        let (mut mean, mut spread) = (0.0, 0.0);
        for (i, (one, a)) in parts.iter().zip(&residuals).enumerate() {
            let n = one.kind.count as f64;
            let own = self.product(one, a, one, a);
            mean += n * (a.square - own);
            spread += n * (a.square * a.square - 2.0 * a.square * own) + (n * own).powi(2);
            for (two, b) in parts.iter().zip(&residuals).skip(i + 1) {
                spread += 2.0 * n * two.kind.count as f64 * self.product(one, a, two, b).powi(2);
            }
        }
        Freedom {
            degrees: if spread > 0.0 { (mean * mean / spread).min(1e6) } else { 0.0 },
            shown: if considered > 0.0 { (mean / considered).clamp(0.0, 1.0) } else { 0.0 },
            variance: whole,
            greatest: if considered > 0.0 {
                parts.iter().map(|part| f64::from(part.kind.games) * part.weight()).sum::<f64>() * whole
                    / considered
            } else {
                0.0
            },
        }
    }

    /// Returns the kinds of clusters that make up the variance `whole` of a figure, except for a negligible part.
    fn parts(&self, figure: &[(usize, f64)], influence: &[f64], whole: f64) -> Vec<Part<'_>> {
        let enough = (1.0 - NEGLIGIBLE) * whole;
        // In a round robin with many players, the kinds that involve the figure's main parameters suffice.
        let mut near: Vec<u32> = figure
            .iter()
            .filter(|(_, factor)| factor.abs() > 0.1)
            .flat_map(|&(place, _)| &self.about[place])
            .copied()
            .collect();
        near.sort_unstable();
        near.dedup();
        let mut parts: Vec<Part<'_>> =
            near.iter().map(|&kind| Part::of(&self.kinds[kind as usize], influence)).collect();
        if parts.iter().map(Part::weight).sum::<f64>() < enough {
            parts = self.kinds.iter().map(|kind| Part::of(kind, influence)).collect();
        }
        parts.sort_by(|one, two| two.weight().total_cmp(&one.weight()));
        let mut seen = 0.0;
        let count = parts.iter().take(MOST_KINDS).take_while(|part| {
            let goes_on = seen < enough;
            seen += part.weight();
            goes_on
        });
        let count = count.count();
        parts.truncate(count);
        parts
    }

    /// Returns `q A⁻¹ q` for two clusters' parts of a figure.
    fn product(&self, one: &Part<'_>, a: &Residual, two: &Part<'_>, b: &Residual) -> f64 {
        self.inverse.between((&one.kind.places, &a.adjusted), (&two.kind.places, &b.adjusted))
    }
}

/// The contribution of the clusters of a kind to the variance of a figure.
struct Part<'a> {
    kind: &'a Kind,
    /// `A_g b` with the figure's influence `b`.
    flow: Vec<f64>,
    /// `b A_g b`.
    variance: f64,
}

impl<'a> Part<'a> {
    fn of(kind: &'a Kind, influence: &[f64]) -> Self {
        let own: Vec<f64> = kind.places.iter().map(|&place| influence[place]).collect();
        let flow = kind.information.times(&own);
        let variance = own.iter().zip(&flow).map(|(a, b)| a * b).sum();
        Self { kind, flow, variance }
    }

    fn weight(&self) -> f64 {
        self.kind.count as f64 * self.variance
    }
}

/// The weights of a cluster's adjusted residuals in a figure.
struct Residual {
    /// The gradient: `(1 − A_g A⁻¹)^(−½) A_g b`.
    adjusted: Vec<f64>,
    /// Their sum of squares.
    square: f64,
}

impl Residual {
    fn of(part: &Part<'_>, influence: &[f64]) -> Self {
        let adjusted = part.kind.root.times(&part.flow);
        let twice = part.kind.root.times(&adjusted);
        let square = part.kind.places.iter().zip(twice).map(|(&place, q)| influence[place] * q).sum();
        Self { adjusted, square }
    }
}

impl Kind {
    fn of(problem: &Problem<'_>, values: &[f64], inverse: &Inverse, shape: &Shape) -> Self {
        let mut places: Vec<usize> = shape
            .iter()
            .flat_map(|&(cell, _)| problem.spread(cell, [1.0; 2]))
            .map(|(place, _)| place)
            .collect();
        places.sort_unstable();
        places.dedup();
        let at = |place: usize| places.binary_search(&place).expect("the places are those of the cells");
        let mut information = Matrix::zero(places.len());
        for &(cell, games) in shape {
            problem.each_information(cell, values, |i, j, part| {
                information.add(at(i), at(j), f64::from(games) * part);
            });
        }
        let root = root(&information, &inverse.part(&places));
        let games = shape.iter().map(|(_, games)| games).sum();
        Self { places, information, root, games, count: 0 }
    }
}

/// Returns `(1 − A_g C)^(−½)` for the information `A_g` of a cluster and the inverse `C` of all information, both on the
/// cluster's parameters. Directions that the cluster alone determines are left out.
fn root(information: &Matrix, inverse: &Matrix) -> Matrix {
    // With C = L Lᵀ, A_g C is similar to Lᵀ A_g L: symmetric, with the leverages as eigenvalues.
    let Some(factor) = inverse.cholesky(0.0) else { return Matrix::identity(inverse.size()) };
    let lower = factor.lower();
    let leverage = lower.transposed().product(information).product(lower);
    let (values, vectors) = leverage.eigen();
    let stretch =
        values.iter().map(|value| if 1.0 - value > DECIDED { (1.0 - value).sqrt().recip() } else { 0.0 });
    let stretched = vectors.scaled_columns(&stretch.collect::<Vec<_>>()).product(&vectors.transposed());
    // Lᵀ⁻¹ S Lᵀ.
    factor.solve_transposed(&stretched.product(&lower.transposed()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::fitting::Fitting;
    use crate::tally::Tally;
    use crate::tally::components::Components;
    use crate::{FitSettings, RatedGame};

    /// Returns games of three players, some in pairs and some single, of which some share openings.
    fn games(with_openings: bool) -> Vec<RatedGame> {
        let mut games = Vec::new();
        for i in 0..13u64 {
            let (one, two) = [(0, 1), (1, 2), (0, 2)][i as usize % 3];
            let scores = [GameScore::Win, GameScore::Loss, GameScore::Draw, GameScore::Win, GameScore::Loss];
            let opening = with_openings.then_some(i % 6);
            let game = |first, second, k: u64| {
                let score = scores[((i * i + k) % 5) as usize];
                RatedGame { pair: Some(i), opening, ..RatedGame::new(first, second, score) }
            };
            games.push(game(one, two, 0));
            if i != 4 {
                games.push(game(two, one, 3));
            }
        }
        games
    }

    /// Calculates the textbook form, with a row for each game and matrices of all games. Returns the variances, in square
    /// natural units, of the differences to player 0 and of the advantage, and the degrees of freedom of each.
    fn textbook(games: &[RatedGame], values: [f64; 3]) -> (Vec<f64>, Vec<f64>) {
        let n = games.len();
        let row = |game: &RatedGame| -> [f64; 3] {
            let part = |player: usize| {
                f64::from(game.result.player(0) == player) - f64::from(game.result.player(1) == player)
            };
            [part(1), part(2), 1.0]
        };
        let mean = |game: &RatedGame| {
            let d: f64 = row(game).iter().zip(values).map(|(a, b)| a * b).sum();
            1.0 / (1.0 + (-d).exp())
        };
        // Rows and residuals are scaled so that the model's variance is 1.
        let spread: Vec<f64> = games.iter().map(|game| (mean(game) * (1.0 - mean(game))).sqrt()).collect();
        let z: Vec<[f64; 3]> =
            games.iter().zip(&spread).map(|(game, spread)| row(game).map(|part| part * spread)).collect();
        let residual: Vec<f64> = games
            .iter()
            .zip(&spread)
            .map(|(game, spread)| (game.result.score(0, 1).points() - mean(game)) / spread)
            .collect();
        let mut information = Matrix::zero(3);
        for row in &z {
            information.add_square(&row.iter().copied().enumerate().collect::<Vec<_>>(), 1.0);
        }
        let inverse = information.cholesky(1e-12).unwrap().inverse();
        let hat = |i: usize, j: usize| -> f64 {
            let right = inverse.times(&z[j]);
            z[i].iter().zip(right).map(|(a, b)| a * b).sum()
        };
        let mut clusters: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (i, game) in games.iter().enumerate() {
            clusters.entry(game.opening.or(game.pair).unwrap()).or_default().push(i);
        }
        // (1 − H_gg)^(−½) by the eigenvectors of each cluster's block.
        let adjusted: Vec<(Vec<usize>, Matrix)> = clusters
            .into_values()
            .map(|members| {
                let mut block = Matrix::zero(members.len());
                for (i, &one) in members.iter().enumerate() {
                    for (j, &two) in members.iter().enumerate() {
                        block.set(i, j, f64::from(one == two) - hat(one, two));
                    }
                }
                let (values, vectors) = block.eigen();
                let roots: Vec<f64> =
                    values.iter().map(|v| if *v > 1e-9 { v.powf(-0.5) } else { 0.0 }).collect();
                (members, vectors.scaled_columns(&roots).product(&vectors.transposed()))
            })
            .collect();
        let (mut variances, mut freedom) = (Vec::new(), Vec::new());
        for i in 0..3 {
            // The weight of every residual in each cluster's part of figure i.
            let parts: Vec<Vec<f64>> = adjusted
                .iter()
                .map(|(members, root)| {
                    let own: Vec<f64> = members.iter().map(|&k| inverse.times(&z[k])[i]).collect();
                    let mut weights = vec![0.0; n];
                    members.iter().zip(root.times(&own)).for_each(|(&k, weight)| weights[k] = weight);
                    weights
                })
                .collect();
            let project = |weights: &Vec<f64>| -> Vec<f64> {
                (0..n).map(|a| weights[a] - (0..n).map(|b| hat(a, b) * weights[b]).sum::<f64>()).collect()
            };
            let projected: Vec<Vec<f64>> = parts.iter().map(project).collect();
            let product = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let trace: f64 = projected.iter().map(|part| product(part, part)).sum();
            let squares: f64 =
                projected.iter().flat_map(|a| projected.iter().map(move |b| product(a, b).powi(2))).sum();
            freedom.push(trace * trace / squares);
            variances.push(parts.iter().map(|part| product(part, &residual).powi(2)).sum());
        }
        (variances, freedom)
    }

    #[test]
    fn variances_and_degrees_of_freedom_are_those_of_the_textbook() {
        for with_openings in [false, true] {
            let games = games(with_openings);
            let tally = Tally::new(3, 1, &games);
            assert_eq!(tally.clusters.is_empty(), !with_openings);
            let components = Components::of(3, &tally);
            let fitting = Fitting::new(&tally, &components, &FitSettings::default(), 1, None);
            let solution = fitting.problem.solve().unwrap();
            let (matrix, clusters) = Clusters::dense(&fitting.problem, &solution);
            let value = |i: usize| solution.values[i] - solution.values[0];
            let (variances, freedom) = textbook(&games, [value(1), value(2), solution.values[3]]);
            let figures = [vec![(1, 1.0), (0, -1.0)], vec![(2, 1.0), (0, -1.0)], vec![(3, 1.0)]];
            for (i, figure) in figures.iter().enumerate() {
                let variance: f64 = figure
                    .iter()
                    .flat_map(|(a, x)| figure.iter().map(move |(b, y)| (a, b, x * y)))
                    .map(|(a, b, factor)| factor * matrix.get(*a, *b))
                    .sum();
                assert!((variance - variances[i]).abs() < 1e-9 * variance, "{i}: {variance}");
                let found = clusters.freedom(figure);
                assert!((found.degrees - freedom[i]).abs() < 2e-2 * freedom[i], "{i}: {found:?} {freedom:?}");
                assert!((found.shown - 1.0).abs() < 1e-9, "{found:?}");
            }
        }
    }
}
