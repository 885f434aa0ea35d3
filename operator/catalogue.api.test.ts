import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRenewingCustomer } from '#quality/support/auto-renewal.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { fantailFolder } from '#quality/support/provider.ts'
import { aTool } from '#quality/support/operator.ts'
import { useWorld } from '#quality/support/world.ts'
import { exitCodes } from './command.ts'

const dataDir = createDataFolder('fantail-catalogue-')
const folder = join(dataDir, 'provider')
cpSync(fantailFolder, folder, { recursive: true })
const world = useWorld({ env: { DATA_DIR: dataDir, PROVIDER_DIR: folder } })
const { run } = aTool(dataDir)

type Plan = { unique_id: string; price_cents: number; price_rebill_cents: number | null }
const plansFile = join(folder, 'plans.json')
const originalPlans = readFileSync(plansFile, 'utf8')
const changePlans = (change: (plans: Plan[]) => unknown) => {
  const plans = JSON.parse(originalPlans) as Plan[]
  writeFileSync(plansFile, JSON.stringify(change(plans) ?? plans))
}
const priceFrom = (cents: number) => (plans: Plan[]) => {
  for (const plan of plans) if (plan.unique_id === 'plan-30-5gb') plan.price_cents = cents
}
const priceShown = async () => (await world().visitor().get('/api/products/')).body['plan-30-5gb']?.price

describe('checking and applying a catalogue folder from the command line', () => {
  test('a catalogue folder that matches the current catalogue has no errors and no changes', async () => {
    writeFileSync(plansFile, originalPlans)
    expect(await run('catalogue check')).toMatchObject({
      exit: exitCodes.done,
      said: [expect.stringMatching(/^No faults: \d+ products, \d+ plan lengths\.$/)],
    })
    expect((await run('catalogue diff')).said).toEqual(['No changes.'])
  })

  test('a catalogue folder with errors is rejected, saying where the errors are, and the products on sale do not change', async () => {
    changePlans((plans) => plans.map((plan) => ({ ...plan, price_cents: -1, colour: 'red' })))
    for (const command of ['catalogue check', 'catalogue diff', 'catalogue apply']) {
      const { exit, complaints } = await run(command)
      expect(exit).toBe(exitCodes.refused)
      expect(complaints).toContain('plans.json: line 1: 0.price_cents: must be 0 at least, not -1.')
      expect(complaints.at(-1)).toBe('The provider’s folder has faults. Nothing was changed.')
    }
    writeFileSync(plansFile, '{')
    expect((await run('catalogue apply')).exit).toBe(exitCodes.refused)
    expect(await priceShown()).toBe('22.00')
  })
})

test(
  '“catalogue diff” shows the changes and how many plans they affect, and “catalogue apply” puts the changes on sale',
  { tags: ['slow'] },
  async () => {
    await createRenewingCustomer(world(), { plan: 'plan-30-5gb' })
    changePlans(priceFrom(2_400))
    const changes = [
      'changed  plan-30-5gb  5 GB Prepay Plan',
      '  price: 22.00 → 24.00',
      '  1 plan renews with it automatically; 0 of them were already told a price.',
    ]
    expect((await run('catalogue diff')).said).toEqual(changes)
    expect(await priceShown()).toBe('22.00')
    expect((await run('catalogue apply --as Jo')).said).toEqual([
      ...changes,
      expect.stringMatching(/^Version \d+ is on sale now\.$/),
    ])
    expect(await priceShown()).toBe('24.00')
    expect((await run('catalogue versions')).said[0]).toMatch(/^\d+ {2}applied {2}from \S+ {2}by operator:Jo, /)
  },
)

describe('scheduling a catalogue from the command line', () => {
  test('a catalogue scheduled for a date goes on sale on that date, and not before', { tags: ['slow'] }, async () => {
    const before = await priceShown()
    changePlans(priceFrom(2_600))
    const day = world().deps.clock.now().toZonedDateTimeISO('Pacific/Auckland').toPlainDate().add({ days: 2 })
    const { said } = await run(`catalogue apply --at ${day}`)
    expect(said.at(-1)).toMatch(/^Version \d+ goes on sale on /)
    writeFileSync(plansFile, originalPlans)
    await world().advance('P1D')
    expect(await priceShown()).toBe(before)
    await world().advance('P1D')
    expect(await priceShown()).toBe('26.00')
  })

  test('a scheduled catalogue can be cancelled once from the command line', async () => {
    changePlans(priceFrom(9_900))
    const before = await priceShown()
    const day = world().deps.clock.now().toZonedDateTimeISO('Pacific/Auckland').toPlainDate().add({ days: 2 })
    const { said } = await run(`catalogue apply --at ${day}T08:30 --json`)
    const { version } = JSON.parse(said[0] ?? '') as { version: { version: number } }
    expect((await run('catalogue diff')).said.at(-1)).toMatch(
      new RegExp(`^Version ${version.version} goes on sale on .+ and replaces the whole catalogue\\.$`),
    )
    expect((await run(`catalogue call-off ${version.version}`)).said).toEqual(['The scheduled version was cancelled.'])
    expect((await run(`catalogue call-off ${version.version}`)).exit).toBe(exitCodes.refused)
    expect((await run('catalogue call-off 0x1')).exit).toBe(exitCodes.refused)
    await world().advance('P3D')
    expect(await priceShown()).toBe(before)
  })

  test.each(['2020-01-01', 'tomorrow', '2026-02-30', '2026-09-27T02:30'])(
    'rejects %s as the date of a catalogue',
    async (at) => {
      writeFileSync(plansFile, originalPlans)
      expect((await run(`catalogue apply --at ${at}`)).exit).toBe(exitCodes.refused)
    },
  )
})
