//! Whether ratings explain the results, and which players beat each other in circles.

use serde::Serialize;
use stats::{Sample, Transitivity};

use crate::Look;
use crate::tables::notes;
use crate::writing::number::{fixed, p_value, percent, signed};
use crate::writing::sheet::{Cell, Kind, Sheet};

/// The points that both sides of a contested match-up need.
const POINTS: u64 = 5;

/// The least share of contested match-ups for which the test is shown.
const CONTESTED: f64 = 0.8;

/// The highest adjusted p value of a reported circle.
const SIGNIFICANT: f64 = 0.05;

/// The test of ratings against a separate strength for every match-up, with the players' names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Circles {
    /// The likelihood-ratio statistic divided by its scale: χ² if ratings hold.
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub freedom: usize,
    /// The probability of a statistic at least as large if ratings hold.
    pub p: f64,
    /// The share of the energy of the strengths that no ratings explain, 0 to 1 (HodgeRank).
    pub cyclic_share: Option<f64>,
    /// Approximately what chance alone contributes to it.
    pub chance_share: Option<f64>,
    /// The number of triangles of players who have all met each other.
    pub triangles: usize,
    /// The most clearly cyclic triangles.
    pub curls: Vec<Circle>,
}

/// A triangle in which each player does better against the next than ratings allow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Circle {
    /// The players, as tables show them.
    pub players: [String; 3],
    /// The sum of strengths around the triangle in Elo; 0 if ratings hold.
    pub elo: f64,
    /// The sum divided by its standard error.
    pub z: f64,
    /// The two-sided p value, times the number of triangles (Bonferroni).
    pub p: f64,
}

impl Circles {
    /// Tests the ratings of players with these names; `None` if the data are insufficient: ratings or cycles are missing, or
    /// fewer than four of five match-ups have five points on both sides.
    pub(crate) fn of(sample: &Sample, names: &[String], groups: usize) -> Option<Self> {
        if sample.contested(POINTS)? < CONTESTED {
            return None;
        }
        let Transitivity {
            chi_squared, freedom, p_value, cyclic_share, chance_share, triangles, curls, ..
        } = sample.transitivity(names.len(), groups)?;
        let curls = curls.iter().map(|curl| Circle {
            players: curl.players.map(|player| names[player].clone()),
            elo: curl.elo,
            z: curl.z,
            p: curl.p_value,
        });
        let curls = curls.collect();
        Some(Self { chi_squared, freedom, p: p_value, cyclic_share, chance_share, triangles, curls })
    }

    /// Returns the result of the test, as sentences.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let answer = if self.p <= SIGNIFICANT {
            "No: results between players differ from their ratings by more than chance"
        } else {
            "No evidence against it: the results are consistent with the ratings"
        };
        let mut sentences = vec![format!(
            "{answer} (likelihood ratio {} with {} degrees of freedom, p {}).",
            fixed(self.chi_squared, 1),
            self.freedom,
            p_value(self.p)
        )];
        if let Some(cyclic) = self.cyclic_share {
            let chance = self.chance_share.map_or_else(String::new, |chance| {
                format!("; chance alone gives about {}", percent(Some(chance)))
            });
            sentences.push(format!(
                "{} of the differences in strength are cyclic (HodgeRank){chance}.",
                percent(Some(cyclic))
            ));
        }
        if self.told().next().is_none() && self.triangles > 0 {
            sentences.push(format!(
                "None of the {} triangles is significantly cyclic (p adjusted for all of them).",
                self.triangles
            ));
        }
        sentences
    }

    /// Returns the section of a report, with its title; the names are safe to print.
    pub(crate) fn to_text(&self, look: &Look) -> String {
        let mut out =
            format!("Do ratings explain the results?\n\n{}", notes::wrapped(&self.sentences(), look));
        if self.told().next().is_some() {
            out.push_str(&format!("\n{}", self.sheet().text(look)));
        }
        out
    }

    /// Returns the significant triangles; empty if there are none.
    pub(crate) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        for title in ["this one", "beats", "who beats"] {
            sheet.column(title, Kind::Name, 0);
        }
        sheet.column("Elo around", Kind::Figure, 2);
        sheet.column("z", Kind::Figure, 1);
        sheet.column("p adjusted", Kind::Figure, 0);
        for circle in self.told() {
            let mut cells: Vec<Cell> = circle.players.iter().map(|name| name.as_str().into()).collect();
            cells.extend([signed(circle.elo, 0).into(), fixed(circle.z, 1).into(), p_value(circle.p).into()]);
            sheet.row(cells);
        }
        sheet
    }

    /// Returns the triangles with a significant adjusted p value.
    pub(crate) fn told(&self) -> impl Iterator<Item = &Circle> {
        self.curls.iter().filter(|circle| circle.p <= SIGNIFICANT)
    }
}
