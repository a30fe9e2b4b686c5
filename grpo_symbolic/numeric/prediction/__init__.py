"""From measured pass rates to the success that training leads to."""
