import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { ConfigFault } from './config.ts'
import { openDatabase } from './db.ts'

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})
function emptyHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'fantail-embedded-'))
  homes.push(home)
  return home
}

test('a database that has lost its PG_VERSION is not taken for none', async () => {
  const home = emptyHome()
  mkdirSync(join(home, 'pg/base'), { recursive: true })
  await expect(openDatabase({ folder: home })).rejects.toThrow(ConfigFault)
  await expect(openDatabase({ folder: home })).rejects.toThrow(
    `The embedded database in ${join(home, 'pg')} is not whole: PG_VERSION is missing.`,
  )
  expect(readdirSync(join(home, 'pg'))).toEqual(['base'])
})

test('what a start that was killed had made of one is thrown away', async () => {
  const home = emptyHome()
  mkdirSync(join(home, 'pg-unfinished-a1'))
  writeFileSync(join(home, 'pg-unfinished-a1/PG_VERSION'), '')
  mkdirSync(join(home, 'pg'))
  const made = await openDatabase({ folder: home })
  expect((await sql<{ one: number }>`select 1 as one`.execute(made.db)).rows).toEqual([{ one: 1 }])
  await made.close()
  expect(readdirSync(home)).toEqual(['pg'])
})

test('who makes one ends with who wanted it', async () => {
  const maker = spawn(process.execPath, [join(import.meta.dirname, 'make-embedded.ts'), emptyHome()], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  maker.stdin.end()
  expect(await once(maker, 'close')).toEqual([1, null])
})
