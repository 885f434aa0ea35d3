import { PGlite } from '@electric-sql/pglite'

/*
 * Creates an embedded database in the folder given as the first argument. The program exits early if its standard input is closed, because
 * the process that started it has then ended.
 */
process.stdin.once('end', () => process.exit(1)).resume()
const database = await PGlite.create(process.argv[2] ?? '')
await database.close()
process.exit()
