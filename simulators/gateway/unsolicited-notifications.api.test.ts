import { expect, test } from 'vitest'
import { createModificationAmount, setUpTestGateway } from './test-world.ts'

const world = setUpTestGateway()
const { authorise, post, control } = world

const told = () =>
  world.inbox.items.map(({ eventCode, pspReference, amount }) => [eventCode, pspReference, amount.value] as const)

test('all notifications about a payment dispute have the same reference, including duplicates', async () => {
  const { body } = await authorise()
  await control('POST', 'webhooks', { mode: 'duplicate' })
  const due = '2026-12-18T10:15:30+01:00'
  const { psp_reference: dispute } = (await control('POST', 'disputes', {
    reference: 'ORDER-1',
    event: 'CHARGEBACK',
    due,
  })) as { psp_reference: string }
  await control('POST', 'webhooks', { mode: 'normal' })
  await control('POST', 'disputes', { reference: 'ORDER-1', event: 'NOTIFICATION_OF_CHARGEBACK', value: 100 })
  await world.inbox.waitFor(4)
  expect(told().slice(1)).toEqual([
    ['CHARGEBACK', dispute, 3990],
    ['CHARGEBACK', dispute, 3990],
    ['NOTIFICATION_OF_CHARGEBACK', dispute, 100],
  ])
  expect(world.inbox.items[1]).toMatchObject({
    originalReference: body.pspReference,
    merchantReference: 'ORDER-1',
    additionalData: { defensePeriodEndsAt: due },
  })
  await expect(control('POST', 'disputes', { reference: 'ORDER-2', event: 'CHARGEBACK' })).rejects.toThrow('400')
})

test('a returned refund is reported under its own reference, and credited to the merchant only once', async () => {
  const { body } = await authorise()
  const of = { originalReference: body.pspReference }
  await post('capture', { ...of, ...createModificationAmount(3990) })
  const first = await post('refund', { ...of, ...createModificationAmount(1000) })
  await post('refund', { ...of, ...createModificationAmount(500) })
  for (const event of ['REFUND_FAILED', 'REFUNDED_REVERSED'])
    expect(await control('POST', 'returned-refunds', { reference: 'ORDER-1', event, value: 1000 })).toEqual({
      psp_reference: first.body.pspReference,
    })
  await world.inbox.waitFor(6)
  expect(told().slice(4)).toEqual([
    ['REFUND_FAILED', first.body.pspReference, 1000],
    ['REFUNDED_REVERSED', first.body.pspReference, 1000],
  ])
  expect(await control('GET', 'ledger')).toMatchObject([{ captured: 3990, refunded: 500 }])
})

test('a single webhook request can contain items from different merchant accounts', async () => {
  await control('POST', 'notifications', {
    items: [{ event: 'REPORT_AVAILABLE' }, { event: 'CHARGEBACK', merchant_account: 'Another', reference: 'X' }],
  })
  await world.inbox.waitFor(2)
  expect(world.inbox.items).toMatchObject([
    { eventCode: 'REPORT_AVAILABLE', merchantAccountCode: 'FantailNZ' },
    { eventCode: 'CHARGEBACK', merchantAccountCode: 'Another' },
  ])
})

test('a simulated gateway account can be set to hide certain card details and to report stored cards', async () => {
  const hidden = ['cardBin', 'cardSummary', 'recurring.recurringDetailReference']
  await control('POST', 'account', { hidden, tells_of_contracts: true })
  const { body } = await authorise({ recurring: { contract: 'ONECLICK,RECURRING' } })
  expect(Object.keys(body.additionalData).sort()).toEqual([
    'cardHolderName',
    'expiryDate',
    'paymentMethod',
    'recurring.shopperReference',
  ])
  await world.inbox.waitFor(2)
  const [card] = (await control('GET', 'cards')) as { id: string }[]
  expect(world.inbox.items[1]).toMatchObject({
    eventCode: 'RECURRING_CONTRACT',
    pspReference: card?.id,
    originalReference: body.pspReference,
    merchantReference: 'ORDER-1',
  })
})
