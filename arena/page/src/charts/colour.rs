//! The colours of bots in charts, which people with any kind of sight tell apart, and dashes once they come round again.
//! Results and seats have colours and patterns of their own (`--won`, `--lost`, `--p1`, `--p2` of the style sheet): one
//! colour means one thing. Tests compute contrasts and distances from the style sheet.

/// How many colours there are, as classes `c0` and so on of the style sheet.
pub(crate) const COLOURS: usize = 6;

/// Returns the class of the colour of a bot.
pub(crate) fn class(bot: usize) -> String {
    format!("c{}", bot % COLOURS)
}

/// Returns the dashes of the line of a bot.
pub(crate) fn dashes(bot: usize) -> &'static str {
    match bot / COLOURS {
        0 => "",
        1 => " stroke-dasharray=\"7 4\"",
        2 => " stroke-dasharray=\"2 4\"",
        _ => " stroke-dasharray=\"9 3 2 3\"",
    }
}

#[cfg(test)]
mod tests {
    const STYLE: &str = include_str!("../../assets/style.css");

    type Rgb = [f64; 3];

    /// Returns a colour of the style sheet in a theme, 0 for light and 1 for dark, as linear RGB.
    fn colour(name: &str, theme: usize) -> Rgb {
        let start = STYLE.find(&format!("--{name}:light-dark(")).expect("the style has it");
        let (_, rest) = STYLE[start..].split_once("light-dark(").expect("two themes");
        let (both, _) = rest.split_once(')').expect("a closing parenthesis");
        linear(both.split(',').nth(theme).expect("two colours").trim_start_matches('#'))
    }

    /// Returns six digits as linear RGB.
    fn linear(hex: &str) -> Rgb {
        let part = |place: usize| {
            let value = u8::from_str_radix(&hex[2 * place..2 * place + 2], 16).expect("six digits");
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        [part(0), part(1), part(2)]
    }

    fn product(matrix: [Rgb; 3], colour: Rgb) -> Rgb {
        matrix.map(|row| row.iter().zip(colour).map(|(one, other)| one * other).sum())
    }

    fn luminance(colour: Rgb) -> f64 {
        0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]
    }

    /// The contrast of WCAG 2.
    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    /// The distance of two colours in Oklab, times 100 (Ottosson 2020).
    fn distance(one: Rgb, other: Rgb) -> f64 {
        let lab = |colour: Rgb| {
            let cones = product(
                [
                    [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
                    [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
                    [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
                ],
                colour,
            );
            product(
                [
                    [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
                    [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
                    [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
                ],
                cones.map(f64::cbrt),
            )
        };
        let (one, other) = (lab(one), lab(other));
        100.0 * one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
    }

    /// What people without one kind of cones see (Machado, Oliveira and Fernandes 2009, severity 1).
    fn seen(colour: Rgb) -> [Rgb; 3] {
        let deuteranopia = [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ];
        let protanopia = [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ];
        let clamped = |matrix| product(matrix, colour).map(|part: f64| part.clamp(0.0, 1.0));
        [colour, clamped(deuteranopia), clamped(protanopia)]
    }

    const BOTS: [&str; super::COLOURS] = ["c0", "c1", "c2", "c3", "c4", "c5"];
    const RESULTS: [&str; 2] = ["won", "lost"];
    const SEATS: [&str; 2] = ["p1", "p2"];

    #[test]
    fn every_mark_stands_out_from_its_ground_in_both_themes() {
        for theme in 0..2 {
            for name in
                BOTS.iter().chain(&RESULTS).chain(&SEATS).chain(&["drawn", "accent", "dim", "bad", "text"])
            {
                for ground in ["card", "bg"] {
                    let found = contrast(colour(name, theme), colour(ground, theme));
                    assert!(found >= 3.0, "--{name} on --{ground}, theme {theme}: {found:.2}");
                }
            }
            for name in ["text", "dim", "accent", "bad"] {
                let found = contrast(colour(name, theme), colour("card", theme));
                assert!(found >= 4.5, "text in --{name}, theme {theme}: {found:.2}");
            }
        }
    }

    #[test]
    fn colours_of_one_kind_are_told_apart_with_any_kind_of_sight() {
        for theme in 0..2 {
            for kind in [&BOTS[..], &RESULTS, &SEATS] {
                for (place, one) in kind.iter().enumerate() {
                    for other in &kind[place + 1..] {
                        let (mine, its) = (seen(colour(one, theme)), seen(colour(other, theme)));
                        let least = mine.iter().zip(its).map(|(one, other)| distance(*one, other));
                        let least = least.fold(f64::INFINITY, f64::min);
                        assert!(least >= 7.0, "--{one} and --{other}, theme {theme}: {least:.1}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_colour_means_a_bot_or_a_result_or_a_seat() {
        for theme in 0..2 {
            let kinds = [&BOTS[..], &RESULTS, &SEATS];
            for (place, kind) in kinds.iter().enumerate() {
                for (one, other) in kinds[place + 1..]
                    .iter()
                    .flat_map(|other| other.iter())
                    .flat_map(|other| kind.iter().map(move |one| (one, other)))
                {
                    let found = distance(colour(one, theme), colour(other, theme));
                    assert!(found >= 5.0, "--{one} and --{other}, theme {theme}: {found:.1}");
                }
            }
        }
    }

    /// Marks of what can be clicked lie on boards of many colours, and on pieces. Each is drawn on white, or edged with it: where
    /// a colour has nine times the contrast to white, one of both has three times that to anything.
    #[test]
    fn marks_of_what_can_be_clicked_stand_out_from_anything() {
        const LIVE: &str = include_str!("../../assets/live.css");
        let white = [1.0; 3];
        for name in ["--accent:", "--advised:"] {
            let (_, rest) = LIVE.split_once(".marks,.cell{").expect("the marks have colours");
            let (_, hex) = rest.split_once(name).expect("of this name");
            let found = contrast(linear(&hex[1..7]), white);
            assert!(found >= 9.0, "{name} on white: {found:.2}");
        }
        for (mark, white_part) in [
            (".marks .target{", "stroke:#fff"),
            (".marks .under{", "stroke:#fff"),
            (".marks .way.under,.marks .advised.under{", "stroke:#fff"),
            (".focused{", "stroke:#fff"),
            (".marks .badge-ground{", "stroke:#fff"),
        ] {
            let (_, rule) = LIVE.split_once(mark).unwrap_or_else(|| panic!("{mark} is in the style"));
            let rule = rule.split('}').next().unwrap_or_default();
            assert!(rule.contains(white_part) && !rule.contains("opacity"), "{mark} {rule}");
        }
    }
}
