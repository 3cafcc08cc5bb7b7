"""Pages with every table and figure, ours beside the paper's."""

from docbats_lab.report.pages import write_report

__all__ = ["write_report"]
