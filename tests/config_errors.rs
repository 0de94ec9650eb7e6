//! What is shown for a faulty tournament file. The sessions stand in `config_errors/`, with the files that they
//! read.

#[test]
fn faulty_files_are_explained() {
    trycmd::TestCases::new().case("tests/config_errors/*.trycmd");
}
