import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { ensureFolderSpace } from './data-folder.ts'

let home = ''
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'fantail-folder-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

const faultOf = (act: () => void): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test('creates a missing data folder and leaves no files in it', () => {
  ensureFolderSpace(join(home, 'a/b'), 1)
  expect(readdirSync(join(home, 'a/b'))).toEqual([])
})

test('reports an unwritable data folder in a single line', () => {
  writeFileSync(join(home, 'file'), '')
  const folder = join(home, 'file/below')
  expect(faultOf(() => ensureFolderSpace(folder, 1))).toEqual(
    new ConfigError([
      `${folder} (DATA_DIR) cannot be written to (ENOTDIR): the user that runs Fantail needs write access.`,
    ]),
  )
})

test('reports a full disk in a single line', () => {
  const fault = faultOf(() => ensureFolderSpace(home, Number.MAX_SAFE_INTEGER))
  expect(fault).toBeInstanceOf(ConfigError)
  expect(String(fault)).toMatch(
    /The disk with .+ \(DATA_DIR\) is full: \d+ MB are left, and \d+ MB are needed\. Free up/,
  )
})
