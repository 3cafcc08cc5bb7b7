"""Where documents are analyzed: processes of this machine, or a Ray cluster."""
