import { PGlite } from '@electric-sql/pglite'

/*
 * This program creates an embedded database in the folder of its first argument. It exits early when its standard input ends, because the
 * process that started it has then ended.
 */
process.stdin.once('end', () => process.exit(1)).resume()
const database = await PGlite.create(process.argv[2] ?? '')
await database.close()
process.exit()
