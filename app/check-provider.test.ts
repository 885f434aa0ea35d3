import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fantailFolder } from '#quality/support/provider.ts'

function check(args: string[], env: Record<string, string> = {}) {
  const command = ['app/check-provider.ts', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, lines: `${stdout}${stderr}`.trim().split('\n') }
}

test('check-provider reports every fault of a provider’s folder, or its name and number of products', () => {
  expect(check([fantailFolder])).toEqual({
    status: 0,
    lines: [expect.stringMatching(/^No faults: Fantail Mobile, with \d+ products\.$/)],
  })
  const folder = mkdtempSync(join(tmpdir(), 'fantail-check-provider-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(fantailFolder, folder, { recursive: true })
  for (const file of ['plans.json', 'icon-192.png']) rmSync(join(folder, file))
  expect(check([folder])).toEqual({ status: 1, lines: ['plans.json: is missing.', 'icon-192.png: is missing.'] })
})

test('check-provider reports a missing folder argument and an invalid MARKET', () => {
  expect(check([])).toEqual({ status: 1, lines: ['FOLDER is missing. Usage: npm run check-provider FOLDER'] })
  expect(check([fantailFolder], { MARKET: 'FJ' })).toEqual({
    status: 1,
    lines: ['MARKET is "FJ"; it must be one of NZ, AU.'],
  })
})
