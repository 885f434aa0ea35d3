import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createSeededPasswords } from './password.ts'

test('forty concurrent password hashes leave a thread free to read a file', async () => {
  const passwords = createSeededPasswords('seed')
  let done = 0
  const hashes = Array.from({ length: 40 }, (_, index) =>
    passwords.hash(`password ${index}`, 'ana@example.com').then(() => void (done += 1)),
  )
  await readFile(import.meta.filename)
  // If concurrent hashes were not limited, they would occupy all threads, and nearly all would finish before the file could be read.
  expect(done).toBeLessThan(20)
  await Promise.all(hashes)
})
