"""The HTTP service and its page: ``docbats serve``."""
