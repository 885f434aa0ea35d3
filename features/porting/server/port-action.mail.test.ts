import { expect, test } from 'vitest'
import { fitsInOneSms } from '#features/messages/server/gsm-text.ts'
import { markets } from '#kit/server/markets.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { formatActionSms } from './port-action.mail.ts'

const reasons = ['sim_number', 'account_number', 'no_reply', 'information', 'said_no', 'unknown'] as const
const textIn = (market: 'NZ' | 'AU', about: (typeof reasons)[number], donor = 'Skinny') =>
  formatActionSms(
    { market: markets[market], brandShortName: fantailProvider.brand.shortName, publicUrl: 'https://fantail.example' },
    { about, number: market === 'NZ' ? '027 555 0163' : '0491 570 156', donor },
  )

test.each(reasons)(
  'the text about a number transfer (%s) fits into one SMS and contains the number and the login address',
  (about) => {
    for (const market of ['NZ', 'AU'] as const)
      for (const donor of ['Skinny', 'A provider with the longest of names in all of Oceania']) {
        const text = textIn(market, about, donor)
        expect(text).toSatisfy(fitsInOneSms)
        expect(text).toContain(market === 'NZ' ? '027 555 0163' : '0491 570 156')
        expect(text).toMatch(/: log in at fantail\.example$/)
        expect(text).not.toMatch(/https?:|\/\w/)
      }
  },
)

test('text messages about a number transfer are worded differently for each reason, except that “said no” and “unknown” share one', () => {
  expect(new Set(reasons.map((about) => textIn('NZ', about))).size).toBe(reasons.length - 1)
})
