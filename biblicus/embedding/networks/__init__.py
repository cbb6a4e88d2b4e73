"""What built-in models are computed with: tokens, weights, and the network in numpy, torch and onnxruntime."""
