import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { truncateToOneSms, fitsInOneSms, gsmLength, toGsmText } from './server/gsm-text.ts'
import { computeNextSendingTime } from '#kit/server/sending-hours.ts'
import { chooseFittingSmsText } from './server/messages.ts'

describe('converting text to the GSM alphabet', () => {
  test.each([
    ['Tūī: 3 days left', 'Tui: 3 days left'],
    ['Ngā mihi, Zoë, Ærø, Ñandú', 'Nga mihi, Zoe, Ærø, Ñandu'],
    ['“We’re here” – now…', '"We\'re here" - now...'],
    ['$109.65, €5, ~[x]', '$109.65, €5, ~[x]'],
    ['e\u0301te\u0301', 'été'],
    ['3\u00a0pm 🐦 東', '3 pm ? ?'],
  ])('converts %j to %j in the GSM alphabet', (text, plain) => expect(toGsmText(text)).toBe(plain))

  test('converting text to the GSM alphabet twice changes nothing more, and text that is too long is cut to fit into one message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const plain = toGsmText(text)
        expect(toGsmText(plain)).toBe(plain)
        const one = truncateToOneSms(plain)
        expect(fitsInOneSms(one)).toBe(true)
        expect(plain.startsWith(one)).toBe(true)
        expect(one === plain || gsmLength(one) >= 159).toBe(true)
      }),
    )
  })

  test('the euro sign counts as two characters in a text message', () => {
    expect(gsmLength('a€b')).toBe(4)
    expect([fitsInOneSms('a'.repeat(160)), fitsInOneSms(`${'a'.repeat(159)}€`), fitsInOneSms('ā')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('text messages that start with the brand name', () => {
  const say = (sender: { brandShortName: string; publicUrl: string }) =>
    chooseFittingSmsText(sender, (host) => [`${'long '.repeat(27)}at ${host}`, `short at ${host}`])

  test('a text message starts with the brand name, and uses the first wording that fits into one message', () => {
    expect(say({ brandShortName: 'Tūī', publicUrl: 'https://tui.example' })).toBe(
      `Tui: ${'long '.repeat(27)}at tui.example`,
    )
    expect(say({ brandShortName: 'W'.repeat(20), publicUrl: 'https://tui.example/x/' })).toBe(
      `${'W'.repeat(20)}: short at tui.example`,
    )
  })

  test('a text message says “our website” instead of the host name if the host name is too long', () => {
    expect(say({ brandShortName: 'Tui', publicUrl: `https://${'a'.repeat(31)}.example` })).toBe(
      `Tui: ${'long '.repeat(27)}at our website`,
    )
  })
})

describe('the hours during which reminders are sent, 9 am to 8 pm', () => {
  const zone = 'Pacific/Auckland'
  const opening = (local: string) =>
    computeNextSendingTime(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant(), zone)
      ?.toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString()

  test.each([
    ['2027-01-08T08:59:59', '2027-01-08T09:00:00'],
    ['2027-01-08T09:00:00', undefined],
    ['2027-01-08T19:59:59', undefined],
    ['2027-01-08T20:00:00', '2027-01-09T09:00:00'],
    ['2027-01-08T00:00:00', '2027-01-08T09:00:00'],
    // Daylight saving time starts or ends on these nights.
    ['2027-04-03T23:00:00', '2027-04-04T09:00:00'],
    ['2027-09-25T23:00:00', '2027-09-26T09:00:00'],
  ])('at %s, a reminder has to wait until %s (undefined means no wait)', (now, next) => expect(opening(now)).toBe(next))
})
