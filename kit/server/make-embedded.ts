import { PGlite } from '@electric-sql/pglite'

// A program: makes an embedded database in the folder that it is told of, and ends; earlier where who wants it, at the other end of
// its input, has.
process.stdin.once('end', () => process.exit(1)).resume()
const database = await PGlite.create(process.argv[2] ?? '')
await database.close()
process.exit()
