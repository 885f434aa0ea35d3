import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNotifications } from './notification.ts'

// The item is a signed webhook item from the real gateway.
const hmacKey = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const item = {
  pspReference: '7914073381342284',
  originalReference: '',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'TestPayment-1407325143704',
  amount: { value: 1130, currency: 'EUR' },
  eventCode: 'AUTHORISATION',
  success: 'true',
  eventDate: '2019-06-28T18:03:50+01:00',
  additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
}

const bodyOf = (...items: unknown[]) => ({
  live: 'false',
  notificationItems: items.map((entry) => ({ NotificationRequestItem: entry })),
})
const readAll = (body: unknown) => readNotifications(body, { hmacKey, merchantAccount: 'TestMerchant' })
const read = (body: unknown) => readAll(body)?.ours ?? null

const signed = (changes: object) => {
  const changed = { ...item, ...changes }
  // `Array.join` turns undefined values into empty strings, as the gateway does when it signs an item.
  const data = [
    changed.pspReference,
    changed.originalReference,
    changed.merchantAccountCode,
    changed.merchantReference,
    changed.amount?.value,
    changed.amount?.currency,
    changed.eventCode,
    changed.success,
  ].join(':')
  const hmacSignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(data).digest('base64')
  return { ...changed, additionalData: { hmacSignature } }
}

test('a signed notification from the real gateway is verified and read', () => {
  expect(read(bodyOf(item))).toEqual([
    {
      eventCode: 'AUTHORISATION',
      success: true,
      pspReference: '7914073381342284',
      originalReference: '',
      merchantReference: 'TestPayment-1407325143704',
      amount: 1130,
      currency: 'EUR',
      reason: '',
      dueAt: null,
      card: {
        type: null,
        lastFour: null,
        expiry: null,
        holderName: null,
        storedId: null,
        shopperReference: null,
      },
    },
  ])
})

test('a notification whose `success` is neither true nor false is treated as an unknown event', () => {
  expect(read(bodyOf(signed({ success: 'maybe' })))).toMatchObject([
    { eventCode: 'AUTHORISATION (success: maybe)', success: false },
  ])
})

describe('gateway notifications that are accepted', () => {
  test('a notification signed with the current or the previous key is accepted', () => {
    const other = '00'.repeat(32)
    const account = { merchantAccount: 'TestMerchant' }
    const isRead = (keys: { hmacKey: string; hmacKeyPrevious: string | null }) =>
      readNotifications(bodyOf(item), { ...account, ...keys }) !== null
    expect(isRead({ hmacKey: other, hmacKeyPrevious: hmacKey })).toBe(true)
    expect(isRead({ hmacKey, hmacKeyPrevious: other })).toBe(true)
    expect(isRead({ hmacKey: other, hmacKeyPrevious: null })).toBe(false)
  })

  test('a notification’s items are read in order', () => {
    const capture = {
      eventCode: 'CAPTURE',
      originalReference: item.pspReference,
      pspReference: 'C1',
      reason: 'No balance',
    }
    expect(read(bodyOf(item, signed({ ...capture, success: 'false' })))).toMatchObject([
      { eventCode: 'AUTHORISATION', success: true },
      { ...capture, success: false },
    ])
  })

  test.each([
    ['2026-12-18T10:15:30+01:00', '2026-12-18T09:15:30Z'],
    ['soon', undefined],
    [17, undefined],
    ['2026-12-18T10:15:30+01:00'.padEnd(50, 'x'), undefined],
  ])('a notification’s deadline for contesting a dispute is read: %s', (text, due) => {
    const dispute = signed({ eventCode: 'CHARGEBACK' })
    const told = { ...dispute, additionalData: { ...dispute.additionalData, defensePeriodEndsAt: text } }
    expect(read(bodyOf(told))?.[0]?.dueAt?.toString()).toBe(due)
  })

  test('a notification can have a boolean `success` and a null `originalReference`, or lack the amount and reference', () => {
    const booleanAndNull = { ...item, success: true, originalReference: null }
    expect(read(bodyOf(booleanAndNull))).toMatchObject([{ success: true, originalReference: '' }])
    const report = signed({ amount: undefined, merchantReference: undefined, eventCode: 'REPORT_AVAILABLE' })
    expect(read(bodyOf(report))).toMatchObject([{ amount: 0, currency: '', merchantReference: '' }])
  })
})

describe('notifications for another merchant account', () => {
  const foreign = signed({ merchantAccountCode: 'AnotherMerchant' })

  test('notification items for another merchant account are skipped, and our own items are still read', () => {
    expect(readAll(bodyOf(foreign))).toEqual({ ours: [], ignored: 1 })
    expect(readAll(bodyOf(foreign, item, foreign))).toMatchObject({ ours: [{ amount: 1130 }], ignored: 2 })
  })

  test('a notification is rejected if it contains a forged item for our account among items for other accounts', () =>
    expect(readAll(bodyOf(foreign, { ...item, success: 'false' }))).toBeNull())
})

describe('gateway notifications that are rejected', () => {
  test.each([
    { pspReference: '7914073381342285' },
    { originalReference: '7914073381342284' },
    { merchantReference: 'TestPayment-1' },
    { amount: { value: 1131, currency: 'EUR' } },
    { amount: { value: 1130, currency: 'NZD' } },
    { eventCode: 'CAPTURE' },
    { success: 'false' },
    { additionalData: {} },
    { additionalData: { hmacSignature: '' } },
    { additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo=' } },
  ])('rejects a notification with %j changed after signing', (changes) =>
    expect(read(bodyOf({ ...item, ...changes }))).toBeNull(),
  )

  test('rejects a notification with a forged item for another merchant account', () => {
    const foreign = signed({ merchantAccountCode: 'AnotherMerchant' })
    for (const forged of [
      { ...item, merchantAccountCode: 'AnotherMerchant' },
      { ...foreign, additionalData: {} },
      { ...foreign, eventCode: 'CHARGEBACK' },
    ])
      expect(readAll(bodyOf(item, forged))).toBeNull()
  })

  test('rejects a notification signed with a different key', () => {
    expect(readNotifications(bodyOf(item), { hmacKey: '00'.repeat(32), merchantAccount: 'TestMerchant' })).toBeNull()
  })

  test('rejects a notification even if only one of its items is forged', () =>
    expect(read(bodyOf(item, { ...item, success: 'false' }))).toBeNull())

  test.each([
    undefined,
    null,
    '',
    [],
    {},
    { notificationItems: [] },
    { notificationItems: {} },
    { notificationItems: [item] },
    bodyOf(null),
    bodyOf({ ...item, amount: { value: '1130', currency: 'EUR' } }),
    bodyOf(signed({ merchantReference: 'x'.repeat(301) })),
    bodyOf(signed({ eventCode: 'X'.repeat(81) })),
    bodyOf(...Array.from({ length: 101 }, () => item)),
  ])('rejects the notification body %j', (body) => expect(read(body)).toBeNull())

  test('rejects a notification with an arbitrary body', () => {
    fc.assert(fc.property(fc.anything(), (anything) => read(anything) === null && read(bodyOf(anything)) === null))
  })
})

test.each([
  ['2026-12-05T10:00:00+13:00', '2026-12-04T21:00:00Z'],
  ['soon', null],
  ['', null],
  [1_796_000_000_000, null],
  [`2026-12-05T10:00:00+13:00[${'A'.repeat(20)}]`, null],
])(
  'a dispute deadline is read only if it is short ISO 8601 text with an offset: %j',
  (defensePeriodEndsAt, instant) => {
    const entry = signed({})
    const additionalData = { ...entry.additionalData, defensePeriodEndsAt }
    expect(String(read(bodyOf({ ...entry, additionalData }))?.[0]?.dueAt)).toBe(String(instant))
  },
)

test('a stored card’s shopper reference is read from its notification', () => {
  const entry = signed({})
  const additionalData = { ...entry.additionalData, 'recurring.shopperReference': 'customer-7' }
  expect(read(bodyOf({ ...entry, additionalData }))?.[0]?.card.shopperReference).toBe('customer-7')
})
