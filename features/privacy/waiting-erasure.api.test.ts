/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '#operator/command.ts'
import {
  advanceClockTo,
  readCharges,
  getLastDayAtHour,
  readEmails,
  createRenewingCustomer,
  type RenewingCustomer,
} from '#quality/support/auto-renewal.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { createNextPlan, cancelNextPlan, readOrder, readRefundedCents } from '#quality/support/next-plan.ts'
import { runCommandForJson, runCommand } from '#quality/support/operator.ts'
import { sendNotification } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { findColumnsContaining } from '#quality/support/find-text.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-waiting-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const path = '/api/account/privacy/erasure/'
const run = (...args: string[]) => runCommand(dataDir, [...args, '--as', 'Hine'])
const shown = async (id: string) => (await run('customers', 'show', id)).said.join('\n')
const wish = async (id: string) => (await runCommandForJson(dataDir, ['customers', 'show', id])).to_be_erased

async function ask(visitor: Visitor, password: string): Promise<void> {
  expect((await visitor.post(path, { password })).status).toBe(200)
}
const subjectsTo = async (email: string) => (await world().mailTo(email)).map(({ subject }) => subject)
const mailed = (email: string, subject: string) => pollUntil(async () => (await subjectsTo(email)).includes(subject))

describe('staff actions on pending erasures', () => {
  test('staff can see and cancel a pending erasure, and the customer gets an email about the cancellation', async () => {
    const { visitor, id, password, email } = await makeCustomer(world())
    expect(await wish(id)).toBeNull()
    expect(await shown(id)).not.toContain('ERASED')
    await ask(visitor, password)
    const { waiting } = (await visitor.get(path)).body
    expect(await wish(id)).toEqual({ asked: expect.any(String), due: waiting.due, put_off: null })
    expect(await shown(id)).toMatch(new RegExp(`^ERASURE REQUESTED \\S+Z, due ${waiting.due}$`, 'm'))

    expect(await run('customers', 'keep', id)).toMatchObject({ exit: exitCodes.done, complaints: [] })
    expect(await wish(id)).toBeNull()
    expect((await visitor.get(path)).body.waiting).toBeNull()
    await mailed(email, 'We’ve kept your account')
    const { events } = await runCommandForJson(dataDir, ['audit', '--customer', id])
    expect(events[0]).toMatchObject({ event: 'erasure_called_off', actor: 'operator:Hine' })
    await world().advance('PT25H')
    expect((await visitor.get(path)).status).toBe(200)
  })

  test.each([
    ['who has not requested an erasure', () => makeCustomer(world()), 'This customer has no pending erasure.'],
    ['who does not exist', async () => ({ id: crypto.randomUUID() }), 'There is no customer with this ID.'],
  ])('the command “customers keep” fails for a customer %s', async (_who, person, why) => {
    const { id } = await person()
    expect(await run('customers', 'keep', id)).toMatchObject({ exit: exitCodes.refused, complaints: [why] })
  })

  test('staff see when an erasure was first postponed', async () => {
    const { visitor, id, password, service } = await makeSubscriber(world(), { card: true })
    await ask(visitor, password)
    await sendNotification(world(), {
      eventCode: 'CHARGEBACK',
      merchantReference: `${service.orderCode}-1`,
      pspReference: `D${service.orderCode}`,
      amount: { value: 2200, currency: 'NZD' },
      reason: 'Goods not received',
    })
    await world().advance('PT25H')
    expect(await wish(id)).toMatchObject({ put_off: expect.any(String) })
    expect(await shown(id)).toMatch(/^ERASURE REQUESTED \S+Z, due \S+Z, postponed since \S+Z$/m)
    expect((await run('customers', 'keep', id)).exit).toBe(exitCodes.done)
  })
})

describe('auto-renewal during a pending erasure', () => {
  const heard = async (renewing: RenewingCustomer) => ({
    mails: (await readEmails(world(), renewing))
      .map(({ subject }) => subject)
      .filter((subject) => !/will be deleted|kept your account/.test(subject)),
    texts: (await world().smsTo(renewing.service.msisdn)).filter(({ text }) => !text.includes('asked to delete'))
      .length,
    charges: (await readCharges(world(), renewing)).length,
    paid: (await world().ledgers()).gateway.length,
  })

  test('auto-renewal sends and charges nothing while an erasure is pending, and continues once the erasure is cancelled', async () => {
    const renewing = await createRenewingCustomer(world())
    const { customer, expiry } = renewing
    const { visitor, id, password } = customer
    await pollUntil(async () => (await heard(renewing)).mails.length > 0)

    const noticeAt = expiry.subtract({ days: 3 }).withPlainTime({ hour: 9 })
    await advanceClockTo(world(), noticeAt.subtract({ hours: 2 }))
    const before = await heard(renewing)
    await ask(visitor, password)
    await advanceClockTo(world(), noticeAt.add({ hours: 5 }))
    expect(await heard(renewing)).toEqual(before)
    expect((await run('customers', 'keep', id)).exit).toBe(exitCodes.done)
    await advanceClockTo(world(), noticeAt.add({ hours: 6, minutes: 1 }))
    const noticed = await pollUntil(async () => {
      const now = await heard(renewing)
      return now.mails.length > before.mails.length && now
    })
    expect(noticed).toMatchObject({ charges: 0, paid: before.paid })

    await advanceClockTo(world(), getLastDayAtHour(renewing, 8))
    const morning = await heard(renewing)
    await ask(visitor, password)
    await advanceClockTo(world(), getLastDayAtHour(renewing, 22))
    expect(await heard(renewing)).toEqual(morning)
    const headers = { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
    expect((await visitor.send('DELETE', path, { headers })).status).toBe(200)
    await advanceClockTo(world(), getLastDayAtHour(renewing, 23).add({ minutes: 1 }))
    const [charge] = await pollUntil(async () => {
      const all = await readCharges(world(), renewing)
      return all[0]?.state === 'completed' && all
    })
    expect(charge?.amount_cents).toBeGreaterThan(0)
    const { charges, paid } = await heard(renewing)
    expect({ charges, isPaid: paid > morning.paid }).toEqual({ charges: 1, isPaid: true })
  })
})

describe('erasing a customer who has cancelled a next plan', () => {
  test('after a customer with a cancelled next plan is erased, the plan’s record no longer identifies anyone', async () => {
    const waiting = await createNextPlan(world())
    const { customer, service, orderCode } = waiting
    const { id, visitor, password, email } = customer
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    await pollUntil(async () => (await readRefundedCents(world(), orderCode)) > 0)
    const rowsOf = () =>
      world().db.selectFrom('cancelled_plans').selectAll().where('service_id', '=', service.id).execute()
    const before = await rowsOf()
    expect(before).toHaveLength(1)
    await pollUntil(async () => (await visitor.get(path)).body.in_the_way.length === 0)

    await ask(visitor, password)
    await world().advance('PT25H')
    await pollUntil(async () => {
      const erasure = await world().db.selectFrom('erasures').select('state').where('user_id', '=', id).execute()
      return erasure[0]?.state === 'completed'
    })
    expect(await rowsOf()).toEqual(before)
    expect(Object.keys(before[0] ?? {}).toSorted()).toEqual(['cancelled_at', 'order_id', 'service_id'])
    expect(await readOrder(world(), orderCode)).toMatchObject({ state: 'cancelled' })
    for (const text of [email, service.msisdn.slice(1)])
      expect((await findColumnsContaining(world().db, text)).filter((place) => !place.startsWith('invoices.'))).toEqual(
        [],
      )
  })
})
