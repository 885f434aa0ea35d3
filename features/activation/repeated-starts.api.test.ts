/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { portForm, type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { useWizardServer } from '#quality/support/wizard-server.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { activationUpkeep } from './server/activation.jobs.ts'

const rig = useWizardServer()
type Sim = Awaited<ReturnType<ReturnType<typeof rig>['newSim']>>
const start = (sim: Sim, visitor: Visitor) => visitor.post('/api/activate/sim/', { ...sim, setup_porting: false })
const count = async (table: 'activations' | 'sessions'): Promise<number> =>
  Number(
    (
      await rig()
        .db.selectFrom(table)
        .select(({ fn }) => fn.countAll().as('rows'))
        .executeTakeFirst()
    )?.rows,
  )
const rows = async () => ({ activations: await count('activations'), sessions: await count('sessions') })

beforeEach(async () => {
  await rig().db.deleteFrom('sessions').execute()
  await rig().db.deleteFrom('rate_limits').execute()
})

test('after twenty activations are started in one session, only one remains, for the SIM pack entered last', async () => {
  const [visitor, sims] = [rig().visitor(), [await rig().newSim(), await rig().newSim()]]
  for (let turn = 0; turn < 20; turn++) expect((await start(sims[turn % 2]!, visitor)).status).toBe(200)
  expect(await rows()).toEqual({ activations: 1, sessions: 1 })
  const kept = await rig().db.selectFrom('activations').select('iccid').executeTakeFirstOrThrow()
  expect(kept.iccid).toBe(sims[1]?.iccid)
})

test('a visitor whose activation has ended can start again in the same session, and only one activation remains stored', async () => {
  const [visitor, sim] = [rig().visitor(), await rig().newSim()]
  await start(sim, visitor)
  await rig().db.updateTable('activations').set({ ended_at: new Date() }).execute()
  expect((await start(sim, visitor)).status).toBe(200)
  expect(await rows()).toEqual({ activations: 1, sessions: 1 })
})

describe('many visitors who enter the same SIM pack', () => {
  test('every visitor can start activating the same SIM pack, but only the five newest activations are kept', async () => {
    const [sim, visitors] = [await rig().newSim(), Array.from({ length: 12 }, () => rig().visitor())]
    for (const visitor of visitors) expect((await start(sim, visitor)).status).toBe(200)
    const statuses = await Promise.all(visitors.map(async (each) => (await each.get('/api/activate/')).status))
    expect(statuses).toEqual([...Array.from({ length: 7 }, () => 404), ...Array.from({ length: 5 }, () => 200)])
    expect(await rows()).toEqual({ activations: 5, sessions: 5 })
  })

  test('a visitor whose activation has lapsed can start again with the same cookies', async () => {
    const [sim, first] = [await rig().newSim(), rig().visitor()]
    await start(sim, first)
    for (let other = 0; other < 5; other++) await start(sim, rig().visitor())
    expect((await first.get('/api/activate/')).status).toBe(404)
    const cookie = first.cookie('fantail')
    expect((await start(sim, first)).status).toBe(200)
    expect(first.cookie('fantail')).toBe(cookie)
    expect((await first.get('/api/activate/')).status).toBe(200)
  })

  test.each([
    ['entered their details', 'DETAILS_ENTERED', {}],
    ['entered the number being transferred, but no details yet', 'CREATED', { port: portForm('027 555 0142') }],
    ['reached the checkout', 'PAYMENT', {}],
  ] as const)(
    'repeated starts do not displace the activation of a visitor who has %s',
    async (_what, state, answers) => {
      const sim = await rig().newSim()
      const holder = await advanceWizardTo(rig(), state, { sim, ...answers })
      for (let other = 0; other < 6; other++) await start(sim, rig().visitor())
      expect(await holder.look()).toMatchObject({ state })
      expect(await count('activations')).toBe(5)
    },
  )

  test('of several activations at the same step, the oldest one lapses first', async () => {
    const sim = await rig().newSim()
    const travellers: WizardVisitor[] = []
    for (let other = 0; other < 5; other++) travellers.push(await advanceWizardTo(rig(), 'DETAILS_ENTERED', { sim }))
    await start(sim, rig().visitor())
    const statuses = await Promise.all(
      travellers.map(async ({ visitor }) => (await visitor.get('/api/activate/')).status),
    )
    expect(statuses).toEqual([404, 200, 200, 200, 200])
  })

  test('repeated starts with a SIM pack do not affect activations with other SIM packs', async () => {
    const [bystander, sim] = [rig().visitor(), await rig().newSim()]
    await start(await rig().newSim(), bystander)
    for (let other = 0; other < 6; other++) await start(sim, rig().visitor())
    expect((await bystander.get('/api/activate/')).status).toBe(200)
  })
})

test('allows 2,000 activations an hour to be started from one IP address', async () => {
  const sim = await rig().newSim()
  expect((await start(sim, rig().visitor())).status).toBe(200)
  await rig().db.updateTable('rate_limits').set({ count: 1_999 }).where('count', '=', 1).execute()
  expect((await start(sim, rig().visitor())).status).toBe(200)
  const refused = await start(sim, rig().visitor())
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
})

describe('activations older than 30 days', () => {
  const longAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const age = (days: number) =>
    rig()
      .db.updateTable('activations')
      .set({ started_at: longAgo(days), lapses_at: longAgo(days - 1), ended_at: longAgo(days - 1) })
      .execute()
  const purge = () => activationUpkeep(rig()).run()

  test('deletes an activation without an order after 30 days, together with its session', async () => {
    await start(await rig().newSim(), rig().visitor())
    await age(29)
    await purge()
    expect(await rows()).toEqual({ activations: 1, sessions: 1 })
    await age(31)
    await purge()
    expect(await rows()).toEqual({ activations: 0, sessions: 0 })
  })

  test('keeps an activation started 31 days ago that has not lapsed', async () => {
    const visitor = rig().visitor()
    await start(await rig().newSim(), visitor)
    await rig()
      .db.updateTable('activations')
      .set({ started_at: longAgo(31) })
      .execute()
    await purge()
    expect((await visitor.get('/api/activate/')).status).toBe(200)
  })
})
