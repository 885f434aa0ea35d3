import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { passwordsWith } from './password.ts'

test('forty passwords at once leave a thread to whoever reads a file, or connects to the database', async () => {
  const passwords = passwordsWith('seed')
  let done = 0
  const hashes = Array.from({ length: 40 }, (_, index) =>
    passwords.hash(`password ${index}`, 'ana@example.com').then(() => void (done += 1)),
  )
  await readFile(import.meta.filename)
  // Without turns nearly all of them come before.
  expect(done).toBeLessThan(20)
  await Promise.all(hashes)
})
