//! Programs of versions that were replaced: their copies are removed when nobody plays with them.

use arbiter_ground::output::complain;
use arbiter_host::locate::{Program, remove_folder};
use std::path::PathBuf;
use std::sync::Arc;

/// Programs that do not play any more, whose copies are in one folder.
pub struct Retired {
    builds: PathBuf,
    programs: Vec<Arc<Program>>,
}

impl Retired {
    /// Those with copies in this folder.
    pub fn in_folder(builds: PathBuf) -> Retired {
        Retired { builds, programs: Vec::new() }
    }

    pub fn add(&mut self, program: Arc<Program>) {
        self.programs.push(program);
    }

    /// Removes the copies of programs that nobody plays with any more.
    pub fn remove_unused(&mut self) {
        let Retired { builds, programs } = self;
        programs.retain(|program| {
            if Arc::strong_count(program) > 1 {
                return true;
            }
            // The program may lie in the only folder of the submission.
            let copy = program.dir.ancestors().find(|above| above.parent() == Some(&**builds));
            if let Some(copy) = copy
                && let Err(error) = remove_folder(copy)
            {
                complain(format_args!("note: {}: {error}", copy.display()));
            }
            false
        });
    }
}
