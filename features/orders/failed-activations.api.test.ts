import { Readable } from 'node:stream'
import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { endTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { runCommand } from '#quality/support/operator-command.ts'
import { createSimStock, formatPacks } from '#quality/support/sim-stock.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-failed-activations-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
const run = (...args: string[]) => runCommand(dataDir, args)

const tasks = () => world().db.selectFrom('operator_tasks').select(['id', 'reason']).where('kind', '=', 'network')
const openTasks = async () => (await tasks().where('done_at', 'is', null).execute()).map(({ reason }) => reason)

async function fail(pack: { msisdn: string; iccid: string }): Promise<void> {
  const known = world()
  const sim = { ...pack, sim_serial: pack.iccid.slice(-4) }
  const traveller = await advanceWizardTo(known, 'PAYMENT', { sim })
  expect((await traveller.pay()).status).toBe(200)
  await traveller.arriveAt('PERMANENTLY_FAILED')
  await known.db.deleteFrom('rate_limits').execute()
}

test(
  'failed activations of SIM packs from one load create one task, and “sims status” shows the failure rate',
  { tags: ['slow'] },
  async () => {
    const packOf = createSimStock(world().deps.market.code)
    const packs = Array.from({ length: 10 }, (_, at) => packOf(at))
    await runCommand(dataDir, ['sims', 'import', '-'], Readable.from([formatPacks(packs)]))
    const { id: load } = await world().db.selectFrom('sim_loads').select('id').executeTakeFirstOrThrow()

    for (const pack of packs.slice(0, 4)) await fail(pack)
    expect(await openTasks()).toEqual([])
    const logged = vi.spyOn(world().deps.log, 'error').mockImplementation(() => {})
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      world().db,
    )
    await sql`create trigger refuse before insert on operator_tasks for each row execute function refuse()`.execute(
      world().db,
    )
    await fail(packs[4]!)
    await pollUntil(async () =>
      logged.mock.calls.some(([, message]) => message === 'failed activations could not be counted'),
    )
    logged.mockRestore()
    await sql`drop trigger refuse on operator_tasks`.execute(world().db)
    expect(await openTasks()).toEqual([])
    await fail(packs[5]!)
    const wave = (bound: number) =>
      expect.stringMatching(
        new RegExp(
          `^${bound} or more activations failed within 24 hours because the network answered \\w+, most use SIM packs from load ${load}`,
        ),
      )
    expect(await pollUntil(async () => (await openTasks()).length > 0 && openTasks())).toEqual([wave(5)])
    const [done] = await tasks().execute()
    await endTask(world().db, done!.id, { name: 'Mere', note: null })
    const setLoad = (id: string | null) => world().db.updateTable('sim_packs').set({ load_id: id }).execute()
    await setLoad(null)
    for (const pack of packs.slice(6, 9)) await fail(pack)
    await setLoad(load)
    await fail(packs[9]!)
    expect(await pollUntil(async () => (await openTasks()).length > 0 && openTasks())).toEqual([wave(10)])
    expect(await tasks().execute()).toHaveLength(2)

    expect((await run('sims', 'status')).said.join('\n')).toContain('10 of 10 activations failed in 7 days (100 %)')
    expect((await run('sims', 'status', load)).said.join('\n')).toContain('10 of 10 activations failed')
    const good = await advanceWizardTo(world(), 'PAYMENT')
    await good.pay()
    await good.arriveAt('SUCCESSFUL')
    expect(await openTasks()).toEqual([wave(10)])
  },
)
