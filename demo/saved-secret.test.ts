import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadOrCreateSecret } from './saved-secret.ts'

let home = ''
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'fantail-secret-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('the demo’s secret is created only once, in a file that nobody but its owner can read', () => {
  const secret = loadOrCreateSecret(home)
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(loadOrCreateSecret(home)).toBe(secret)
  expect(readdirSync(home)).toEqual(['secret'])
  // Windows has no file modes, so there is nothing to check.
  expect(process.platform === 'win32' ? 0o600 : statSync(join(home, 'secret')).mode & 0o777).toBe(0o600)
})

test.each([
  [0, 'empty'],
  [40, 'incomplete'],
])('a secret file truncated to %i bytes is rejected', (length, how) => {
  loadOrCreateSecret(home)
  truncateSync(join(home, 'secret'), length)
  expect(() => loadOrCreateSecret(home)).toThrow(
    `The key in ${join(home, 'secret')} is ${how}. Restore the file from a backup`,
  )
})
