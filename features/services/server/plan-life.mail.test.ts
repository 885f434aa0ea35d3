import { expect, test } from 'vitest'
import type { Market } from '#kit/contract/bootstrap.ts'
import { createNumberReleaseContent } from './plan-life.mail.ts'

test('the copy of a reminder that a number will be released gives the last day, instead of the number of days left', () => {
  const { paragraphs, rows } = createNumberReleaseContent(
    { market: { zone: 'Pacific/Auckland' } as Market },
    {
      of: 'number_release',
      at: '2027-01-11T20:00:00Z',
      msisdn: '+64215550142',
      plan: '5 GB Prepay Plan',
      ends_at: '2026-10-26T11:00:00Z',
      kept_days: 90,
    },
  )
  expect(paragraphs.slice(0, 2)).toEqual([
    'your Prepay Plan has expired. You’ll lose 021 555 0142 after Sun 24 Jan, because we can’t keep it any longer.',
    'Your Phone Number will be reserved for 90 days past your Prepay Plan expiry. The last day to keep it is Sun 24 Jan.',
  ])
  expect(rows).toContainEqual(['Expired on', '27 Oct 2026'])
})
