//! What may change between two starts of one run: it may grow, but games already played must stay comparable.

mod recorded_keys;

use diagnostic::{Diagnostic, Exit, Failure, say};
use jiff::Timestamp;
use record::{GameConfig, RunConfig, RunRecord, RunSummary};
use settings::{Change, Key, TOURNAMENT};
use tournament_file::Plan;

use recorded_keys::{RecordedText, texts};

/// Adds the configuration of a plan to those of its run, after checking that it fits what was played, and tells what
/// changes. Returns whether it is another one than before.
///
/// # Errors
/// When it does not fit.
pub fn configure(plan: &Plan, contents: &mut RunSummary) -> Result<bool, Failure> {
    let rules = rules::signature();
    contents.catalogue = plan.catalogue();
    let mut is_changed = true;
    if let Some(last) = contents.runs.last() {
        check(last, &plan.config, &rules)?;
        for change in describe(&last.config, &plan.config) {
            say(&change);
        }
        is_changed = last.config != plan.config || last.arena != env!("CARGO_PKG_VERSION");
    }
    if is_changed {
        let last_pair = contents.games.iter().map(|game| game.pair).max().unwrap_or(0);
        let has_stages = plan.config.schedule.is_some() || plan.config.format == settings::Format::Ladder;
        contents.runs.push(RunRecord {
            from_pair: has_stages.then(|| last_pair.saturating_add(1)),
            format: plan.config.journal_format(),
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            rules,
            written: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            config: plan.config.clone(),
        });
    }
    Ok(is_changed)
}

/// Checks that a run which was last started as `before` may continue as `now`, under the rules with this
/// signature.
///
/// # Errors
/// Names every difference that is not allowed.
pub fn check(before: &RunRecord, now: &RunConfig, rules: &str) -> Result<(), Failure> {
    if !has_common(&before.config, now) {
        let (bots, name) = (names(&before.config), protocol::printable(&before.config.name));
        let fault =
            format!("the directory holds another run, `{name}` with {bots}: none of them plays in this one");
        return Err(Failure::usage(fault).hint("play the new one in another directory with `--out DIR`"));
    }
    let mut differences = Vec::new();
    let mut compare = |what: &str, old: &str, new: &str| {
        if old != new {
            let (old, new) = (protocol::printable(old), protocol::printable(new));
            differences.push(format!("{what} was `{old}` and is now `{new}`"));
        }
    };
    compare("the signature of the rules", &before.rules, rules);
    let has_feedback = now.format.known().is_some_and(|format| format.has_feedback());
    let has_bracket = has_feedback && !now.format.known().is_some_and(|format| format.ends_by_rounds());
    for key in TOURNAMENT.keys() {
        // The length of a match is part of a bracket: nothing else may be played longer there.
        if key.change == Change::Never || (key.name == "rounds" && has_bracket) {
            for (old, new) in pairs(&before.config, now, key) {
                compare(&old.place, &old.text, &new.text);
            }
        }
    }
    for old in &before.config.games {
        if let Some(new) = now.games.iter().find(|new| new.label == old.label) {
            compare(&format!("the options of {}", old.label), &options(old), &options(new));
        }
    }
    if now.sprt.is_some() || now.schedule.is_some() || has_feedback {
        compare("the list of games", &games(&before.config), &games(now));
    }
    let is_closed = has_feedback && !now.format.known().is_some_and(|format| format.is_open());
    if is_closed {
        compare(&format!("the field of a `{}`", now.format), &bots(&before.config), &bots(now));
    }
    if differences.is_empty() {
        return Ok(());
    }
    let diagnostics = differences.into_iter().map(Diagnostic::new).collect::<Vec<_>>();
    let failure = Failure::new(Exit::Usage, diagnostics);
    let failure = if is_closed && bots(&before.config) != bots(now) {
        let format = &now.format;
        failure.hint(format!(
            "who met in a `{format}` depended on who was there: its bots stay the same to the end"
        ))
    } else {
        failure
    };
    let are_scopes_different = before.config.games.iter().any(|old| {
        let is_same_game = |new: &&GameConfig| new.label == old.label;
        now.games.iter().find(is_same_game).is_some_and(|new| new.openings.per != old.openings.per)
    });
    let failure = match are_scopes_different {
        true => failure.hint(
            "journals of earlier versions were played with one opening for each round: to continue with one, write \
             `per: round` in `openings`",
        ),
        false => failure,
    };
    Err(failure.hint(
        "rules, time control, openings, adjudication and seed of a run stay as they are; play the new one in \
         another directory with `--out DIR`",
    ))
}

/// Returns what the new configuration changes, in words: nothing where it is the same.
pub(crate) fn describe(before: &RunConfig, now: &RunConfig) -> Vec<String> {
    let mut changes = Vec::new();
    for key in TOURNAMENT.keys().iter().filter(|key| key.change == Change::Announced) {
        match key.name {
            "games" => describe_games(before, now, &mut changes),
            "bots" => describe_bots(before, now, &mut changes),
            name => {
                let changed = pairs(before, now, key).into_iter().filter(|(old, new)| old.text != new.text);
                changes.extend(changed.map(|(old, new)| {
                    format!("{name}: {} instead of {}", new.text, protocol::printable(&old.text))
                }));
            }
        }
    }
    changes
}

fn describe_games(before: &RunConfig, now: &RunConfig, changes: &mut Vec<String>) {
    let is_in = |config: &RunConfig, label: &str| config.games.iter().any(|game| game.label == label);
    let new = now.games.iter().filter(|game| !is_in(before, &game.label));
    changes.extend(new.map(|game| format!("new game: {}", game.label)));
    let gone = before.games.iter().filter(|game| !is_in(now, &game.label));
    changes.extend(gone.map(|game| format!("no longer played: {}", protocol::printable(&game.label))));
}

fn describe_bots(before: &RunConfig, now: &RunConfig, changes: &mut Vec<String>) {
    for bot in &now.bots {
        let name = &bot.name;
        let Some(old) = before.bots.iter().find(|old| old.name == *name) else {
            changes.push(format!("new bot: {name}"));
            continue;
        };
        if old.digest != bot.digest {
            changes.push(format!("new version of bot {name}: its old games stay under the old one"));
        }
        if old.sandbox != bot.sandbox {
            let [was, is] = [&old.sandbox, &bot.sandbox].map(|it| it.as_deref().unwrap_or("none"));
            changes.push(format!("sandbox of bot {name}: {is} instead of {}", protocol::printable(was)));
        }
        if old.granted != bot.granted {
            let [was, is] = [&old.granted, &bot.granted].map(|it| match it.words() {
                words if words.is_empty() => "nothing".to_owned(),
                words => protocol::printable(&words).into_owned(),
            });
            changes.push(format!("what the sandbox of bot {name} allows besides: {is} instead of {was}"));
        }
        if old.limits != bot.limits {
            let was = old.limits.to_string();
            let is = &bot.limits;
            changes.push(format!("limits of bot {name}: {is} instead of {}", protocol::printable(&was)));
        }
    }
    let gone = before.bots.iter().filter(|old| !now.bots.iter().any(|new| new.name == old.name));
    changes.extend(gone.map(|bot| format!("no longer playing: {}", protocol::printable(&bot.name))));
}

/// Returns what two configurations say for a key, place by place, where both say something.
fn pairs(before: &RunConfig, now: &RunConfig, key: &Key) -> Vec<(RecordedText, RecordedText)> {
    let new = texts(now, key);
    let other = |old: RecordedText| {
        let same = new.iter().find(|new| new.place == old.place)?.clone();
        Some((old, same))
    };
    texts(before, key).into_iter().filter_map(other).collect()
}

/// Returns whether a bot of one configuration, of any version, plays in the other.
fn has_common(before: &RunConfig, now: &RunConfig) -> bool {
    before.bots.iter().any(|old| now.bots.iter().any(|new| new.name == old.name))
}

/// Returns the names of some bots of a journal, fit to be shown.
fn names(config: &RunConfig) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<_> =
        config.bots.iter().take(SHOWN).map(|bot| format!("`{}`", protocol::printable(&bot.name))).collect();
    if config.bots.len() > SHOWN {
        names.push("others".to_owned());
    }
    names.join(", ")
}

fn games(config: &RunConfig) -> String {
    config.games.iter().map(|game| game.label.as_str()).collect::<Vec<_>>().join(", ")
}

/// Returns the bots in their order, each with the digest that tells its versions apart.
fn bots(config: &RunConfig) -> String {
    let bot = |bot: &record::BotConfig| format!("{} ({:.8})", bot.name, bot.digest);
    config.bots.iter().map(bot).collect::<Vec<_>>().join(", ")
}

fn options(game: &GameConfig) -> String {
    let pairs: Vec<_> = game.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    pairs.join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use record::{BotConfig, FORMAT, OpeningConfig, PairingConfig, ScheduleConfig, SprtConfig};
    use settings::{Conditions, Goal, OpeningScope, Recorded, Settings as _, TimeControl};

    use super::*;

    fn control(text: &str) -> Recorded<TimeControl> {
        Recorded::Known(text.parse().unwrap())
    }

    fn config() -> RunConfig {
        let game = GameConfig {
            game: "farook".to_owned(),
            options: [("max-moves".to_owned(), "50".to_owned())].into(),
            label: "farook".to_owned(),
            seats: 2,
            tc: control("10+0.1"),
            openings: OpeningConfig { per: OpeningScope::Pair, ..OpeningConfig::of_plies(2) },
            rules: None,
        };
        let bot = |name: &str| BotConfig {
            name: name.to_owned(),
            version: None,
            command: vec!["bot".to_owned()],
            options: [].into(),
            tc: None,
            sandbox: None,
            granted: record::Grants::default(),
            limits: settings::RecordedQuota::default(),
            cgroups: None,
            start: record::StartConfig::default(),
            digest: "d1".to_owned(),
        };
        RunConfig {
            name: "cup".to_owned(),
            format: settings::Format::RoundRobin.into(),
            sprt: None,
            schedule: None,
            pairing: None,
            rounds: 2,
            seed: 7,
            games: vec![game],
            bots: vec![bot("a"), bot("b")],
            adjudicate: settings::Adjudication::default(),
            settings: Conditions::default(),
        }
    }

    fn test(elo1: f64) -> SprtConfig {
        SprtConfig {
            model: stats::sprt::Model::Normalized.into(),
            elo0: 0.0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            overshoot: false,
        }
    }

    fn refusal_after(before: &RunConfig, now: &RunConfig) -> Option<String> {
        let before = RunRecord {
            format: FORMAT,
            arena: "0.1.0".to_owned(),
            rules: "r1".to_owned(),
            written: String::new(),
            from_pair: None,
            config: before.clone(),
        };
        check(&before, now, "r1").err().map(|failure| failure.to_string())
    }

    fn refusal(change: impl FnOnce(&mut RunConfig)) -> Option<String> {
        let mut now = config();
        change(&mut now);
        refusal_after(&config(), &now)
    }

    #[test]
    fn a_run_may_grow() {
        assert_eq!(refusal(|_| {}), None);
        assert_eq!(refusal(|now| now.rounds = 5), None);
        assert_eq!(refusal(|now| now.bots[1].digest = "d2".to_owned()), None);
        assert_eq!(refusal(|now| now.settings.margin = std::time::Duration::from_millis(100)), None);
        assert_eq!(
            refusal(|now| {
                now.games.push(now.games[0].clone());
                now.games[1].label = "farook wilds=pattern".to_owned();
            }),
            None
        );
    }

    #[test]
    fn what_makes_games_incomparable_is_refused_with_the_difference() {
        let refused = |change: fn(&mut RunConfig)| refusal(change).expect("a refusal");
        assert!(refused(|now| now.seed = 8).contains("`seed` was `7` and is now `8`"));
        assert!(refused(|now| now.games[0].tc = control("1")).contains("`10+0.1` and is now `1`"));
        let adjudicated = refused(|now| now.adjudicate.plies = Some(200));
        assert!(adjudicated.contains("`adjudicate` was `off` and is now `plies=200`"), "{adjudicated}");
        assert!(
            refused(|now| now.games[0].openings.plies = Some(4)).contains("`2 plies` and is now `4 plies`")
        );
        let shared = refused(|now| now.games[0].openings.per = OpeningScope::Round);
        assert!(shared.contains("`2 plies` and is now `2 plies, one for each round`"), "{shared}");
        assert!(shared.contains("`per: round`"), "{shared}");
        let both = refused(|now| {
            now.seed = 8;
            now.games[0].tc = control("1");
        });
        assert!(both.contains("`seed`") && both.contains("`tc` of farook") && both.contains("--out DIR"));
    }

    /// Changes a configuration.
    type Edit = fn(&mut RunConfig);

    /// A configuration with something to compare for every key.
    fn full() -> RunConfig {
        let pairing = PairingConfig {
            seeds: vec!["a".to_owned()],
            seeds_meet: false,
            matches: vec![vec!["a".to_owned(), "b".to_owned()]],
        };
        RunConfig { pairing: Some(pairing), ..config() }
    }

    #[test]
    fn what_may_change_is_what_each_key_declares() {
        let changes: [(&str, Edit); 11] = [
            ("name", |now| now.name = "shield".to_owned()),
            ("format", |now| now.format = settings::Format::Gauntlet.into()),
            ("seeds", |now| now.pairing.get_or_insert_default().seeds.push("b".to_owned())),
            ("seeds-meet", |now| now.pairing.get_or_insert_default().seeds_meet = true),
            ("matches", |now| now.pairing.get_or_insert_default().matches.clear()),
            ("sprt", |now| now.sprt = Some(test(5.0))),
            ("schedule", |now| now.schedule = Some(ScheduleConfig { goal: Goal::Rank.into(), alpha: 0.05 })),
            ("rounds", |now| now.rounds = 3),
            ("tc", |now| now.games[0].tc = control("1")),
            ("openings", |now| now.games[0].openings.plies = Some(4)),
            ("seed", |now| now.seed = 8),
        ];
        let by_rule = ["games", "rules", "bots", "sandbox", "limits", "adjudicate"];
        let mut seen: BTreeSet<_> = by_rule.into_iter().collect();
        seen.extend(Conditions::ALL.iter().map(|setting| setting.key.name));
        for (name, change) in changes {
            let key = TOURNAMENT.keys().iter().find(|key| key.name == name).expect("a key");
            let mut now = full();
            change(&mut now);
            let (refused, told) = (refusal_after(&full(), &now), describe(&full(), &now));
            match key.change {
                Change::Never => assert!(refused.is_some(), "{name}: {told:?}"),
                Change::Announced => {
                    assert_eq!(refused, None, "{name}");
                    assert!(told.len() == 1 && told[0].starts_with(&format!("{name}: ")), "{told:?}");
                }
                Change::Freely => panic!("{name} is recorded: a change of it makes a difference"),
            }
            seen.insert(name);
        }
        // What may change freely is recorded nowhere.
        for key in TOURNAMENT.keys().iter().filter(|key| !seen.contains(key.name)) {
            assert_eq!(key.change, Change::Freely, "{}", key.name);
            assert_eq!(texts(&full(), key), [], "{}", key.name);
        }
    }

    #[test]
    fn a_run_without_a_bot_of_the_one_before_is_another() {
        let one = |now: &mut RunConfig| now.bots[0].name = "c".to_owned();
        assert_eq!(refusal(one), None);
        let all = refusal(|now| (now.bots[0].name, now.bots[1].name) = ("c".to_owned(), "d".to_owned()));
        let all = all.expect("a refusal");
        assert!(all.contains("another run, `cup` with `a`, `b`: none of them plays in this one"), "{all}");
        assert!(all.contains("--out DIR"), "{all}");
    }

    #[test]
    fn a_test_keeps_its_hypotheses_and_games() {
        let before = RunRecord {
            format: FORMAT,
            arena: "0.1.0".to_owned(),
            rules: "r1".to_owned(),
            written: String::new(),
            from_pair: None,
            config: RunConfig { sprt: Some(test(5.0)), ..config() },
        };
        let mut now = RunConfig { sprt: Some(test(5.0)), ..config() };
        now.rounds = 10;
        assert!(check(&before, &now, "r1").is_ok());
        now.games.push(GameConfig { label: "farook wilds=pattern".to_owned(), ..now.games[0].clone() });
        now.sprt = Some(test(10.0));
        let refusal = check(&before, &now, "r1").unwrap_err().to_string();
        assert!(refusal.contains("elo1=5") && refusal.contains("elo1=10"), "{refusal}");
        assert!(refusal.contains("the list of games"), "{refusal}");
    }

    #[test]
    fn a_schedule_by_results_keeps_its_question_and_games() {
        let by = |goal: Goal| Some(ScheduleConfig { goal: goal.into(), alpha: 0.05 });
        let before = RunRecord {
            format: FORMAT,
            arena: "0.1.0".to_owned(),
            rules: "r1".to_owned(),
            written: String::new(),
            from_pair: Some(1),
            config: RunConfig { schedule: by(Goal::Rank), ..config() },
        };
        let mut now = before.config.clone();
        (now.rounds, now.bots[0].name) = (10, "c".to_owned());
        assert!(check(&before, &now, "r1").is_ok());
        now.games[0].label = "farook wilds=pattern".to_owned();
        now.schedule = by(Goal::Best);
        let refusal = check(&before, &now, "r1").unwrap_err().to_string();
        assert!(refusal.contains("`schedule` was `rank:0.05` and is now `best:0.05`"), "{refusal}");
        assert!(refusal.contains("the list of games"), "{refusal}");
        let refusal = check(&before, &config(), "r1").unwrap_err().to_string();
        assert!(refusal.contains("is now `round-robin`"), "{refusal}");
    }

    #[test]
    fn other_conditions_are_told_where_they_make_a_difference_to_games() {
        for setting in Conditions::ALL {
            let mut now = config();
            // The usual value and the example differ, or a second text does.
            for text in [setting.key.example, "random", "never", "retry:2", "80ms", "90s"] {
                let usual = (setting.write)(&Conditions::default());
                if (setting.write)(&now.settings) == usual {
                    let _ = (setting.read)(&mut now.settings, text);
                }
            }
            let key = setting.key.name;
            let (is, was) = (now.settings.text(key), config().settings.text(key));
            assert_ne!(is, was, "{key}");
            let told = describe(&config(), &now);
            match setting.key.change {
                Change::Announced => assert_eq!(told, [format!("{key}: {is} instead of {was}")]),
                Change::Freely => assert_eq!(told, [""; 0]),
                Change::Never => panic!("a run may change the conditions of its games"),
            }
        }
    }

    #[test]
    fn changes_are_told() {
        let mut now = config();
        now.rounds = 3;
        now.bots[0].name = "c".to_owned();
        now.bots[1].digest = "d2".to_owned();
        now.bots[1].sandbox = Some("basic (seccomp)".to_owned());
        let changes = describe(&config(), &now);
        assert_eq!(
            changes,
            [
                "new bot: c",
                "new version of bot b: its old games stay under the old one",
                "sandbox of bot b: basic (seccomp) instead of none",
                "no longer playing: a",
                "rounds: 3 instead of 2",
            ]
        );
        assert!(describe(&config(), &config()).is_empty());
    }
}
