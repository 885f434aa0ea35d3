import { rmSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Terminal } from '#operator/command.ts'
import { exitCodes } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { measureLiveMegabytes } from '#quality/support/live-memory.ts'
import { streamPacks, createSimStock } from '#quality/support/sim-stock.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-stock-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const count = 100_000
const packs = 10 * count
/**
 * Maximum import time as a multiple of what the database alone needs. The measured multiple is 6 on an idle
 * machine, and 8 while four other test files are running.
 */
const maxTimesAlone = 18
/** Time limit in milliseconds for a test machine. An idle machine needs a tenth of this. */
const maxMs = 100_000
/** Maximum memory growth in megabytes. Keeping all lines or codes in memory would take several times as much. */
const maxGrowth = 10

async function measure(args: string[], input?: Readable) {
  const before = measureLiveMegabytes()
  const [begin, said]: [number, string[]] = [performance.now(), []]
  let most = before
  let written = 0
  const look = (): void => void (most = Math.max(most, measureLiveMegabytes()))
  const desk: Terminal = {
    dataDir,
    print: (line) => said.push(line),
    printError: look,
    write: async (text) => void (written += text.length),
    ...(input && { input }),
    ask: async () => false,
  }
  const exit = await runOperator(args, desk)
  const took = performance.now() - begin
  look()
  return { exit, said, written, took, growth: most - before }
}

async function writeAlone(): Promise<number> {
  const { db, market } = world().deps
  const packOf = createSimStock(market.code, count)
  const all = Array.from({ length: count }, (_, position) => packOf(position))
  const begin = performance.now()
  for (let from = 0; from < count; from += 2_500) {
    const some = all.slice(from, from + 2_500)
    await sql`
      insert into sim_packs (iccid, msisdn, last_four)
      select iccid, msisdn, right(iccid, 4) from unnest(
        ${some.map(({ iccid }) => iccid)}::text[], ${some.map(({ msisdn }) => msisdn)}::text[]
      ) as pack (iccid, msisdn)`.execute(db)
  }
  return performance.now() - begin
}

test('a million SIM packs are imported quickly without being kept in memory', async () => {
  const packOf = createSimStock(world().deps.market.code, packs)
  // Run a small import first, so that compiling code and opening connections are not part of the measurement.
  await measure(['sims', 'import', '-'], streamPacks(createSimStock(world().deps.market.code), 3_000))
  const before = await writeAlone()
  const { exit, said, took, growth } = await measure(['sims', 'import', '-'], streamPacks(packOf, packs))
  const after = await writeAlone()
  expect({ exit, said }).toEqual({ exit: exitCodes.done, said: [`${packs} SIM packs are on sale.`] })
  /*
   * Time the database alone just before and just after the import, so that other load on the machine affects both
   * figures.
   */
  const alone = ((before + after) / 2) * (packs / count)
  expect(took / alone).toBeLessThan(maxTimesAlone)
  expect(growth).toBeLessThan(maxGrowth)
}, 900_000)

test('a hundred thousand vouchers are created quickly without being kept in memory', async () => {
  const make = (count: number) => `vouchers make ${count} --plan plan-30-5gb --expires 2027-12-31`.split(' ')
  await measure(make(3_000))
  const { exit, written, took, growth } = await measure(make(count))
  expect({ exit, written }).toEqual({ exit: exitCodes.done, written: 13 * count })
  expect(took).toBeLessThan(maxMs)
  expect(growth).toBeLessThan(maxGrowth)
})
