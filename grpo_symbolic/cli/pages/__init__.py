"""What the commands print, a page each: on a terminal or into a pipe."""
