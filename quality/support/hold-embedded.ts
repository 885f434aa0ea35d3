import { openDatabase } from '#kit/server/db.ts'

await openDatabase({ folder: process.argv[2] ?? '' })
console.log('open')
setInterval(() => {}, 60_000)
