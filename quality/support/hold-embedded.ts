import { openDatabase } from '#kit/server/db.ts'

// A process that opens the embedded database of a folder and keeps it, for the tests of the lock.

await openDatabase({ folder: process.argv[2] ?? '' })
console.log('open')
setInterval(() => {}, 60_000)
