"""The long tail: languages whose definitions are found by generic rules over whatever node kinds a grammar has."""
