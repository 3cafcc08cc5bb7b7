"""The methods that BATS is compared with, one to a file."""
