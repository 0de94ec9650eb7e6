//! What follows from the figures: a margin, a concurrency, and what is unfit.

use std::time::Duration;

use serde::Serialize;
use settings::Conditions;

use super::machine::Machine;

/// The least margin that is advised.
const LEAST_MARGIN: Duration = Duration::from_millis(10);
/// Margins are advised in steps of this.
const STEP: Duration = Duration::from_millis(10);
/// Load above this many for each processor disturbs the games.
const BUSY: f64 = 0.5;

/// What was measured of one thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DelaySpread {
    /// The median.
    pub median: Duration,
    /// What one in a hundred exceeds.
    pub p99: Duration,
    /// The greatest.
    pub most: Duration,
    /// How often it was measured.
    pub count: usize,
}

/// What is advised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MachineAdvice {
    /// The margin that leaves twice the room of the greatest delay seen, in milliseconds.
    pub margin_ms: u64,
    /// How many games to play at once.
    pub concurrency: usize,
    /// What makes this machine unfit for what was asked, in words; nothing where it is fit.
    pub unfit: Vec<String>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

/// Returns what follows for this many games at once; `needed` is how many descriptors these take, and `usual` how many games
/// at once are played if nothing is said.
pub(super) fn advise(
    machine: &Machine,
    spreads: [DelaySpread; 2],
    games: usize,
    needed: u64,
    usual: usize,
) -> MachineAdvice {
    let most = spreads.iter().map(|spread| spread.most).max().unwrap_or_default();
    let p99 = spreads.iter().map(|spread| spread.p99).max().unwrap_or_default();
    let steps = (most * 2).as_nanos().div_ceil(STEP.as_nanos());
    let margin = (STEP * u32::try_from(steps).unwrap_or(u32::MAX / 1000)).max(LEAST_MARGIN);
    let mut unfit = Vec::new();
    let mut notes = Vec::new();
    if p99 > Conditions::default().margin {
        unfit.push(format!(
            "one in a hundred delays is longer than the usual margin of {} ms: bots would lose on time for what this \
             machine does",
            Conditions::default().margin.as_millis()
        ));
    }
    if games > machine.processors {
        unfit.push(format!(
            "{games} games at once need {games} processors, and there are {}",
            machine.processors
        ));
    } else if machine.cores.is_some_and(|cores| games > cores) {
        notes.push(format!(
            "{games} games at once share {} cores: bots that think on one core slow each other down",
            machine.cores.unwrap_or_default()
        ));
    }
    if let Some(limit) = machine.descriptors.filter(|limit| *limit < needed) {
        unfit.push(format!(
            "{games} games at once take up to {needed} descriptors, and {limit} are allowed (`ulimit -Hn`)"
        ));
    }
    // Two bots for each game, up to four that wait, and one that starts while another ends.
    let processes = games as u64 * 8;
    if let Some(limit) = machine.processes.filter(|limit| *limit < processes) {
        unfit.push(format!(
            "{games} games at once take up to {processes} processes, and {limit} are allowed (`ulimit -Hu`)"
        ));
    }
    if let Some(load) = machine.load.filter(|load| *load > BUSY * machine.processors as f64) {
        notes.push(format!(
            "other programs are at work (load {load:.1} on {} processors): they take time from bots, and results of clocked \
             games depend on them",
            machine.processors
        ));
    }
    if machine.clock_source.as_deref().is_some_and(|source| {
        !matches!(source, "tsc" | "kvm-clock" | "arch_sys_counter" | "hyperv_clocksource_tsc_page")
    }) {
        notes.push(
            "the clock source is slow to read: every reading of the time costs more than usual".to_owned(),
        );
    }
    if machine.smt == Some(true) {
        notes.push(
            "cores run two threads each: two games on one core disturb each other; `pin: game` prevents it"
                .to_owned(),
        );
    }
    MachineAdvice {
        margin_ms: u64::try_from(margin.as_millis()).unwrap_or(u64::MAX),
        concurrency: usual.min(machine.processors),
        unfit,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: Machine = Machine {
        processors: 4,
        cores: Some(2),
        quota: None,
        topology: Vec::new(),
        pin: None,
        smt: Some(false),
        load: Some(0.1),
        descriptors: Some(4096),
        processes: None,
        clock_source: None,
    };

    fn spread(p99: u64, most: u64) -> DelaySpread {
        let ms = Duration::from_millis;
        DelaySpread { median: ms(1), p99: ms(p99), most: ms(most), count: 100 }
    }

    #[test]
    fn a_quiet_machine_is_fit_and_the_margin_has_room() {
        let advice = advise(&MACHINE, [spread(1, 2), spread(2, 4)], 1, 100, 1);
        assert_eq!((advice.margin_ms, advice.concurrency), (10, 1));
        assert_eq!((advice.unfit, advice.notes), (Vec::new(), Vec::new()));
        assert_eq!(advise(&MACHINE, [spread(1, 2), spread(2, 31)], 1, 100, 1).margin_ms, 70);
    }

    #[test]
    fn what_is_unfit_is_told() {
        let told = |games, needed, p99| {
            let advice = advise(&MACHINE, [spread(p99, p99), spread(0, 0)], games, needed, 1);
            advice.unfit.join("; ")
        };
        assert!(told(5, 100, 1).contains("5 games at once need 5 processors, and there are 4"));
        assert!(told(2, 5000, 1).contains("up to 5000 descriptors, and 4096 are allowed"));
        assert!(told(1, 100, 51).contains("usual margin of 50 ms"));
        assert_eq!(told(2, 100, 50), "");
    }

    #[test]
    fn what_disturbs_is_noted() {
        let machine =
            Machine { load: Some(3.0), smt: Some(true), clock_source: Some("acpi_pm".to_owned()), ..MACHINE };
        let notes = advise(&machine, [spread(1, 1); 2], 3, 100, 1).notes;
        for (note, words) in notes.iter().zip(["share 2 cores", "load 3.0", "clock source", "two threads"]) {
            assert!(note.contains(words), "{note}");
        }
        assert_eq!(notes.len(), 4);
    }
}
