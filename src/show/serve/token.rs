//! The secret in the URL: other accounts of a machine reach its loopback addresses too.

use arbiter_game::content::hex;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};

/// 128 random bits as 32 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new token.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn random() -> io::Result<Token> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Token(hex(&bytes)))
    }

    /// A token from hexadecimal digits that were derived from a secret: the same each time.
    pub fn derived(digits: &str) -> Token {
        Token(digits.chars().take(32).collect())
    }

    /// Whether the text is this token.
    pub fn is(&self, text: &str) -> bool {
        is_same_secret(&self.0, text)
    }
}

/// Whether a text is a secret. How long the comparison takes does not tell how many letters are
/// right.
pub fn is_same_secret(secret: &str, text: &str) -> bool {
    let mut differences = 0;
    for (one, other) in secret.bytes().zip(text.bytes()) {
        differences |= one ^ other;
    }
    secret.len() == text.len() && std::hint::black_box(differences) == 0
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_all_of_its_letters() {
        let (token, other) = (Token::random().unwrap(), Token::random().unwrap());
        let text = token.to_string();
        assert_eq!(text.len(), 32);
        assert!(token.is(&text) && !other.is(&text));
        assert!(!token.is("") && !token.is(&text[1..]) && !token.is(&format!("{text}0")));
        assert!(!token.is(&text.replacen(|_: char| true, "x", 1)));
        assert!(!format!("{token:?}").contains(&text), "logs do not have it");
    }
}
