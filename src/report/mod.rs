//! What is shown of results: values in, text out. Files and screens are somebody else's business.

pub mod json;
pub mod standings;
pub mod text;
