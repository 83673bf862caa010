import Testing

/// Tests with the real program, one after the other: each has a service and a broker of its own, and most wait for something.
@Suite(.serialized) struct ProcessTests {}
