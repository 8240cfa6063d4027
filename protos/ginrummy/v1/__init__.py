"""The wire contract: the protos, and what is generated from them (`make generate`)."""
