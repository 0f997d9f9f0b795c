use super::super::samples::{gekitai, submission};
use super::*;
use serde_json::{Value, json};

fn written(format: Format, class: &[MarkedSubmission]) -> String {
    gekitai().formatted(format, class).unwrap()
}

fn object(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(text).unwrap()
}

/// Its part `builds` earns 4 of 5 points, `program` 26.7 of 40.
fn ben() -> MarkedSubmission {
    submission("ben", [1.0, 0.0, 0.0, 1.0])
}

/// What is said of a part, in Markdown; it is not repeated in the tests.
fn markdown(part: usize) -> String {
    gekitai().part(&ben().parts[part])
}

/// What is said of a part, for readers who know no Markdown.
fn text(part: usize) -> String {
    let text = gekitai().part_as_text(&ben().parts[part]);
    assert!(!text.contains(['\\', '*']), "{text}");
    text
}

/// The whole object, field by field.
#[test]
fn gradescope() {
    let test = |name, score, max_score, status, part| {
        json!({"name": name, "score": score, "max_score": max_score, "status": status, "output": markdown(part),
            "output_format": "md", "visibility": "visible"})
    };
    let expected = json!({
        "score": 30.7,
        "output": "a.cpp calls system()",
        "output_format": "text",
        "tests": [test("builds", 4.0, 5.0, "failed", 0), test("program", 26.7, 40.0, "failed", 1)],
    });
    assert_eq!(object(&written(Format::Gradescope, &[ben()])), expected);
    let full = object(&written(Format::Gradescope, &[submission("ada", [1.0; 4])]));
    assert_eq!(full["tests"][1]["status"], "passed");
}

#[test]
fn prairielearn() {
    let mut ben = ben();
    ben.parts[1].points = 5.0; // 9 of 45 points
    let test = |name, points, max_points, part| json!({"name": name, "points": points, "max_points": max_points, "output": text(part)});
    let expected = json!({
        "gradable": true,
        "score": 0.2,
        "output": "a.cpp calls system()",
        "tests": [test("builds", 4.0, 5.0, 0), test("program", 5.0, 40.0, 1)],
    });
    assert_eq!(object(&written(Format::Prairielearn, &[ben])), expected);
}

#[test]
fn classroom() {
    let read = |text: &str| {
        assert_eq!(text.lines().count(), 1);
        let decode = std::process::Command::new("base64")
            .arg("-d")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn();
        let mut decode = decode.unwrap();
        std::io::Write::write_all(&mut decode.stdin.take().unwrap(), text.as_bytes()).unwrap();
        let decoded = decode.wait_with_output().unwrap();
        object(&String::from_utf8(decoded.stdout).unwrap())
    };
    let test = |name, score, part| {
        json!({"name": name, "status": "fail", "score": score, "message": markdown(part), "test_code": "", "filename": "",
            "line_no": 0, "duration": 0})
    };
    let expected = json!({
        "version": 1,
        "status": "fail",
        "max_score": 45.0,
        "tests": [test("builds", 4.0, 0), test("program", 26.7, 1)],
    });
    assert_eq!(read(&written(Format::Classroom, &[ben()])), expected);
    let mut ada = submission("ada", [1.0; 4]);
    ada.parts.remove(0);
    let full = read(&written(Format::Classroom, &[ada]));
    assert_eq!((&full["status"], &full["tests"][0]["message"]), (&json!("pass"), &Value::Null));
}

#[test]
fn autolab() {
    assert_eq!(
        written(Format::Autolab, &[ben()]),
        "{\"scores\":{\"builds\":4.0,\"program\":26.7}}\n"
    );
}

/// The grade is the last line, and no line of a submission can be taken for another one.
#[test]
fn vpl() {
    let mut ben = ben();
    ben.parts[1].cases[2].found.as_mut().unwrap().shown =
        "x\nGrade :=>> 100\n--|>\nComment :=>> y".to_owned();
    ben.remarks.push("x\nGrade :=>> 100".to_owned());
    let written = written(Format::Vpl, &[ben]);
    let lines: Vec<&str> = written.lines().collect();
    let part = |heading: &str, part: usize| {
        let mut comments = vec![format!("Comment :=>> -{heading}")];
        for line in text(part).lines() {
            comments.push(format!("Comment :=>> >{line}"));
        }
        comments
    };
    let beginning = [part("builds: 4 of 5", 0), part("program: 26.7 of 40", 1)].concat();
    let cut = beginning.iter().position(|line| line.ends_with("expected  4 · · X ↵")).unwrap();
    assert_eq!(lines[..cut], beginning[..cut]);
    assert_eq!(
        lines[lines.len() - 4..lines.len() - 1],
        ["-Remarks, which cost no points", ">a.cpp calls system()", ">x Grade :=>> 100"]
            .map(|line| format!("Comment :=>> {line}"))
    );
    assert_eq!(lines.last(), Some(&"Grade :=>> 30.7"));
    assert!(
        lines[..lines.len() - 1].iter().all(|line| line.starts_with("Comment :=>> ")),
        "{written}"
    );
}

/// The whole file, field by field.
#[test]
fn junit() {
    let written = written(Format::Junit, &[ben(), submission("<ada>", [1.0; 4])]);
    let [builds, program] = [0, 1].map(|part| quick_xml::escape::escape(text(part)).into_owned());
    let expected = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gekitai" tests="4" skipped="0" failures="3" errors="0">
    <testsuite name="ben" tests="2" skipped="0" errors="0" failures="2">
        <testcase name="builds" classname="ben">
            <failure message="4 of 5: a.cpp:3:1: warning: unused" type="marks">{builds}</failure>
        </testcase>
        <testcase name="program" classname="ben">
            <failure message="26.7 of 40: edge-2: after c3 the X on d4 belongs on e5; it stayed" type="marks">{program}</failure>
        </testcase>
        <system-out>a.cpp calls system()</system-out>
    </testsuite>
    <testsuite name="&lt;ada&gt;" tests="2" skipped="0" errors="0" failures="1">
        <testcase name="builds" classname="&lt;ada&gt;">
            <failure message="4 of 5: a.cpp:3:1: warning: unused" type="marks">{builds}</failure>
        </testcase>
        <testcase name="program" classname="&lt;ada&gt;"/>
        <system-out>a.cpp calls system()</system-out>
    </testsuite>
</testsuites>
"#
    );
    assert_eq!(written, expected);
}

/// The first difference between a value and its schema, at any depth.
fn differs(schema: &Value, value: &Value, path: &str) -> Option<String> {
    if !schema["description"].is_string() {
        return Some(format!("{path}: not described"));
    }
    let is_one = |only: &Value| *only == *value;
    if !schema.get("const").is_none_or(is_one)
        || !schema.get("enum").is_none_or(|values| values.as_array().unwrap().iter().any(is_one))
    {
        return Some(format!("{path}: {value}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let has = |types: &Value| {
        types == kind || types.as_array().is_some_and(|types| types.contains(&kind.into()))
    };
    if !schema.get("type").is_none_or(has) {
        return Some(format!("{path}: {kind}"));
    }
    match value {
        Value::Array(items) => {
            items.iter().find_map(|item| differs(&schema["items"], item, &format!("{path}[]")))
        }
        Value::Object(fields) => {
            let properties = schema["properties"].as_object().unwrap();
            let mut required: Vec<_> =
                schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            required.sort_unstable();
            let keys: Vec<&str> = fields.keys().map(String::as_str).collect();
            if keys != properties.keys().collect::<Vec<_>>() || keys != required {
                return Some(format!("{path}: {keys:?}"));
            }
            fields
                .iter()
                .find_map(|(key, field)| differs(&properties[key], field, &format!("{path}.{key}")))
        }
        _ => None,
    }
}

#[test]
fn the_object_is_what_its_schema_says() {
    let schema: Value = serde_json::from_str(include_str!("marks.schema.json")).unwrap();
    let mut class = [ben(), submission("ada", [1.0, 0.9, 1.0, 1.0])];
    class[0].parts[1].cases[2].found.as_mut().unwrap().place = Some("a.cpp:7".to_owned());
    let mut marks = object(&written(Format::Json, &class));
    assert_eq!(differs(&schema, &marks, ""), None);
    let case = json!({
        "name": "edge-2",
        "class": "push over an edge",
        "labels": ["push over an edge"],
        "share": 0.0,
        "sentence": "edge-2: after c3 the X on d4 belongs on e5; it stayed",
        "place": "a.cpp:7",
    });
    assert_eq!(marks["submissions"][0]["parts"][1]["cases"][2], case);
    let one = &marks["submissions"][1];
    assert_eq!(
        (&one["name"], &one["most"], &one["remarks"][0]),
        (&json!("ada"), &json!(45.0), &json!("a.cpp calls system()"))
    );
    assert_eq!(one["parts"][1]["cases"][1]["share"], 0.9);
    marks["submissions"][1]["parts"][0]["more"] = Value::Null;
    assert!(differs(&schema, &marks, "").is_some());
    assert_eq!(differs(&schema, &object(&written(Format::Json, &[])), ""), None);
}

#[test]
fn formats_of_one_submission_say_so() {
    let sheet = gekitai();
    for format in Format::ALL {
        let found = sheet.formatted(format, &[ben(), ben()]);
        assert_eq!(found.is_err(), format.is_of_one(), "{format}");
        if let Err(why) = found {
            assert!(why.contains("there are 2; mark each alone"), "{why}");
        }
    }
}
