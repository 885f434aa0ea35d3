import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writeEndlessly, corruptBody } from './corrupt-responses.ts'

test('a falsified provider response is valid JSON that differs from the true response', () => {
  const real = JSON.stringify({ pspReference: '8815', resultCode: 'Authorised' })
  for (let nth = 0; nth < 12; nth++) {
    const wrong = corruptBody(real, nth)
    expect(() => JSON.parse(wrong)).not.toThrow()
    expect(wrong).not.toBe(real)
  }
})

test('falsifying the states in a provider response leaves all other values unchanged', () => {
  expect(corruptBody('{"id":"7","state":"completed","items":[{"state":"active"}]}', 0)).toBe(
    '{"id":"7","state":"marinating","items":[{"state":"marinating"}]}',
  )
})

test('an endless provider response stops once the receiver closes the connection', async () => {
  let received = 0
  const sink = new Writable({
    write(piece: Buffer, _, done) {
      received += piece.length
      if (received > 1_000_000) sink.destroy()
      done()
    },
  })
  await writeEndlessly(sink, false)
  expect(received).toBeLessThan(1_200_000)
})
