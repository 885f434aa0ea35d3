import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { type Database, openDatabase, transact } from './db.ts'
import { type JobDefinition, type Jobs, startJobs } from './jobs.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'fantail-jobs-'))
// Each test works a queue of its own.
const queues = ['kea', 'kaka', 'kiwi', 'weka']
let own: Awaited<ReturnType<typeof makeDatabase>> | null = null
let database: Database
let jobs: Jobs

const unexpected = (error: Error): never => {
  throw error
}
const start = async (): Promise<void> => {
  database = await openDatabase(own ? { url: own.url } : { folder: dataDir })
  jobs = await startJobs(database, queues, { onError: unexpected })
}
const stop = async (): Promise<void> => {
  await jobs.stop()
  await database.close()
}

beforeAll(async () => {
  own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  await start()
})
afterAll(async () => {
  await stop()
  await own?.drop()
  rmSync(dataDir, { recursive: true })
})

const ring = (name: string, run: (bird: number) => Promise<void>): JobDefinition[] => [
  { name, run: ({ bird }: { bird: number }) => run(bird) },
]
const send = (queue: string, ...birds: number[]) =>
  transact(database.db, async (trx) => {
    for (const bird of birds) await jobs.send(trx, queue, { bird })
  })
const allDone = () => until(async () => (await jobs.unfinished()) === 0)

test('a job exists if and only if its transaction does', async () => {
  await send('kea', 1)
  const failed = transact(database.db, async (trx) => {
    await jobs.send(trx, 'kea', { bird: 2 })
    throw new Error('changed its mind')
  })
  await expect(failed).rejects.toThrow('changed its mind')
  expect(await jobs.unfinished()).toBe(1)
  const ringed: number[] = []
  await jobs.work(ring('kea', async (bird) => void ringed.push(bird)))
  await allDone()
  expect(ringed).toEqual([1])
})

test('a heap that arrives at once is worked off at once', async () => {
  const ringed = new Set<number>()
  await jobs.work(ring('kaka', async (bird) => void ringed.add(bird)))
  await send('kaka', ...Array.from({ length: 40 }, (_, bird) => bird))
  // One at a look, every two seconds, would take more than a minute.
  await until(async () => ringed.size === 40, { withinMs: 30_000 })
  await allDone()
  expect(ringed.size).toBe(40)
})

test('what fails is tried again', async () => {
  let tries = 0
  const run = async (): Promise<void> => {
    tries += 1
    if (tries === 1) throw new Error('it flew away')
  }
  await jobs.work(ring('kiwi', run))
  await send('kiwi', 1)
  await allDone()
  expect(tries).toBe(2)
})

test('a job that was not worked is there after a restart', async () => {
  await send('weka', 7, 8)
  await stop()
  await start()
  const ringed: number[] = []
  await jobs.work(ring('weka', async (bird) => void ringed.push(bird)))
  await allDone()
  expect(ringed.sort()).toEqual([7, 8])
})
