"""Models that are run or asked: ONNX files, and services on the network with requests that are timed and repeated with care."""
