import { expect, test } from 'vitest'
import { buildNotificationBody, computeSignature } from './notification.ts'
import type { NotificationItem } from './state.ts'

// An example of a signed webhook item from the real gateway.
const vector = {
  key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  item: {
    pspReference: '7914073381342284',
    originalReference: '',
    merchantAccountCode: 'TestMerchant',
    merchantReference: 'TestPayment-1407325143704',
    amount: { value: 1130, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    success: 'true',
    eventDate: '2019-06-28T18:03:50+01:00',
    reason: '',
    additionalData: {},
  } satisfies NotificationItem,
  signature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=',
}

test('the simulator signs a notification in the same way as the real gateway', () => {
  expect(computeSignature(vector.item, vector.key)).toBe(vector.signature)
})

test('a notification contains one signed item, with additional fields that the signature does not cover', () => {
  const item = { ...vector.item, additionalData: { cardSummary: '1111' } }
  const additionalData = { cardSummary: '1111', hmacSignature: vector.signature }
  expect(buildNotificationBody(item, vector.key)).toEqual({
    live: 'false',
    notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }],
  })
})
