//! How the scores of openings spread, in words and bars.

/// How many classes a histogram has.
const CLASSES: i64 = 10;
/// The longest bar.
const LONGEST: usize = 40;

/// Returns lines of comment: mean, standard deviation and a histogram of scores that are at most `most` from `around`.
pub fn lines(scores: &[i64], around: i64, most: u32) -> Vec<String> {
    let Some((mean, deviation)) = mean_and_deviation(scores) else { return Vec::new() };
    let mut lines = vec![format!("# mean: {mean:+.1}"), format!("# sd: {deviation:.1}")];
    // Classes of equal width, the last of which may reach beyond the limit.
    let (most, width) = (i64::from(most), (2 * i64::from(most) + CLASSES) / CLASSES);
    let mut counts = [0_usize; CLASSES as usize];
    for score in scores {
        let class = (score - around + most).div_euclid(width).clamp(0, CLASSES - 1);
        counts[usize::try_from(class).unwrap_or_default()] += 1;
    }
    let highest = counts.iter().copied().max().unwrap_or_default().max(1);
    for (class, count) in (0..CLASSES).zip(counts) {
        let first = class * width - most;
        let last = (first + width - 1).min(most);
        if first <= most {
            let bar = "*".repeat((count * LONGEST).div_ceil(highest));
            let (first, last) = (first + around, last + around);
            lines.push(format!("# {first:>+6} to {last:>+6} {count:>5} {bar}").trim_end().to_owned());
        }
    }
    lines
}

/// Returns the mean and the standard deviation of a sample (with n - 1); nothing of no scores.
pub fn mean_and_deviation(scores: &[i64]) -> Option<(f64, f64)> {
    let count = scores.len() as f64;
    if scores.is_empty() {
        return None;
    }
    let mean = scores.iter().sum::<i64>() as f64 / count;
    let squares: f64 = scores.iter().map(|score| (*score as f64 - mean).powi(2)).sum();
    Some((mean, (squares / (count - 1.0).max(1.0)).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_the_scores() {
        assert_eq!(
            mean_and_deviation(&[2, 4, 4, 4, 5, 5, 7, 9]).map(|(m, d)| (m, (d * d * 7.0).round())),
            Some((5.0, 32.0))
        );
        assert_eq!(mean_and_deviation(&[3]), Some((3.0, 0.0)));
        assert_eq!(mean_and_deviation(&[]), None);
        assert!(lines(&[], 0, 10).is_empty());
    }

    #[test]
    fn every_score_stands_in_one_class() {
        for (around, most) in [0, -7, 650]
            .into_iter()
            .flat_map(|around| [0, 1, 4, 5, 9, 10, 50, 99, 100].map(|most| (around, most)))
        {
            let scores: Vec<i64> = (around - i64::from(most)..=around + i64::from(most)).collect();
            let lines = lines(&scores, around, most);
            let mut counted = 0;
            let mut next = around - i64::from(most);
            for line in &lines[2..] {
                let words: Vec<_> = line.split_whitespace().collect();
                let [first, last] = [1, 3].map(|place| words[place].parse::<i64>().unwrap());
                assert_eq!((first, words[2]), (next, "to"), "{line}");
                let count: usize = words[4].parse().unwrap();
                assert_eq!(count as i64, last - first + 1, "{line}");
                counted += count;
                next = last + 1;
            }
            assert_eq!(counted, scores.len(), "{most}");
        }
    }
}
