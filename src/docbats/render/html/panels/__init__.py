"""The panels of a report: each file has one function that returns the markup of a panel."""
