"""Every format of runs and judgments, and which one a file has."""

from rankscope.data.formats.base import Format, Names, Role
from rankscope.data.formats.detect import FORMATS, detected, format_for_output, named, role_of

__all__ = ["FORMATS", "Format", "Names", "Role", "detected", "format_for_output", "named", "role_of"]
