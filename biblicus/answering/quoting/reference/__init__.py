"""What pages of a reference say of the parts of what they document."""
