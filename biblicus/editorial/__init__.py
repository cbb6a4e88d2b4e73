"""Editorial layers: promotions, retractions, publications, and the state of approvals."""
