//! The secret key of a run that publishes aliases or links: from a file, from the runs that it
//! shares the tournament with, or drawn.

use super::sharing::Sharing;
use super::sources::Sources;
use anyhow::{Context, bail};
use arbiter_cup::tournament::JournalHead;
use arbiter_cup::tournament::roster::KeySource;
use arbiter_ground::request::TournamentRequest;
use arbiter_host::files;
use arbiter_rules::seed::SecretKey;
use std::fs::File;
use std::io::Read;

/// The fewest characters of a file with a key, without white space around them, and the most bytes
/// of it.
const LEAST: usize = 16;
const MOST: usize = 4096;

/// Where the key of a run comes from; `sources` are the folders of other runs that it shares the
/// tournament with, and `agreed` is the roster of all of them.
///
/// # Errors
/// The file that the configuration names cannot be read, or holds no secret; or the system gives no
/// random bytes.
pub fn key_source(
    request: &TournamentRequest,
    sharing: &Sharing,
    sources: &Sources,
    agreed: Option<&JournalHead>,
) -> anyhow::Result<KeySource> {
    let publish = &request.config.publish;
    if !publish.needs_key() {
        return Ok(KeySource::Unknown);
    }
    if let Some(file) = &publish.key_file {
        let path = request.from.join(file);
        let key = read(&path)
            .with_context(|| format!("[publish] key-file = {file:?}: {}", path.display()))?;
        return Ok(KeySource::Common(Some(key)));
    }
    if let Some(head) = sources.heads().next().or(agreed) {
        return Ok(KeySource::Common(head.key.clone()));
    }
    if sharing.needs_common_key() {
        return Ok(KeySource::Unknown);
    }
    let mut bytes = [0; 32];
    let mut random = File::open("/dev/urandom").context("/dev/urandom")?;
    random.read_exact(&mut bytes).context("/dev/urandom")?;
    Ok(KeySource::Drawn(SecretKey::new(&bytes)))
}

/// The key of a file: its bytes without white space around them.
fn read(path: &std::path::Path) -> anyhow::Result<SecretKey> {
    const MAKE: &str = "`openssl rand -hex 32` prints one";
    let file = files::open(path).with_context(|| format!("it must hold a secret; {MAKE}"))?;
    let mut bytes = Vec::new();
    file.take(MOST as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.trim_ascii() {
        secret if (LEAST..=MOST).contains(&secret.len()) => Ok(SecretKey::new(secret)),
        _ => bail!("a secret has {LEAST} to {MOST} characters; {MAKE}"),
    }
}
