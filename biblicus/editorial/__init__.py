"""Trust in layers: promotions, retractions and publications, and what stands approved."""
