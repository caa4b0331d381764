"""Documents that this program wrote: the graph inside, and what the nodes say of themselves."""
