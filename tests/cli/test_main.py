"""The command line as a whole: usage, help, and how every command ends."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from radharmony_core.cli import build_parser, main
from tests.cli.small import write_labels
from tests.support import annotation, write_table


def commands() -> dict[str, argparse.ArgumentParser]:
    found = [action.choices for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0])


# What is asked; the exit code; words on stdout; words on stderr; why.
CASES = [
    (["harmonize", "ms_cxr", "--out", "t.csv"], 1, "", "--csv-path", "no table named"),
    (["harmonize", "ms_cxr", "--csv-path", "gone.csv", "--out", "t.csv"], 1, "", "gone.csv", "a table that is not there"),
    (["harmonize", "ms_cxr", "--root", "empty", "--out", "t.csv"], 1, "", "MS_CXR_Local_Alignment", "a root without a table"),
    (["harmonize", "ms_cxr", "--csv-path", "ms.csv", "--out", "t.xlsx"], 1, "", "NAME.parquet or NAME.csv", "another format"),
    (["harmonize", "ms_cxr", "--csv-path", "ms.csv", "--out", "no/t.csv"], 1, "", "the folder to write", "no such folder"),
    (["harmonize", "ms_cxr", "--csv-path", "ms.csv", "--out", "d.csv"], 1, "", "is a folder", "a folder of that name"),
    (["harmonize", "ms_cxr", "--csv-path", "ms.csv", "--out", "ms.csv"], 1, "", "read or written already", "its own input"),
    (["harmonize", "ms_cxr", "--csv-path", "ms.csv", "--out", "t.csv"], 0, "all         1        1         1", "", "done"),
    (["harmonize", "ms_cxr", "--csv-path", "ms.csv", "--out", "ms.csv/t.csv"], 1, "", "ms.csv is a file", "a file for a folder"),
    (["demo", "ms.csv/demo", "--images", "4"], 1, "", "ms.csv", "a demo where nothing can be written"),
    (["demo", "out", "--images", "0"], 1, "", "at least 1 image", "no image"),
    (["demo", "out", "--images", "-5"], 1, "", "at least 1 image", "fewer than none"),
    (["demo", "out", "--images", "4", "--seed", "-3"], 1, "", "a seed of 0 or more; got -3", "a seed below nought"),
    (["demo", "jpg", "--images", "4"], 1, "", "holds something else", "a folder with something in it"),
    (["labeler-agreement"], 1, "", "--root", "no files named"),
    (["labeler-agreement", "--root", "gone"], 1, "", "gone", "no such folder"),
    (["labeler-agreement", "--root", "empty"], 1, "", "mimic-cxr-2.0.0-chexpert.csv.gz below empty", "nothing below it"),
    (["labeler-agreement", "--root", "jpg", "--split", "all"], 0, "Edema", "", "done"),
    (["validate-labels", "--root", "jpg"], 0, "uncertainty", "", "done"),
    (["validate-labels", "--root", "empty"], 1, "", "test-set-labeled.csv", "nobody labelled by hand"),
    (["validate-labels", "--root", "jpg", "--truth", "ms.csv"], 1, "", "ms.csv", "another kind of table"),
]


@pytest.mark.parametrize(("arguments", "code", "out", "err", "reason"), CASES, ids=[row[4] for row in CASES])
def test_how_a_command_ends(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    out: str,
    err: str,
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "ms.csv", [annotation()])
    write_labels(tmp_path / "jpg")
    for folder in ("empty", "d.csv"):
        (tmp_path / folder).mkdir()
    before = (tmp_path / "ms.csv").read_bytes()
    assert main(arguments) == code, reason
    said = capsys.readouterr()
    assert out in said.out
    assert err in said.err
    assert bool(said.out) == (code == 0), "a refusal is on stderr alone, data on stdout"
    assert "Traceback" not in said.err
    assert (tmp_path / "ms.csv").read_bytes() == before, "what is read is never written to"


WRONG = [
    ([], "COMMAND", "no command"),
    (["unknown"], "unknown", "no such command"),
    (["harmonize", "nothing", "--out", "t.csv"], "nothing", "no such dataset"),
    (["harmonize", "ms_cxr"], "--out", "nowhere to write"),
    (["harmonize", "ms_cxr", "--csv", "ms.csv", "--out", "t.csv"], "--csv", "an option is written in full"),
    (["harmonize", "ms_cxr", "--root", "", "--out", "t.csv"], "empty text", "an unset variable of the shell"),
    (["demo"], "OUT", "no folder"),
    (["demo", "out", "--images", "many"], "many", "no number"),
    (["labeler-agreement", "--split", "val"], "val", "MS-CXR's name for another split"),
    (["validate-labels", "--labeler", "visual"], "visual", "no such labeler"),
    (["validate-labels", "--format", "xml"], "xml", "no such format"),
]


@pytest.mark.parametrize(("arguments", "words", "reason"), WRONG, ids=[row[2] for row in WRONG])
def test_wrong_words_are_answered_with_the_usage(
    arguments: list[str], words: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2, reason
    said = capsys.readouterr()
    assert said.out == ""
    assert "usage: python -m radharmony_core" in said.err
    assert words in said.err


@pytest.mark.parametrize("name", ["", *sorted(commands())])
def test_help_teaches(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*([name] if name else []), "--help"])
    assert stop.value.code == 0
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 100
    if name:
        assert f"example:\n  python -m radharmony_core {name} " in told
    else:
        assert all(command in told for command in commands())


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_argument_has_a_help(name: str) -> None:
    assert [action.dest for action in commands()[name]._actions if not action.help] == []


def test_ctrl_c_is_a_sentence_and_130(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("radharmony_core.cli.demo.write_demo", stopped)
    assert main(["demo", str(tmp_path / "out")]) == 130
    assert capsys.readouterr().err.startswith("Stopped.")


def test_demo_writes_tables_and_prints_where_the_configuration_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["demo", str(out), "--images", "12", "--seed", "3", "--tables-only", "--quiet"]) == 0
    said = capsys.readouterr()
    assert said.out.strip() == str(out / "radharmony.toml")
    assert said.err == ""
    assert (out / "radharmony.toml").is_file()
    assert not list(out.rglob("*.jpg"))
