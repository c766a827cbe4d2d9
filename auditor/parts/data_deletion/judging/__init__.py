"""What the judges of data deletion share: what theorems give for declared settings, and what that is held against."""
