import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError } from './config.ts'
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

test('reports an embedded database without PG_VERSION as incomplete and does not overwrite it', async () => {
  const home = emptyHome()
  mkdirSync(join(home, 'pg/base'), { recursive: true })
  await expect(openDatabase({ folder: home })).rejects.toThrow(ConfigError)
  await expect(openDatabase({ folder: home })).rejects.toThrow(
    `The embedded database in ${join(home, 'pg')} is incomplete: PG_VERSION is missing.`,
  )
  expect(readdirSync(join(home, 'pg'))).toEqual(['base'])
})

test('replaces the unfinished database left by a startup that was killed', { tags: ['slow'] }, async () => {
  const home = emptyHome()
  mkdirSync(join(home, 'pg-unfinished-a1'))
  writeFileSync(join(home, 'pg-unfinished-a1/PG_VERSION'), '')
  mkdirSync(join(home, 'pg'))
  const made = await openDatabase({ folder: home })
  expect((await sql<{ one: number }>`select 1 as one`.execute(made.db)).rows).toEqual([{ one: 1 }])
  await made.close()
  expect(readdirSync(home)).toEqual(['in-use.by', 'in-use.lock', 'pg'])
})

test('the process that creates an embedded database exits when its parent process ends', async () => {
  const maker = spawn(process.execPath, [join(import.meta.dirname, 'make-embedded.ts'), emptyHome()], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  maker.stdin.end()
  expect(await once(maker, 'close')).toEqual([1, null])
})

describe('locking the data folder', () => {
  async function holdInAnotherProcess(folder: string): Promise<ChildProcess> {
    const holder = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../quality/support/hold-embedded.ts'), folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    onTestFinished(() => void holder.kill('SIGKILL'))
    expect(String((await once(holder.stdout, 'data'))[0])).toBe('open\n')
    return holder
  }

  test(
    'a second process cannot use the data folder: a one-line error names the first process, even if that one is suspended',
    { tags: ['slow'] },
    async () => {
      const home = emptyHome()
      const holder = await holdInAnotherProcess(home)
      holder.kill('SIGSTOP')
      const fault = await openDatabase({ folder: home }).catch((error: unknown) => error)
      expect(fault).toBeInstanceOf(ConfigError)
      expect(String(fault)).toContain(`${home} (DATA_DIR) is already in use by process ${holder.pid} on ${hostname()}.`)
    },
  )

  test('releases the data folder when the process that locked it is killed', { tags: ['slow'] }, async () => {
    const home = emptyHome()
    const holder = await holdInAnotherProcess(home)
    const ended = once(holder, 'exit')
    holder.kill('SIGKILL')
    await ended
    const opened = await openDatabase({ folder: home })
    onTestFinished(() => opened.close())
    expect((await sql<{ one: number }>`select 1 as one`.execute(opened.db)).rows).toEqual([{ one: 1 }])
  })

  test('the same process cannot open a data folder again before it has closed it', { tags: ['slow'] }, async () => {
    const home = emptyHome()
    const first = await openDatabase({ folder: home })
    await expect(openDatabase({ folder: home })).rejects.toThrow('is already in use')
    await first.close()
    const next = await openDatabase({ folder: home })
    await next.close()
  })
})
