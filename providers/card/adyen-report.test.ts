import { describe, expect, test } from 'vitest'
import { createAdyenReportReader } from './adyen-report.ts'

const read = (text: string | Uint8Array) =>
  createAdyenReportReader('Ours')(bytesOf(text), (reference) => reference.startsWith('FT'))

async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

const accounting = (...entries: string[]) =>
  [
    'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Booking Date,TimeZone,Main Currency,Main Amount,' +
      'Record Type,Payment Currency,Received (PC),Authorised (PC),Captured (PC)',
    ...entries,
  ].join('\r\n')
const entry = (
  type: string,
  amounts: string,
  { psp = 'P1', reference = 'FT1-1', account = 'Ours', zone = 'UTC' } = {},
) => `Co,${account},${psp},${reference},visa,2026-11-20 08:30:00,${zone},NZD,22.00,${type},NZD,,${amounts}`

const payment = {
  pspReference: 'P1',
  reference: 'FT1-1',
  firstAt: Temporal.Instant.from('2026-11-20T08:30:00Z'),
  currency: 'NZD',
  authorised: 2200,
  captured: 0,
  refunded: 0,
  disputed: 0,
  isReleased: false,
}

const [authorised, sent] = [entry('Authorised', '22.00,'), entry('SentForSettle', '-22.00,22.00')]

describe('the gateway’s Payment accounting report', () => {
  test.each([
    ['authorised', [authorised], {}],
    ['cancelled', [authorised, entry('Cancelled', '-22.00,')], { isReleased: true }],
    [
      'captured and settled, which is the same money',
      [authorised, sent, entry('Settled', ',-22.00')],
      { captured: 2200 },
    ],
    [
      'refunded in two parts, one of which came back',
      [
        authorised,
        sent,
        entry('SentForRefund', ',-4.50'),
        entry('SentForRefund', ',-5'),
        entry('RefundFailed', ',5.00'),
      ],
      { captured: 2200, refunded: 450 },
    ],
    ['charged back', [authorised, sent, entry('Chargeback', ',-22.00')], { captured: 2200, disputed: 2200 }],
  ])('a Payment accounting report shows that a payment was %s', async (_what, entries, sums) => {
    expect(await read(accounting(...entries))).toEqual([{ ...payment, ...sums }])
  })

  test('reading a Payment accounting report skips references that are not ours, other accounts and unknown record types', async () => {
    expect(
      await read(
        accounting(
          entry('Authorised', '22.00,', { reference: 'shop-17' }),
          entry('Authorised', '22.00,', { account: 'Theirs' }),
          entry('MerchantPayout', 'x,', { psp: '' }),
          '',
        ),
      ),
    ).toEqual([])
  })

  test.each([
    ['NZDT', '2026-11-19T19:30:00Z'],
    ['ACST', '2026-11-19T23:00:00Z'],
    // A time in an unknown zone is parsed as UTC-12, so that the payment looks more recent than it is.
    ['???', '2026-11-20T20:30:00Z'],
  ])('a report’s time of 08:30 in the zone %s is parsed as %s', async (zone, instant) => {
    const [found] = await read(accounting(entry('Authorised', '22.00,', { zone })))
    expect(found?.firstAt.toString()).toBe(instant)
  })
})

test('a Settlement details report can also be read, even if quoted fields contain commas and quotation marks', async () => {
  const settlement = [
    '\uFEFF"Company Account","Merchant Account",Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Gross Currency,' +
      'Gross Debit (GC),Gross Credit (GC)',
    '"Ours, ""Ltd""",Ours,P1,FT1-1,2026-11-20 08:30:00,UTC,Settled,NZD,,22.00',
    'Co,Ours,P1,FT1-1,2026-11-21 08:30:00,UTC,Refunded,NZD,2.00,',
  ].join('\n')
  expect(await read(settlement)).toEqual([{ ...payment, authorised: 0, captured: 2200, refunded: 200 }])
})

describe('a report that a spreadsheet program has saved', () => {
  const report = accounting(authorised, sent)
  const expected = [{ ...payment, captured: 2200 }]
  const withSeparator = (separator: string) => report.replaceAll(',', separator)
  test.each([
    ['with semicolons', withSeparator(';')],
    ['with semicolons and decimal commas', withSeparator(';').replaceAll('22.00', '22,00')],
    ['with tabs', withSeparator('\t')],
    ['with a line that names the separator', `sep=;\r\n${withSeparator(';')}`],
    ['with fields in quotation marks', `"${withSeparator('";"').replaceAll('\r\n', '"\r\n"')}"`],
    ['in UTF-16 with tabs', Buffer.from(`\uFEFF${withSeparator('\t')}`, 'utf16le')],
    ['with empty columns and rows at the end', `${report}\r\n,,`.replaceAll(/\r\n|$/g, ',,\r\n')],
    ['with formulas and apostrophes', report.replaceAll('P1,FT1-1', `="P1",'FT1-1`)],
  ])('reads a report %s', async (_how, text) => expect(await read(text)).toEqual(expected))
})

test.each([
  ['is empty', '', 'The file is empty.'],
  ['is another kind of table', 'iccid,msisdn', /^Line 1 has neither a Record Type column/],
  [
    'lacks columns',
    'Type,Psp Reference',
    'Line 1 of a Settlement details report must have the columns Merchant Account, Merchant Reference, TimeZone, Creation Date, ' +
      'Gross Currency, Gross Debit (GC), Gross Credit (GC).',
  ],
  ['is cut in the middle of a line', accounting('Co,Ours'), 'Line 2 has 2 fields, and line 1 has 14.'],
  ['has a quotation mark that is not closed', accounting(authorised, 'Co,"Ours'), /^Line 3 has a quotation mark/],
  [
    'has an invalid amount',
    accounting(authorised, entry('Settled', ',1e3')),
    'Line 3: Authorised (PC) or Captured (PC) must be an amount like 22.00.',
  ],
  [
    'has an invalid time',
    accounting(authorised.replace('11-20', '13-20')),
    'Line 2: Booking Date must be like 2026-12-01 08:30:00.',
  ],
  ['has no PSP reference', accounting(entry('Authorised', '22.00,', { psp: '' })), /^Line 2: Psp Reference/],
  [
    'has a PSP reference that a spreadsheet program has rounded',
    accounting(entry('Authorised', '22.00,', { psp: '8.83551E+15' })),
    'Line 2: Psp Reference 8.83551E+15 was rounded by a spreadsheet program; download the report again.',
  ],
  [
    'is not text',
    new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe, 0x00]),
    /^Line 1, character 3 \(U\+0003\) is not valid/,
  ],
  [
    'has an é in Windows-1252',
    Buffer.from(accounting('Café'), 'latin1'),
    'Line 2, character 4 (“é”, byte E9) is not valid UTF-8 text. Save the file as CSV in UTF-8 and try again.',
  ],
])('a report that %s is rejected, giving the reason', async (_what, text, why) => {
  await expect(read(text)).rejects.toThrow(why)
})
