import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SimLoadView } from '#app/operator/sims.routes.ts'
import { exitCodes } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { runCommand } from '#quality/support/operator-command.ts'
import { streamPacks, createSimStock, type StockPack } from '#quality/support/sim-stock.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const count = 6_000
const packOf = createSimStock('NZ')
const run = (...args: string[]) => runCommand(world.dataDir, args)
const load = () => runCommand(world.dataDir, ['sims', 'import', '-'], streamPacks(packOf, count))
const status = async (): Promise<{ unused: number; loads: SimLoadView[] }> =>
  JSON.parse((await run('sims', 'status', '--json')).said[0] ?? '')
const loaded = async () => (await status()).loads.find(({ state }) => state === 'loaded')
const isForSale = async ({ iccid, msisdn }: StockPack): Promise<boolean> => {
  const answers = { msisdn, sim_serial: iccid.slice(-4), setup_porting: false }
  return (await world.visitor().post('/api/activate/sim/', answers)).status === 200
}

async function killed<T>(statement: RegExp, work: () => Promise<T>): Promise<T> {
  const dead = world.product.death()
  await world.product.killBeforeStatement(statement)
  await world.product.start()
  const outcome = work()
  // Fails the test if `work` finishes and the process has not been killed within 20 seconds.
  const missed = outcome.then(() => pause(20_000, undefined, { ref: false }))
  await Promise.race([dead, missed.then(() => Promise.reject(new Error(`it never came to ${statement.source}`)))])
  return outcome
}

test('a SIM file is loaded exactly once, even if the process is killed while receiving, checking and loading it', async () => {
  const { unused: before } = await status()
  const first = await killed(/^update "sim_loads" set "lines" .* 3001 /, load)
  expect(first.exit).toBe(exitCodes.unknown)
  await world.product.start()
  expect((await status()).unused).toBe(before)

  const second = await killed(/update sim_load_lines as taken .* 2502 /, load)
  expect(second.exit).toBe(exitCodes.unknown)

  const third = await killed(/^delete from "sim_load_lines" .* 2502 /, load)
  expect([exitCodes.unknown, exitCodes.notRunning]).toContain(third.exit)
  await world.product.start()
  // Check the pack before the load: if the pack is for sale, the load must already be complete.
  const early = await isForSale(packOf(0))
  expect(early && !(await loaded())).toBe(false)

  const done = await pollUntil(loaded, { withinMs: 120_000 })
  expect(done).toMatchObject({ lines: count, loaded: count, bad: 0 })
  expect((await status()).unused).toBe(before + count)
  expect(await isForSale(packOf(0))).toBe(true)
  expect(await isForSale(packOf(count - 1))).toBe(true)
  const again = await load()
  expect([again.exit, again.said[0]]).toEqual([exitCodes.done, expect.stringContaining(`, as load ${done.load}.`)])
  expect(world.product.complaints()).toEqual([])
})

test('no voucher code becomes valid if the process is killed before the batch is confirmed', async () => {
  const wish = ['--plan', 'plan-30-5gb', '--expires', '2027-12-31']
  let written = ''
  const cut = await runOperator(['vouchers', 'make', '200000', ...wish], {
    dataDir: world.dataDir,
    print() {},
    printError() {},
    async write(text) {
      if (!written) await world.product.kill()
      written += text
    },
    ask: async () => false,
  })
  await world.product.start()
  expect(cut).toBe(exitCodes.refused)
  const [first = ''] = written.split('\n')
  expect(first).toMatch(/^\w{12}$/)
  expect((await world.visitor().get(`/api/vouchers/${first}/`)).status).toBe(412)

  const silent = await killed(/^update "voucher_batches" set .* complete /, () => run('vouchers', 'make', '5', ...wish))
  expect(silent.exit).toBe(exitCodes.unknown)
  await world.product.start()
  const codes = silent.written.trimEnd().split('\n')
  expect(codes).toHaveLength(5)
  for (const code of codes) expect((await world.visitor().get(`/api/vouchers/${code}/`)).status).toBe(412)
  expect(world.product.complaints()).toEqual([])
})
