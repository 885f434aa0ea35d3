/* @module-tag slow */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { GatewayFault } from '#providers/card/card.port.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { sealCard } from '#quality/support/cards.ts'
import { readProviderRecords } from '#quality/support/simulators.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

// With this threshold a fault counts as resolved immediately instead of after five minutes.
const world = useWorld({ thresholds: { calmMs: 0 } })
beforeEach(() => world().db.deleteFrom('operator_tasks').execute())

const ours = { status: 400, body: { __all__: ['Something went wrong. Please try refreshing the page.'] } }
const openTasks = () =>
  world().db.selectFrom('operator_tasks').select(['kind', 'subject', 'reason']).where('done_at', 'is', null).execute()
const counted = () => world().db.selectFrom('refused_payments').select('reference').execute()
const oldCard = () =>
  sealCard(world().deps.bootstrap.card.publicKey, world().deps.clock.now().subtract({ hours: 25 }), 'Ana Rewi')
const told = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

function lockOut({ code, message }: GatewayFault): { let(): void } {
  const { card } = world().deps
  const { authorise } = card
  const letIn = (): void => void Object.assign(card, { authorise })
  onTestFinished(letIn)
  card.authorise = async () => ({ outcome: 'unknown', why: `HTTP 403 (${code})`, lockedOut: { code, message } })
  return { let: letIn }
}

describe('encrypted cards that the gateway rejects as too old because of a wrong clock', () => {
  test('an encrypted card that the gateway rejects as too old leaves no order behind and creates a task', async () => {
    const before = await counted()
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect(told(await traveller.pay({ card: oldCard() }))).toEqual(ours)
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', order_code: null, retry: false })
    expect(await counted()).toEqual(before)
    const subject = 'card gateway: authorise with a new card 172'
    expect(await openTasks()).toEqual([{ kind: 'payment', subject, reason: expect.stringContaining('172 Encrypted') }])
    expect((await traveller.pay()).status).toBe(200)
    const done = await traveller.arriveAt('SUCCESSFUL')
    expect((await readProviderRecords(world(), done.order_code ?? '')).gateway).toMatchObject([{ captured: 2200 }])
    expect(await openTasks()).toEqual([])
  })

  test('encrypted cards rejected as too old do not count towards the limit on refused payments', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    for (let times = 0; times < 12; times++) expect(told(await traveller.pay({ card: oldCard() }))).toEqual(ours)
    expect(await openTasks()).toHaveLength(1)
  })

  test('saving a card whose encrypted data is rejected as too old shows a general error, not a card error', async () => {
    const customer = await makeCustomer(world())
    const update = (card: string) =>
      customer.visitor.post('/api/orders/update_payment/', { payment_method: '1', adyen_encrypted: card })
    expect(told(await update(oldCard()))).toEqual(ours)
    expect((await update(world().card())).status).toBe(200)
  })
})

test('if two consecutive cards cannot be decrypted, the customer is told that the fault is ours', async () => {
  const junk = () => sealCard('10001|b3f1c0de'.padEnd(518, '5'), world().deps.clock.now(), 'Ana Rewi')
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  expect((await (await advanceWizardTo(world(), 'PAYMENT')).pay()).status).toBe(200)
  const theirs = { status: 400, body: { __all__: ['Please check your payment details and try again'] } }
  expect(told(await traveller.pay({ card: junk() }))).toEqual(theirs)
  expect(await openTasks()).toEqual([])
  expect(told(await traveller.pay({ card: junk() }))).toEqual(ours)
  expect(await openTasks()).toMatchObject([{ subject: expect.stringMatching(/ 17[34]$/) }])
})

describe('payments while the gateway rejects our credentials', () => {
  test('a payment attempt that the gateway rejects because of our credentials leaves no order behind', async () => {
    const before = await counted()
    lockOut({ code: '901', message: 'Invalid Merchant Account' })
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect(told(await traveller.pay())).toEqual(ours)
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', order_code: null, retry: false })
    expect(await counted()).toEqual(before)
  })

  test('an undecided payment attempt stays undecided while the gateway rejects our credentials', async () => {
    const { card } = world().deps
    const { authorise } = card
    onTestFinished(() => void Object.assign(card, { authorise }))
    card.authorise = async (payment) => {
      await authorise(payment)
      return { outcome: 'unknown', why: 'TimeoutError' }
    }
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const { status, body } = await traveller.pay()
    expect({ status, body }).toMatchObject({ status: 202, body: { retry: true } })
    const { let: letIn } = lockOut({ code: '010', message: 'Not allowed' })
    const resume = () => traveller.visitor.post(`/api/orders/${body.order_code}/resume/`)
    expect((await resume()).status).toBe(202)
    letIn()
    card.authorise = authorise
    await pollUntil(async () => (await resume()).status === 200)
    await traveller.arriveAt('SUCCESSFUL')
  })
})
