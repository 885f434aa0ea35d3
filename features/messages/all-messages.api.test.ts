import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { messageSamples } from '#quality/support/message-samples.ts'
import { longestInputs, write, type RenderedMessage } from '#quality/support/render-messages.ts'
import { useWorld } from '#quality/support/world.ts'
import { fitsInOneSms } from './server/gsm-text.ts'

const world = useWorld()
let customer: Subscriber
beforeAll(async () => {
  customer = await makeSubscriber(world(), { card: true, plan: 'plan-30-5gb' })
})

test('the sample messages include every kind of email and text message that the portal sends', async () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('{features,desk/features}/**/*.mail.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(10)
  const writers = await Promise.all(
    files.map(async (file) => Object.entries((await import(join(root, file))) as Record<string, unknown>)),
  )
  const shown = new Set<unknown>(messageSamples.map(({ by }) => by))
  const missing = writers.flat().filter(([name, write]) => /^(?:send|tell)/.test(name) && !shown.has(write))
  expect(missing.map(([name]) => name)).toEqual([])
})

test('every sample message has a unique name', () => {
  const names = messageSamples.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

const textsOf = (written: RenderedMessage[]) =>
  written.filter(({ channel }) => channel === 'sms').map(({ text }) => text)

describe.each([
  ['with the names used in the demo', false],
  ['with the longest possible names', true],
])('messages %s', (_what, isLongest) => {
  test.each(messageSamples.map((sample) => [sample.name, sample] as const))(
    'the message “%s” fits its channel and contains no placeholder values',
    async (_name, sample) => {
      const written = await write(world(), customer, sample, { isLongest })
      expect(written.length).toBeGreaterThan(0)
      for (const text of textsOf(written)) {
        expect(text).toSatisfy(fitsInOneSms)
        // Text messages contain no links. Most end with the portal's host name.
        expect(text).not.toMatch(/https?:|\/\w/)
        const { host } = new URL(isLongest ? longestInputs.publicUrl : world().url)
        // Some text messages end with a phone number to call instead of the host name.
        if (/ [Cc]all [\d ]+$/.test(text)) continue
        // The text with a PIN for phone support ends with a warning to hang up on callers who ask for the PIN.
        if (/your PIN is \d{6}.* Hang up\.$/.test(text)) continue
        expect(text).toMatch(
          /One-Time PIN/.test(text)
            ? /Never share it\.\n@[\w.-]+ #\d{6}$/
            : new RegExp(`at ${host}( and change your password\\.)?$`),
        )
      }
      for (const { subject, text, html, channel } of written) {
        if (channel === 'sms') continue
        expect(subject).not.toBe('')
        // Remove random 43-character tokens first, because one could contain a forbidden word by chance.
        const said = `${subject}${text}${html}`.replaceAll(/(?<=[=/])[\w-]{43}(?![\w-])/g, '')
        expect(said).not.toMatch(/undefined|null|NaN|\[object|Invalid/)
      }
    },
  )
})
