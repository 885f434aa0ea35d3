import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
    lines: expect.arrayContaining([expect.stringMatching(/^No faults: Fantail Mobile, with \d+ products\.$/)]),
  })
  const folder = mkdtempSync(join(tmpdir(), 'fantail-check-provider-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(fantailFolder, folder, { recursive: true })
  for (const file of ['plans.json', 'icon-192.png']) rmSync(join(folder, file))
  expect(check([folder])).toEqual({ status: 1, lines: ['plans.json: is missing.', 'icon-192.png: is missing.'] })
})

test('check-provider counts the links to pages that only the demo has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-check-provider-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(fantailFolder, folder, { recursive: true })
  const layoutFile = join(folder, 'layout.json')
  const withoutDemo = readFileSync(layoutFile, 'utf8').replaceAll('/demo/#', 'https://fantail.example/')
  writeFileSync(layoutFile, withoutDemo)
  expect(check([folder]).lines).toHaveLength(1)
  const terms = 'Our [terms of service](/demo/#terms) apply.'
  writeFileSync(
    layoutFile,
    JSON.stringify({ ...JSON.parse(withoutDemo), faq_url: '/demo/#faq', plan_selection_terms: [terms] }),
  )
  expect(check([folder])).toEqual({
    status: 0,
    lines: [
      expect.stringMatching(/^No faults/),
      'Before going live, change the links to /demo/ in layout.json (2): only the demo has these pages.',
    ],
  })
})

test('check-provider reports a missing folder argument and an invalid MARKET', () => {
  expect(check([])).toEqual({ status: 1, lines: ['FOLDER is missing. Usage: npm run check-provider FOLDER'] })
  expect(check([fantailFolder], { MARKET: 'FJ' })).toEqual({
    status: 1,
    lines: ['MARKET is "FJ"; it must be one of NZ, AU.'],
  })
})
