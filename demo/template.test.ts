import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#kit/server/config.ts'
import { copyTemplate, templateFolder } from './template.ts'

const home = mkdtempSync(join(tmpdir(), 'fantail-template-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const template = join(home, 'template')
mkdirSync(join(template, 'pg'), { recursive: true })
writeFileSync(join(template, 'pg', 'PG_VERSION'), '17')
writeFileSync(join(template, 'secret'), 'a'.repeat(64))

let folders = 0
const newFolder = (): string => join(home, `data-${folders++}`)
const begin = (env: Record<string, string>, find = () => template) => copyTemplate(readConfig(env), find)

test.each(['that is not there', 'that is empty'])('a data folder %s starts with the prepared data', (kind) => {
  const folder = newFolder()
  if (kind === 'that is empty') mkdirSync(folder)
  begin({ DATA_DIR: folder })
  expect(readFileSync(join(folder, 'pg', 'PG_VERSION'), 'utf8')).toBe('17')
  expect(existsSync(join(template, 'secret'))).toBe(true)
  expect(readdirSync(home).filter((name) => name.startsWith('.demo'))).toEqual([])
})

test('prepared demo data does not change an existing data folder', () => {
  const folder = newFolder()
  mkdirSync(folder)
  writeFileSync(join(folder, 'secret'), 'mine')
  begin({ DATA_DIR: folder })
  expect(readdirSync(folder)).toEqual(['secret'])
})

test.each([
  ['of another market', { MARKET: 'AU' }],
  ['on a database of its own', { DATABASE_URL: 'postgres://localhost/demo' }],
  ['without customers', { DEMO_CUSTOMERS: 'none' }],
  ['of another provider', { PROVIDER_DIR: 'elsewhere' }],
  ['with a secret of its own', { SECRET_KEY: 'b'.repeat(64) }],
])('a demo %s starts without the prepared data', (_, env) => {
  const folder = newFolder()
  begin({ DATA_DIR: folder, ...env })
  expect(existsSync(folder)).toBe(false)
})

test('prepared demo data is not used if it is more than three days old', () => {
  const folder = newFolder()
  const then = Date.now() / 1_000 - 4 * 86_400
  const old = join(home, 'old')
  mkdirSync(join(old, 'pg'), { recursive: true })
  utimesSync(join(old, 'pg'), then, then)
  begin({ DATA_DIR: folder }, () => old)
  begin({ DATA_DIR: folder }, () => join(home, 'nowhere'))
  expect(existsSync(folder)).toBe(false)
})

test('the name of the folder for prepared demo data contains a hash', () =>
  expect(templateFolder()).toMatch(/dist[\\/]demo-[\da-f]{12}$/))
