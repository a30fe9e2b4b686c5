"""Claims at very many floating-point instances, the worst of them in ball arithmetic."""
