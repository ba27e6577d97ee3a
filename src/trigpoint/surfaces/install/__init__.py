"""`trig install`: our entry into the configuration of the clients that agents run in, and out of it again, byte for byte."""
