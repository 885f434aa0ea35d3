import { beforeEach, describe, expect, test } from 'vitest'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { type Customer, logInAs, makeCustomer } from '#quality/support/customer.ts'
import { failGateway } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import type { CardUpdate } from './server/card-updates.store.ts'
import { resolveCardUpdate } from './server/resolve-card-update.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const cards = { visa: '4111 1111 1111 1111', mc: '5555 3412 4444 1115' }

function send(visitor: Visitor, key: string, { number = cards.visa, holderName = 'Ana Rewi' } = {}) {
  const card = { number, cvc: '737', holderName, expiryMonth: '03', expiryYear: '2030' }
  const sealed = encryptCard(
    world().deps.bootstrap.card.publicKey,
    card,
    world().deps.clock.now().toString({ fractionalSecondDigits: 3 }),
  )
  return visitor.post(
    '/api/orders/update_payment/',
    { payment_method: '1', adyen_encrypted: sealed },
    { 'idempotency-key': key },
  )
}

const updatesOf = ({ id }: Customer): Promise<CardUpdate[]> =>
  world().db.selectFrom('card_updates').selectAll().where('user_id', '=', id).orderBy('created_at').execute()
const savedCardOf = async ({ visitor }: Customer) =>
  (await visitor.get('/api/account/')).body.user.credit_card_token?.masked_card_number
async function linesOf(customer: Customer) {
  const references = (await updatesOf(customer)).map(({ reference }) => reference)
  return (await world().ledgers()).gateway.filter(({ reference }) => references.includes(reference))
}

describe('twenty concurrent card updates from two tabs that share an idempotency key', () => {
  test.each([
    ['Ana Rewi', 200],
    ['TIMEOUT', 200],
    ['DECLINED', 400],
    ['PENDING', 400],
  ])(
    'twenty requests that share an idempotency key (cardholder %s) create one authorisation and get the same response',
    async (holderName, status) => {
      const customer = await makeCustomer(world())
      const tabs = [customer.visitor, await logInAs(world(), customer)]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => send(tabs[at % 2]!, 'one', { holderName })),
      )
      expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1)
      expect(answers[0]?.status).toBe(status)
      expect(await linesOf(customer)).toHaveLength(1)
      expect(await updatesOf(customer)).toHaveLength(1)
    },
  )
})

describe('two cards submitted by one customer at the same time', () => {
  test('if a customer submits two payment cards at the same time, both are accepted and the later one is kept on file', async () => {
    const customer = await makeCustomer(world())
    const first = send(customer.visitor, 'first')
    await pollUntil(async () => (await updatesOf(customer)).length === 1)
    const second = send(customer.visitor, 'second', { number: cards.mc })
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200])
    expect(await savedCardOf(customer)).toBe('**** **** **** 1115')
  })

  test('the payment card that was submitted later is kept on file even if the gateway responds to the earlier card last', async () => {
    const customer = await makeCustomer(world())
    await failGateway(world(), { operation: 'authorise', kind: 'slow', delay_ms: 5_000 })
    const first = send(customer.visitor, 'first')
    await pollUntil(async () => (await updatesOf(customer)).length === 1)
    await pollUntil(
      async () =>
        ((await (await fetch(`${world().deps.outside.cardUrl}/_simulator/failures`)).json()) as unknown[]).length === 0,
    )
    expect((await send(customer.visitor, 'second', { number: cards.mc })).status).toBe(200)
    expect((await updatesOf(customer)).map(({ state }) => state)).toEqual(['initiated', 'stored'])

    const { status, body } = await first
    expect(status).toBe(200)
    expect(body.credit_card_token.masked_card_number).toBe('**** **** **** 1115')
    expect((await updatesOf(customer)).map(({ state }) => state)).toEqual(['stored', 'stored'])
    expect(await savedCardOf(customer)).toBe('**** **** **** 1115')
  })
})

test('a late gateway response to a cancelled card update changes nothing', async () => {
  const customer = await makeCustomer(world())
  await failGateway(world(), { operation: 'authorise', kind: 'slow', delay_ms: 5_000 })
  const pressed = send(customer.visitor, 'slow')
  const sent = await pollUntil(async () => (await updatesOf(customer))[0])
  await resolveCardUpdate(world().deps, { ...sent, resolve_by: new Date(0) })
  expect(await updatesOf(customer)).toMatchObject([{ state: 'cancelled' }])
  expect((await pressed).status).toBe(400)
  expect(await updatesOf(customer)).toMatchObject([{ state: 'cancelled', sealed_card: null }])
  expect(await savedCardOf(customer)).toBeUndefined()
})

test('ten workers that resolve the same card update save only one card', async () => {
  const customer = await makeCustomer(world())
  await failGateway(world(), { operation: 'authorise', kind: 'error_500' })
  const pressed = send(customer.visitor, 'ten')
  const sent = await pollUntil(async () => (await updatesOf(customer))[0])
  await Promise.all(Array.from({ length: 10 }, () => resolveCardUpdate(world().deps, sent)))
  expect((await pressed).status).toBe(200)
  expect(await linesOf(customer)).toHaveLength(1)
  const updated = await world()
    .db.selectFrom('audit_events')
    .selectAll()
    .where('user_id', '=', customer.id)
    .where('event', '=', 'card_updated')
    .execute()
  expect(updated).toHaveLength(1)
})

test('our records match the gateway’s and the network’s after concurrent card updates', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
