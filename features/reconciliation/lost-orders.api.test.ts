/* @module-tag slow */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '#operator/command.ts'
import { logInAs, makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { runCommand } from '#quality/support/operator-command.ts'
import { buyAddOn, endOf, renew } from '#quality/support/purchases.ts'
import { createRestorableProduct } from '#quality/support/restorable-product.ts'
import { clearFailures, failGateway, downloadGatewayReport, readProviderRecords } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { startWorld, type World } from '#quality/support/world.ts'

const activations = 18
const together = 4

let home: Awaited<ReturnType<typeof createRestorableProduct>>
let world: World
let subscriber: Subscriber
let refunded: string
type Pack = Awaited<ReturnType<World['newSim']>>
let packs: Pack[]
let lost: string[]
let held: string

const run = (command: string, input?: string) =>
  runCommand(home.dataDir, command.split(' '), input === undefined ? undefined : Readable.from([input]))
const reconcile = async (report?: string) =>
  run('reconcile --gateway-report -', report ?? (await downloadGatewayReport(world)))

const openTasks = async () =>
  (
    await world.db
      .selectFrom('operator_tasks')
      .select(['kind', 'subject', 'reason'])
      .where('done_at', 'is', null)
      .execute()
  ).filter(({ kind }) => kind !== 'stock')

async function placeLostOrders(): Promise<void> {
  for (let at = 0; at < activations; at += together)
    await Promise.all(packs.slice(at, Math.min(at + together, activations)).map((sim) => activate(world, { sim })))
  const { service } = subscriber
  const visitor = await logInAs(world, subscriber)
  const bought = [
    (await endOf(visitor, buyAddOn(world, visitor, service))).body.order_code,
    (await endOf(visitor, renew(world, visitor, service))).body.order_code,
  ]
  const codes = await world.db.selectFrom('orders').select(['order_code', 'id']).orderBy('created_at').execute()
  lost = codes
    .map(({ order_code: code }) => code)
    .filter((code) => code !== subscriber.service.orderCode && code !== refunded)
  expect(lost).toEqual(expect.arrayContaining(bought))
  await pollUntil(async () => {
    const gateway = await Promise.all(
      lost.map(async (code) => (await readProviderRecords(world, code)).gateway[0]?.captured),
    )
    return gateway.every((captured) => captured !== undefined && captured > 0)
  })
}

beforeAll(async () => {
  home = await createRestorableProduct()
  world = await startWorld({ env: home.env })
  subscriber = await makeSubscriber(world)
  refunded = (await activate(world)).orderCode
  packs = await Promise.all(Array.from({ length: activations }, () => world.newSim()))
  const failing = await world.newSim('fails_once')
  await world.close()
  await home.backUp()
  world = await startWorld({ env: home.env })
  await placeLostOrders()
  await run(`orders refund ${refunded} --amount 5.00 --yes`)
  const traveller = await activate(world, { sim: failing })
  held = traveller.orderCode
  await world.close()
  await home.restore()
  world = await startWorld({ env: home.env })
})
afterAll(async () => {
  await world.close()
  await home.remove()
})

test('after a database restore, “reconcile” finds 20 lost orders at the gateway and the network, and creates a task for each', async () => {
  expect(lost).toHaveLength(20)
  expect((await run('reconcile')).said.at(-1)).toMatch(
    /no differences\. Without --gateway-report FILE, payments that only the gateway knows are not compared/,
  )
  const refund =
    `for ${refunded}, the gateway has refunded $5.00 NZD of the payment ${refunded}-1, but our tables have only $0.00: ` +
    'check it on the gateway’s site before you refund more'
  expect((await reconcile()).said).toEqual([
    refund,
    expect.stringMatching(
      /1 difference, each with a task\. 21 unknown payments in the report may still be in progress/,
    ),
  ])

  await world.advance('PT26H')
  const { exit, said } = await reconcile()
  expect(exit).toBe(exitCodes.refused)
  expect(said.at(-1)).toMatch(/22 differences, each with a task\.$/)
  expect(said).toContain(refund)
  const findings = said.filter((line) => line.startsWith('FT') && line !== refund)
  expect(findings.map((line) => line.slice(0, 12)).toSorted()).toEqual([...lost, held].toSorted())
  const findingOf = (code: string) => findings.find((line) => line.startsWith(code))
  for (const code of lost) {
    expect(findingOf(code)).toMatch(new RegExp(`the gateway has \\$[\\d.]+ NZD captured as ${code}-1 `))
    expect(findingOf(code)).toMatch(new RegExp(`the network has ${code}-(sim|plan|addon)-1 `))
  }
  expect(findingOf(held)).toMatch(new RegExp(`: the gateway has \\$22.00 NZD reserved as ${held}-1 \\(\\w+\\)$`))
  expect((await openTasks()).map(({ kind, subject }) => [kind, subject])).toEqual(
    expect.arrayContaining([...lost, held].map((code) => ['finding', `lost order ${code}`])),
  )
  await reconcile(await downloadGatewayReport(world, 'settlement_detail_report_batch_1.csv'))
  expect(await openTasks()).toHaveLength(22)
})

test('if a customer whose account was lost in a restore pays again, an operator task is created for the SIM pack', async () => {
  const [sim] = packs
  const again = await advanceWizardTo(world, 'PAYMENT', { sim: sim! })
  await again.pay()
  await again.arriveAt('PERMANENTLY_FAILED')
  expect((await openTasks()).map(({ subject }) => subject)).toContain(`SIM pack ${sim!.iccid}`)
})

describe('commands printed by “reconcile”', () => {
  test('the commands printed by “reconcile” refuse to act on payments and operations that are already in our tables', async () => {
    const { gateway } = await readProviderRecords(world, lost[0]!)
    expect(gateway).toMatchObject([{ captured: 2200, refunded: 0 }])
    const { iccid, msisdn } = subscriber.service.sim
    const known = subscriber.service.orderCode
    expect(await run(`gateway refund 8816178952380553 --payment ${known}-1 --amount 22.00 --yes`)).toMatchObject({
      exit: exitCodes.refused,
    })
    const [{ psp_reference: ofKnown } = { psp_reference: '' }] = (await readProviderRecords(world, refunded)).gateway
    expect(await run(`gateway refund ${ofKnown} --payment ${lost[0]}-1 --amount 22.00 --yes`)).toMatchObject({
      exit: exitCodes.refused,
      complaints: [expect.stringContaining(`${ofKnown} belongs to ${refunded}-1, which is in our tables`)],
    })
    expect(await run(`network remove ${known}-sim-1 --iccid ${iccid} --msisdn ${msisdn} --yes`)).toMatchObject({
      exit: exitCodes.refused,
      complaints: [expect.stringContaining('This operation is in our tables')],
    })
  })

  test('the command “gateway refund” reports an unknown outcome while the gateway fails', async () => {
    await failGateway(world, { operation: 'refund', kind: 'error_500', times: 1_000 })
    expect(await run(`gateway refund 8816178952380553 --payment FT0123456789-1 --amount 22.00 --yes`)).toMatchObject({
      exit: exitCodes.unknown,
      said: [expect.stringContaining('The outcome is not known yet.')],
    })
    await clearFailures(world)
  })

  test('the commands printed by “reconcile” refund each lost payment once, remove its service and close its task', async () => {
    const commands = (await reconcile()).said.flatMap((line) => /^ {2}operator (.+)$/.exec(line)?.[1] ?? [])
    expect(commands).toHaveLength(41)
    for (const command of [...commands, ...commands.filter((each) => each.startsWith('gateway refund'))])
      expect(await run(`${command} --yes`)).toMatchObject({ exit: exitCodes.done, complaints: [] })
    for (const code of [...lost, held])
      for (const { captured, refunded, authorised, cancelled } of (await readProviderRecords(world, code)).gateway)
        expect([code, captured - refunded, authorised - captured - cancelled]).toEqual([code, 0, 0])
    await world.advance('PT26H')
    await pollUntil(async () => (await reconcile()).said.length === 2)
    expect((await openTasks()).filter(({ kind }) => kind === 'finding').map(({ subject }) => subject)).toEqual([
      `lost refund ${refunded}-1`,
    ])
  })
})

describe('unreadable gateway reports', () => {
  const header =
    'Merchant Account,Psp Reference,Merchant Reference,TimeZone,Booking Date,Record Type,Payment Currency,Authorised (PC),Captured (PC)'
  const entry = `FantailDemo,PSP,shop-17,UTC,2026-11-01 08:00:00,Authorised,NZD,1.00,${'0'.repeat(960)}\n`
  test.each([
    ['is empty', '', 'The file is empty.'],
    ['has different columns', 'iccid,msisdn\n', /^Line 1 has neither a Record Type column/],
    ['ends in the middle of a line', `${header}\nFantailDemo,PSP\n`, 'Line 2 has 2 fields, and line 1 has 9.'],
    ['has an endless line', `${header}\n${'x'.repeat(1024 * 1024)}`, 'Line 2 is too long for a report.'],
    ['is larger than 32 MB', `${header}\n${entry.repeat(33 * 1024)}`, /^Reports can be up to 32 MB/],
  ])('rejects a gateway report that %s', async (_what, text, why) => {
    expect(await reconcile(text)).toEqual({
      exit: exitCodes.refused,
      said: [],
      complaints: [expect.stringMatching(why)],
      written: '',
    })
  })
})
