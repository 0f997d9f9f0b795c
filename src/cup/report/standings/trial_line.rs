//! A running test in one line.

use super::sprt_figures::{SprtFigures, StatisticsFigures};
use arbiter_rank::rating::Trial;
use arbiter_rules::text::counted;
use std::time::Duration;

/// The state of a running test in one line of at most `columns` columns, if that is possible:
/// pairs, Elo with its interval, the log-likelihood ratio with its bounds, and the forecast of how
/// many pairs and how much time are left. `most` is the maximum number of pairs left, and
/// `pair_time` the time that a pair has taken so far. In a narrow terminal words are left out, then
/// the time, then figures.
///
/// ```
/// use arbiter_rank::rating::{Model, Sprt, Trial};
/// use arbiter_cup::report::standings::trial_line;
/// use std::time::Duration;
/// let sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
/// let mut trial = Trial::new(sprt);
/// for points in [2, 3, 2, 1, 4].repeat(8) {
///     trial.add(points);
/// }
/// assert_eq!(
///     trial_line(&trial, 900, Some(Duration::from_secs(1)), usize::MAX),
///     "try: 40 pairs  +70.4 Elo (95 %: 14.6 to 130.2)  LLR 1.23 of -2.94 to 2.94  \
///      about 63 more pairs, 63 s"
/// );
/// assert_eq!(
///     trial_line(&trial, 900, Some(Duration::from_secs(1)), 59),
///     "40 pairs  +70.4 (14.6 to 130.2)  LLR 1.23  63 more, 63 s"
/// );
/// ```
pub fn trial_line(trial: &Trial, most: u64, pair_time: Option<Duration>, columns: usize) -> String {
    let figures = SprtFigures::new(trial, false);
    let pairs = counted(figures.pairs, "pair");
    let elo = figures.statistics.as_ref().map(StatisticsFigures::estimate).unwrap_or_default();
    let short_elo = elo.replace("95 %: ", "").replace(" (95 %)", "");
    let bare_elo = short_elo.replace(" Elo", "");
    let llr = format!("LLR {:.2}", trial.llr());
    let (lower, upper) = trial.sprt().bounds();
    let bounds = format!("{lower:.2} to {upper:.2}");
    let mut long_left = String::new();
    let mut left = String::new();
    let mut bare_left = String::new();
    if let Some(forecast) = trial.forecast() {
        let more = forecast.round().min(most as f64);
        let time = match pair_time {
            Some(time) => format!(", {}", about_time(time.mul_f64(more))),
            None => String::new(),
        };
        long_left = format!("about {more} more pairs{time}");
        left = format!("{more} more{time}");
        bare_left = format!("{more} more");
    }
    // The longest form comes first; the first one that fits is taken, or else the shortest.
    let forms: [[&str; 4]; 6] = [
        [&format!("try: {pairs}"), &elo, &format!("{llr} of {bounds}"), &long_left],
        [&pairs, &short_elo, &format!("{llr} ({bounds})"), &left],
        [&pairs, &short_elo, &format!("{llr} ({bounds})"), &bare_left],
        [&pairs, &bare_elo, &llr, &left],
        [&pairs, &bare_elo, &llr, &bare_left],
        [&pairs, "", &llr, &bare_left],
    ];
    let mut line = String::new();
    for form in forms {
        let known: Vec<&str> = form.into_iter().filter(|part| !part.is_empty()).collect();
        line = known.join("  ");
        if line.chars().count() <= columns {
            break;
        }
    }
    line
}

/// A length of time in the unit that suits a forecast: `40 s`, `3 min`, `2.5 h`.
pub fn about_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rank::rating::{Model, Sprt};

    fn trial(elos: [f64; 2], points: &[usize]) -> Trial {
        let [elo0, elo1] = elos;
        let mut trial =
            Trial::new(Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Logistic });
        for &scored in points {
            trial.add(scored);
        }
        trial
    }

    #[test]
    fn a_line_fits_the_terminal_whatever_the_figures() {
        let hour = Some(Duration::from_secs(3600));
        for points in
            [&[2, 3, 2, 1, 4].repeat(300)[..], &[0, 1].repeat(9), &[4; 30], &[2; 500], &[0], &[]]
        {
            for elos in [[0.0, 3.0], [-60.0, 0.0]] {
                let trial = trial(elos, points);
                for columns in [59, 79, 200] {
                    let line = trial_line(&trial, 99, hour, columns);
                    assert!(line.chars().count() <= columns, "{line}");
                    assert!(line.contains(" pair") && line.contains("LLR "), "{line}");
                }
            }
        }
    }

    #[test]
    fn words_say_what_was_refuted() {
        let [won, lost] = [&[4, 3].repeat(500)[..], &[0, 1].repeat(500)];
        for (elos, points, words) in [
            ([0.0, 20.0], won, "better: +"),
            ([5.0, 20.0], won, "better by more than 5 Elo: +"),
            ([-5.0, 20.0], won, "not worse by 5 Elo or more: +"),
            ([0.0, 20.0], lost, "not better by 20 Elo or more: -"),
            ([-20.0, 0.0], lost, "worse: -"),
            ([-20.0, -5.5], lost, "worse by more than 5.5 Elo: -"),
        ] {
            let result = SprtFigures::new(&trial(elos, points), false).result();
            assert!(result.starts_with(words) && result.ends_with(" pairs"), "{result}");
        }
        let open = trial([0.0, 20.0], &[2, 3]);
        let [over, running] =
            [true, false].map(|is_over| SprtFigures::new(&open, is_over).result());
        assert!(
            over.starts_with("undecided after 2 pairs: +")
                && running.starts_with("no verdict yet after 2 pairs: +")
        );
        assert_eq!(
            SprtFigures::new(&trial([0.0, 20.0], &[]), false).result(),
            "no verdict yet after 0 pairs"
        );
        assert!(
            SprtFigures::new(&trial([0.0, 20.0], &[4; 99]), true)
                .result()
                .starts_with("better: at least +")
        );
    }
}
