import { expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { providerHoursLabel, reasonLabel } from './port.labels.ts'

const monday = '2026-12-27T21:00:00.000Z'
const waiting = { words: 'Sent', tone: 'plain', why: 'Sent to Telstra.', is_late: false, reply_by: null } as const

test('the hours of other providers, which staff tell customers, name Sydney time in Australia and no zone in New Zealand', () => {
  expect(providerHoursLabel(monday, markets.AU)).toBe(
    'Other providers work from 8 am to 8 pm on business days, and from 10 am to 6 pm on Saturdays, Sydney time. ' +
      'A request sent now will be handled from 28 Dec, 08:00, Sydney time.',
  )
  expect(providerHoursLabel(null, markets.NZ)).toBe(
    'Other providers work from 8 am to 5:45 pm on business days. A request sent now will be handled today.',
  )
})

test('the time at which the other provider starts work, which staff tell customers, names Sydney time in Australia', () =>
  expect(
    reasonLabel({ ...waiting, looked_at_from: monday }, { now: '2026-12-26T00:00:00Z', zone: markets.AU.zone }),
  ).toBe('Sent to Telstra. The other provider will handle it from 28 Dec, 08:00, Sydney time.'))
