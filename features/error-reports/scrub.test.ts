import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureCpuMs } from '#quality/support/processor-time.ts'
import { messageMaxLength, scrub } from './scrub.contract.ts'

describe('removing personal data from error messages', () => {
  test.each([
    ['no account for ana.rewi@example.nz here', 'no account for <email> here'],
    ['mail to <ana@example.nz>, please', 'mail to <email> please'],
    ['fullwidth ana＠example．nz', 'fullwidth <email>'],
    ['number 0215550142', 'number <number>'],
    ['call 021 555 0142 or +64-21-555-0142', 'call <number> or +<number>'],
    ['card 4111 1111 1111 1111 refused', 'card <number> refused'],
    ['figures ４１１１ and ٤٤٤٤', 'figures <number> and <number>'],
    ['hidden 41\u200b11', 'hidden <number>'],
    ['said "Ana Rewi" and \'Ana\'', 'said <text> and <text>'],
    ['said “Ana”, ‘Ana’, «Ana» and `Ana`', 'said <text>, <text>, <text> and <text>'],
    ['never closed "Ana Rewi', 'never closed <text>'],
    ['never closed “Ana Rewi', 'never closed <text>'],
    ['never closed «Ana Rewi', 'never closed <text>'],
    ['never closed `Ana Rewi', 'never closed <text>'],
    ["never closed 'Ana Rewi", 'never closed <text>'],
    ['?name=Ana', '<query>'],
    ["can't read what isn't there", "can't read what isn't there"],
    ["'Ana's phone'", '<text>'],
    ['GET https://my.example.nz/services/7/?token=abc failed', 'GET <link> failed'],
    ['at /verify/?token=abc now', 'at /verify/<query> now'],
    ['id 0197c1e2-5b7e-7c3a-9d7e-0a1b2c3d4e5f', 'id <id>'],
    ['token dGhpcyBpcyBh0GEgdG9rZW4', 'token <id>'],
    ['code ABCDEFGHJKMN or 7KQ2M4XN', 'code <id> or <id>'],
  ])('the error message %j becomes %j', (message, clean) => expect(scrub(message)).toBe(clean))
})

describe('error messages that contain no personal data', () => {
  test.each([
    'x is not a function',
    'Minified React error #418; visit the page for the full message',
    'GET /api/services/:uuid/ answered 503',
    "can't access property of undefined",
  ])('the error message %j stays unchanged', (message) => expect(scrub(message)).toBe(message))
})

test('a scrubbed error message is a single line of limited length', () => {
  expect(scrub('one\r\n\ttwo\u0000\u001b[2J')).toBe('one two[2J')
  expect(scrub(' \n one \n')).toBe('one')
  expect(scrub('word '.repeat(1_000)).length).toBeLessThanOrEqual(messageMaxLength)
})

test('scrubbing huge, repetitive messages takes less than two seconds of processor time', async () => {
  const heaps = ['a', '1 ', '@', '"', "' ", '?', '-', '\ufdfa', 'a-'].map((heap) => heap.repeat(200_000))
  expect(await measureCpuMs(() => heaps.forEach(scrub), { tries: 1 })).toBeLessThan(2_000)
})

describe('scrubbing random error messages', () => {
  const piece = fc.oneof(
    fc.emailAddress(),
    fc.stringMatching(/^\d{4,12}$/),
    fc.stringMatching(/^\+?\d{2,3}[ -]\d{3}[ -]\d{3,4}$/),
    fc.uuid(),
    fc.webUrl({ withQueryParameters: true }),
    fc.constantFrom('"', "'", '`', ' ', '@', '\u200b', '０', '–', '\n', 'Ana'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  const message = fc
    .array(piece, { maxLength: 40 })
    .chain((pieces) => fc.constantFrom('', ' ', '"').map((glue) => pieces.join(glue)))

  test('a scrubbed message has a limited length and contains no email address, long number or control character', () => {
    const property = fc.property(message, (text) => {
      const clean = scrub(text)
      expect(clean).not.toMatch(/@/)
      expect(clean).not.toMatch(/\p{Nd}{4,}/u)
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(clean.length).toBeLessThanOrEqual(messageMaxLength)
      expect(clean.isWellFormed()).toBe(true)
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  test('an email address, number or ID is removed wherever it appears in an error message', () => {
    const personal = fc.oneof(fc.emailAddress(), fc.stringMatching(/^\d{4,16}$/), fc.uuid())
    const words = fc
      .array(fc.constantFrom('of', 'the', 'plan', 'failed'), { maxLength: 8 })
      .map((some) => some.join(' '))
    const property = fc.property(words, personal, words, (left, secret, right) => {
      expect(scrub(`${left} ${secret} ${right}`)).not.toContain(secret)
    })
    fc.assert(property, { numRuns: 1_000 })
  })
})
