//! "Play me against X now": the form for it on the page of an author, and what it sends.

use arbiter_cup::report::escape::xml;

/// What an author may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeForm {
    /// The bots that theirs can be played against, by public names.
    pub opponents: Vec<String>,
    /// The opponent that theirs plays next, because they asked for it.
    pub waiting: Option<String>,
    /// Why nothing more can be asked for today.
    pub used_up: Option<String>,
}

/// The part of an author's page. Its paths are relative to that of the page.
pub(super) fn challenge_part(address: &str, form: &ChallengeForm) -> String {
    let ChallengeForm { opponents, waiting, used_up } = form;
    if let Some(opponent) = waiting {
        let opponent = xml(opponent);
        return format!(
            "<p>Your bot plays {opponent} next, because you asked for it: two games, as soon as \
             running ones have ended.</p>\n"
        );
    }
    if let Some(why) = used_up {
        return format!("<p>Play it against a bot now: {}.</p>\n", xml(why));
    }
    if opponents.is_empty() {
        return String::new();
    }
    let mut options = String::new();
    for name in opponents {
        options += &format!("<option>{}</option>", xml(name));
    }
    format!(
        "<form method=\"post\" action=\"{address}/challenge\">\n\
         <p><label for=\"opponent\">Play two games now, against</label>\n\
         <select id=\"opponent\" name=\"opponent\">{options}</select> <button>Play</button></p>\n\
         </form>\n"
    )
}

/// The opponent in the body of a form (`application/x-www-form-urlencoded`), as a browser and `curl
/// -d` send it. Names of bots have only letters that are sent as they are.
pub(super) fn opponent_in(body: &[u8]) -> Option<String> {
    let body = str::from_utf8(body).ok()?;
    let mut found = None;
    for field in body.trim_end().split('&') {
        if let Some(name) = field.strip_prefix("opponent=") {
            // Which of two is meant cannot be told.
            if found.replace(name.to_owned()).is_some() {
                return None;
            }
        }
    }
    found.filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_is_the_only_field_of_its_name() {
        for (body, opponent) in [
            ("opponent=bob", Some("bob")),
            ("opponent=quiet-otter-7f3a\n", Some("quiet-otter-7f3a")),
            ("x=1&opponent=b.o_b&opponents=carl", Some("b.o_b")),
            ("opponent=bob&opponent=carl", None),
            ("opponent=", None),
            ("bob", None),
            ("", None),
        ] {
            assert_eq!(opponent_in(body.as_bytes()).as_deref(), opponent, "{body}");
        }
        assert_eq!(opponent_in(b"opponent=\xff"), None);
    }

    #[test]
    fn a_page_has_a_form_or_says_what_becomes_of_it() {
        let mut form = ChallengeForm {
            opponents: vec!["bob".to_owned(), "a<b".to_owned()],
            waiting: None,
            used_up: None,
        };
        let asks = challenge_part("f00", &form);
        assert!(asks.contains("action=\"f00/challenge\""), "{asks}");
        assert!(asks.contains("<option>bob</option><option>a&lt;b</option>"), "{asks}");
        form.used_up = Some("in 3 hours".to_owned());
        let says = challenge_part("f00", &form);
        assert!(says.contains("in 3 hours") && !says.contains("<form"), "{says}");
        form.waiting = Some("bob".to_owned());
        let waits = challenge_part("f00", &form);
        assert!(waits.contains("plays bob next") && !waits.contains("<form"), "{waits}");
        form = ChallengeForm { opponents: Vec::new(), waiting: None, used_up: None };
        assert_eq!(challenge_part("f00", &form), "");
    }
}
