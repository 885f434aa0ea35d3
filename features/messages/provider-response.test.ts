import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scrubResponse, maxResponseLength } from './server/provider-response.ts'

const to = 'hine.walker@xtra.co.nz'

test.each([
  ['550 5.1.1 <hine.walker@xtra.co.nz>: Recipient address rejected', '550 5.1.1 <•••>: Recipient address rejected'],
  ['552 Mailbox of Hine.Walker is full', '552 Mailbox of ••• is full'],
  ['HTTP 422, 21: No such number +64 21 555 0142', 'HTTP 422, 21: No such number •••'],
  ['450 4.2.1\r\n  try   later', '450 4.2.1 try later'],
  ['554 5.7.1 [203.0.113.9] is on a list', '554 5.7.1 [203.0.113.9] is on a list'],
])('stores the relay’s or carrier’s response %j as %j', (said, kept) => expect(scrubResponse(said, to)).toBe(kept))

test('the mail server’s own response is stored rather than the mail library’s error message', () => {
  const failure = Object.assign(new Error('Can’t send mail: all recipients were rejected'), {
    response: '451 4.7.1 Greylisted',
  })
  expect(scrubResponse(failure, to)).toBe('451 4.7.1 Greylisted')
  expect(scrubResponse(new Error('connect ECONNREFUSED'), to)).toBe('connect ECONNREFUSED')
  expect(scrubResponse(null, to)).toBe('')
})

test('the recipient’s address is removed from a stored response even if its mailbox name has only two letters', () =>
  expect(scrubResponse('550 no such user: jo@x.nz', 'jo@x.nz')).toBe('550 no such user: •••'))

const name = fc.stringMatching(/^[a-z][a-z.+_-]{1,30}[a-z]$/)
const text = fc.string({ unit: 'binary', maxLength: 3_000 })

test('a stored response is a single line of limited length, without the recipient’s address or a phone number', () => {
  fc.assert(
    fc.property(name, text, text, fc.stringMatching(/^\+64\d{8,9}$/), (local, before, after, number) => {
      const address = `${local}@example.co.nz`
      const kept = scrubResponse(`${before} <${address}> ${number}\n${local} ${after}`, address)
      expect(kept.length).toBeLessThanOrEqual(maxResponseLength)
      expect(kept).not.toMatch(/[\p{Cc}\n]/u)
      expect(kept).not.toContain(address)
      expect(kept.toLowerCase()).not.toContain(local)
      expect(kept).not.toContain(number)
    }),
  )
})
