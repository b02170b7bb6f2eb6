"""A project file: the data as they were given, what was set and found, in one file to keep."""

from nbcompare.project._given import Example, File
from nbcompare.project._project import Project, open_project

__all__ = ["Example", "File", "Project", "open_project"]
