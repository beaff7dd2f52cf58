//! The one place that reads the clock; everything below gets times as texts.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

/// Now, RFC 3339 in UTC, to the second.
pub fn now() -> String {
    written(jiff::Timestamp::now())
}

/// Today in UTC, `YYYY-MM-DD`.
pub fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// So many days before today, `YYYY-MM-DD`.
pub fn days_ago(days: i64) -> String {
    let span = jiff::SignedDuration::from_hours(days.saturating_mul(24));
    let then = jiff::Timestamp::now().checked_sub(span).unwrap_or(jiff::Timestamp::MIN);
    then.strftime("%Y-%m-%d").to_string()
}

/// The time after a span from now, such as `30d`, `12h` or `1y`; a day counts 24 hours and a year 365 days.
pub fn after(span: &str) -> Result<String, Box<Diagnostic>> {
    let refused = || {
        let message = format!("`{span}` is no span of time ahead");
        Box::new(Diagnostic::error(codes::E_VALUE, message).help("write it as `30d`, `12h` or `90m`"))
    };
    let span: jiff::SignedDuration = hours_of(span).ok_or_else(refused)?;
    let end = jiff::Timestamp::now().checked_add(span).map_err(|_| refused())?;
    Ok(written(end))
}

/// A time ahead: RFC 3339 with any offset, or a span from now as [`after`] reads it.
pub fn ahead(text: &str) -> Result<String, Box<Diagnostic>> {
    let Ok(at) = text.trim().parse::<jiff::Timestamp>() else {
        return after(text).map_err(|_| {
            let message = format!("`{text}` is neither a time nor a span of time ahead");
            Box::new(
                Diagnostic::error(codes::E_VALUE, message).help("write it as `2h`, `1d` or `2027-01-31T18:00:00Z`"),
            )
        });
    };
    let at = written(at);
    if at > now() {
        return Ok(at);
    }
    let message = format!("`{text}` has passed");
    Err(Box::new(Diagnostic::error(codes::E_VALUE, message).help("name a time ahead, or a span from now as `2h`")))
}

/// A time as people say it at a glance: `just now`, `5 min ago`, `3 h ago`, `2 d ago`.
pub fn ago(at: &str) -> String {
    let Ok(then) = at.parse::<jiff::Timestamp>() else { return at.to_owned() };
    let seconds = jiff::Timestamp::now().duration_since(then).as_secs();
    match seconds {
        ..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

fn hours_of(span: &str) -> Option<jiff::SignedDuration> {
    let span: jiff::Span = span.trim().parse().ok()?;
    let days = i64::from(span.get_years()) * 365 + i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
    let clock = span.years(0).weeks(0).days(0);
    let total = jiff::SignedDuration::try_from(clock).ok()?.checked_add(jiff::SignedDuration::from_hours(days * 24))?;
    total.is_positive().then_some(total)
}

fn written(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(span: &str, expected: Option<i64>) {
        assert_eq!(hours_of(span).map(|span| span.as_secs()), expected, "{span}");
    }

    #[track_caller]
    fn check_ahead(text: &str, expected: Result<&str, &str>) {
        let read = ahead(text).map_err(|refused| refused.message);
        assert_eq!(read.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn an_end_is_a_time_or_a_span_and_lies_ahead() {
        check_ahead("2999-01-31T18:00:00Z", Ok("2999-01-31T18:00:00Z"));
        check_ahead(" 2999-01-31T18:00:00.5+02:00 ", Ok("2999-01-31T16:00:00Z"));
        check_ahead("2024-01-31T18:00:00Z", Err("`2024-01-31T18:00:00Z` has passed"));
        check_ahead("soon", Err("`soon` is neither a time nor a span of time ahead"));
        check_ahead("-2h", Err("`-2h` is neither a time nor a span of time ahead"));
        check_ahead("2999-01-31", Err("`2999-01-31` is neither a time nor a span of time ahead"));
        let tomorrow = ahead("1d").unwrap();
        assert!(tomorrow > now() && tomorrow < ahead("2d").unwrap(), "{tomorrow}");
    }

    #[test]
    fn spans_are_read_as_people_write_them() {
        check("30d", Some(30 * 86_400));
        check("1d 12h", Some(36 * 3_600));
        check("1s", Some(1));
        check("1y", Some(365 * 86_400));
        check("-1h", None);
        check("0h", None);
        check("2 months", None);
        check("soon", None);
    }
}
