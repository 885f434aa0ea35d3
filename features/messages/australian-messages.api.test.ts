import { beforeAll, describe, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { messageSamples } from '#quality/support/message-samples.ts'
import { write } from '#quality/support/render-messages.ts'
import { findTimesWithoutZone } from '#quality/support/times-without-zone.ts'
import { useWorld } from '#quality/support/world.ts'
import { fitsInOneSms } from './server/gsm-text.ts'

const world = useWorld({ env: { MARKET: 'AU' } })
let customer: Subscriber
beforeAll(async () => {
  customer = await makeSubscriber(world(), { card: true, plan: 'plan-30-5gb' })
})

describe.each([
  ['with the names used in the demo', false],
  ['with the longest possible names', true],
])('Australian messages %s', (_what, isLongest) => {
  test.each(messageSamples.map((sample) => [sample.name, sample] as const))(
    'the message “%s” names Sydney time after each time of day, and each text still fits into one SMS',
    async (_name, sample) => {
      const written = await write(world(), customer, sample, { isLongest })
      expect(written.length).toBeGreaterThan(0)
      const messages = written.map(({ subject, text }) => `${subject}\n${text}`)
      expect(messages.flatMap(findTimesWithoutZone)).toEqual([])
      const longTexts = written.filter(({ channel, text }) => channel === 'sms' && !fitsInOneSms(text))
      expect(longTexts).toEqual([])
    },
  )
})
