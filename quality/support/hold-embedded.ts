import { openDatabase } from '#kit/server/db.ts'

// Opens the embedded database of a folder and keeps it open, for the tests of the lock.

await openDatabase({ folder: process.argv[2] ?? '' })
console.log('open')
setInterval(() => {}, 60_000)
