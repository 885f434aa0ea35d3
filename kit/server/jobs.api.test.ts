import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { type Database, openDatabase, transact } from './db.ts'
import { type JobDefinition, type Jobs, startJobs } from './jobs.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'fantail-jobs-'))
const queue = 'birds.ring'
let own: Awaited<ReturnType<typeof makeDatabase>> | null = null
let database: Database
let jobs: Jobs

const unexpected = (error: Error): never => {
  throw error
}
const start = async (): Promise<void> => {
  database = await openDatabase(own ? { url: own.url } : { folder: dataDir })
  jobs = await startJobs(database, [queue], unexpected)
}
const stop = async (): Promise<void> => {
  await jobs.stop()
  await database.close()
}

beforeAll(async () => {
  own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  await start()
})
// Each test works the queue itself: nobody else's workers are left.
afterEach(async () => {
  await stop()
  await start()
})
afterAll(async () => {
  await stop()
  await own?.drop()
  rmSync(dataDir, { recursive: true })
})

const ring = (run: (data: { bird: number }) => Promise<void>): JobDefinition[] => [{ name: queue, run }]
const send = (...birds: number[]) =>
  transact(database.db, async (trx) => {
    for (const bird of birds) await jobs.send(trx, queue, { bird })
  })

test('a job exists if and only if its transaction does', async () => {
  await send(1)
  const failed = transact(database.db, async (trx) => {
    await jobs.send(trx, queue, { bird: 2 })
    throw new Error('changed its mind')
  })
  await expect(failed).rejects.toThrow('changed its mind')
  expect(await jobs.unfinished()).toBe(1)
  const ringed: number[] = []
  await jobs.work(ring(async ({ bird }) => void ringed.push(bird)))
  await until(async () => (await jobs.unfinished()) === 0)
  expect(ringed).toEqual([1])
})

test('a heap that arrives at once is worked off at once', async () => {
  const ringed = new Set<number>()
  await jobs.work(ring(async ({ bird }) => void ringed.add(bird)))
  const birds = Array.from({ length: 40 }, (_, bird) => bird)
  await send(...birds)
  await until(async () => ringed.size === 40, { withinMs: 4_000 })
})

test('what fails is tried again', async () => {
  let tries = 0
  await jobs.work(
    ring(async () => {
      tries += 1
      if (tries === 1) throw new Error('it flew away')
    }),
  )
  await send(1)
  await until(async () => (await jobs.unfinished()) === 0)
  expect(tries).toBe(2)
})

test('what nobody has worked is there after a restart', async () => {
  await send(7, 8)
  await stop()
  await start()
  const ringed: number[] = []
  await jobs.work(ring(async ({ bird }) => void ringed.push(bird)))
  await until(async () => ringed.length === 2)
  expect(ringed.sort()).toEqual([7, 8])
})
