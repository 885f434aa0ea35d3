import { Readable } from 'node:stream'
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { newHome } from '#testing/home.ts'
import { travelTo } from '#testing/journey.ts'
import { runCommand } from '#testing/operator-desk.ts'
import { newStock, textOf } from '#testing/sim-stock.ts'
import { until } from '#testing/until.ts'
import { useWorld } from '#testing/world.ts'

const dataDir = newHome('fantail-failed-activations-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const run = (...args: string[]) => runCommand(dataDir, args)

const tasks = async () =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('kind', '=', 'network')
      .where('done_at', 'is', null)
      .execute()
  ).map(({ reason }) => reason)

/** Activates a pack of a file that the carrier does not know. */
async function fail(pack: { msisdn: string; iccid: string }): Promise<void> {
  const known = world()
  const sim = { ...pack, sim_serial: pack.iccid.slice(-4) }
  const traveller = await travelTo(known, 'PAYMENT', { sim })
  expect((await traveller.pay()).status).toBe(200)
  await traveller.arriveAt('PERMANENTLY_FAILED')
  await known.db.deleteFrom('rate_limits').execute()
}

test('a file of packs that the carrier does not know is one task with its load and their number, and a rate in sims status', async () => {
  const packOf = newStock(world().deps.market.code)
  const packs = Array.from({ length: 10 }, (_, at) => packOf(at))
  await runCommand(dataDir, ['sims', 'import', '-'], Readable.from([textOf(packs)]))
  const { id: load } = await world().db.selectFrom('sim_loads').select('id').executeTakeFirstOrThrow()

  for (const pack of packs.slice(0, 4)) await fail(pack)
  expect(await tasks()).toEqual([])
  await fail(packs[4]!)
  const wave = (bound: number) =>
    expect.stringMatching(
      new RegExp(
        `^${bound} activations or more failed within 24 hours because the network answered \\w+, most of them .*${load}`,
      ),
    )
  expect(await until(async () => (await tasks()).length > 0 && tasks())).toEqual([wave(5)])
  for (const pack of packs.slice(5)) await fail(pack)
  expect(await until(async () => (await tasks()).some((task) => task.startsWith('10 ')) && tasks())).toEqual([wave(10)])

  expect((await run('sims', 'status')).said.join('\n')).toContain('10 of 10 activations failed in 7 days (100 %)')
  expect((await run('sims', 'status', load)).said.join('\n')).toContain('10 of 10 activations failed')
  const good = await travelTo(world(), 'PAYMENT')
  await good.pay()
  await good.arriveAt('SUCCESSFUL')
  expect(await tasks()).toEqual([wave(10)])
})
