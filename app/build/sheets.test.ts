import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstOf } from '../render/chunks.ts'
import { joinSheets, sheetOf } from './sheets.ts'

const manifest = {
  '_entry.js': { file: 'entry.js', css: ['entry.css'] },
  [firstOf(['sim.tsx'])]: { file: 'first-sim.js', imports: ['_entry.js'] },
  [firstOf(['plan.tsx'])]: { file: 'first-plan.js', imports: ['_entry.js'] },
  [firstOf(['port.tsx'])]: { file: 'first-port.js', imports: ['_entry.js'] },
  'sim.tsx': { file: 'sim.js', imports: ['_form.js'], css: ['sim.css'] },
  'plan.tsx': { file: 'plan.js', imports: ['_form.js'] },
  'port.tsx': { file: 'port.js', imports: ['_form.js'] },
  '_form.js': { file: 'form.js', css: ['form.css'] },
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheets-'))
  for (const name of ['entry', 'form', 'sim']) await writeFile(join(folder, `${name}.css`), `.${name}{}`)
})
afterEach(() => rm(folder, { recursive: true }))

test('each page has one sheet, which holds its parts in their order', async () => {
  const sheets = await joinSheets(folder, manifest, [{ loadModule: 'sim.tsx' }, { loadModule: 'plan.tsx' }, { loadModule: 'port.tsx' }])
  const sim = sheetOf(sheets, ['entry.css', 'form.css', 'sim.css'])
  const plan = sheetOf(sheets, ['entry.css', 'form.css'])
  expect(await readFile(join(folder, sim), 'utf8')).toBe('.entry{}.form{}.sim{}')
  expect(await readFile(join(folder, plan), 'utf8')).toBe('.entry{}.form{}')
  // Pages with the same parts share it, and the parts are still there.
  expect((await readdir(folder)).sort()).toEqual(['entry.css', 'form.css', 'sim.css', plan, sim].sort())
})

test('its name changes with what it holds', async () => {
  const before = await joinSheets(folder, manifest, [{ loadModule: 'sim.tsx' }])
  await writeFile(join(folder, 'sim.css'), '.sim{color:red}')
  const after = await joinSheets(folder, manifest, [{ loadModule: 'sim.tsx' }])
  expect(Object.values(after)).not.toEqual(Object.values(before))
})

test('styles that are no page’s are a fault', () => {
  expect(() => sheetOf({}, ['entry.css'])).toThrow('entry.css')
})
