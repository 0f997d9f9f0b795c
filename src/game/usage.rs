//! Amounts of resources: those that limits allow, and those that players use.

/// Processes, and the threads of all of them together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tasks {
    pub processes: u32,
    /// Threads; each process has at least one.
    pub threads: u32,
}

impl Tasks {
    /// These, and one more process of one thread.
    pub fn and_one(self) -> Tasks {
        Tasks { processes: self.processes + 1, threads: self.threads + 1 }
    }
}

/// The size and number of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DiskUsage {
    /// Bytes of all files.
    pub bytes: u64,
    /// Files and folders.
    pub files: u64,
}
