"""Where files come from: implementers of ports.Source. Import them from their modules; nothing is loaded here."""
