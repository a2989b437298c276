"""rankscope completion: what the shell may fill in, and the script that makes it ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from rankscope.cli.command import COMPLETION, SETTINGS, Command
from rankscope.cli.output import deliver

__all__ = ["complete_listed", "complete_measures", "complete_word", "completion"]

SHELLS = {
    "bash": 'eval "$(rankscope completion bash)" at the end of ~/.bashrc (bash 4.4 or later)',
    "zsh": 'eval "$(rankscope completion zsh)" in ~/.zshrc, after compinit',
    "fish": "rankscope completion fish > ~/.config/fish/completions/rankscope.fish, once",
}

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


@click.command(
    cls=Command,
    context_settings=SETTINGS,
    sections={"To have it in every shell": list(SHELLS.items())},
    examples=[
        ("rankscope completion fish | source", "for this fish"),
        ('eval "$(rankscope completion bash)"', "for this bash"),
        ("rankscope completion zsh > _rankscope", "as a file, for a folder of zsh's fpath"),
    ],
)
@click.argument("shell", type=click.Choice([*SHELLS]), metavar="|".join(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that completes commands, options, measures, policies and file names."""
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"this version of click cannot complete for {shell}", context)
    program = context.find_root()
    script = found(program.command, {}, program.info_name or "rankscope", COMPLETION)
    # Not its own source(): for bash that starts one to ask for its version.
    deliver([ShellComplete.source(script).strip(), "\n"], None)


def complete_measures(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of measures, also after a comma."""
    from rankscope.measures import registered

    return _items(incomplete, {measure.name: measure.meaning for measure in registered()})


def complete_listed(known: dict[str, str]) -> Completer:
    """A completer of words that may be listed with commas, each with its meaning."""
    return lambda _, __, incomplete: _items(incomplete, known)


def complete_word(known: Iterable[str]) -> Completer:
    """A completer of single words."""
    words = list(known)
    return lambda _, __, incomplete: [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _items(incomplete: str, known: dict[str, str]) -> list[CompletionItem]:
    """What the last word of a list with commas may become; the words before it are kept, and not offered."""
    done, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(f"{done}{comma}{word}", help=meaning)
        for word, meaning in known.items()
        if word.casefold().startswith(last.casefold()) and word not in done.split(",")
    ]
