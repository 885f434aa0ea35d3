import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { samples } from '#quality/support/message-samples.ts'
import { longest, write, type Written } from '#quality/support/messages.ts'
import { useWorld } from '#quality/support/world.ts'
import { isOneText } from './server/gsm.ts'

const world = useWorld()
let customer: Subscriber
beforeAll(async () => {
  customer = await makeSubscriber(world(), { card: true, plan: 'plan-30-5gb' })
})

test('every mail and text of the product is among the samples', async () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('{features,desk/features}/**/*.mail.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(10)
  const writers = await Promise.all(
    files.map(async (file) => Object.entries((await import(join(root, file))) as Record<string, unknown>)),
  )
  const shown = new Set<unknown>(samples.map(({ by }) => by))
  const missing = writers.flat().filter(([name, write]) => /^(?:send|tell)/.test(name) && !shown.has(write))
  expect(missing.map(([name]) => name)).toEqual([])
})

test('no two have one name', () => {
  const names = samples.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

const textsOf = (written: Written[]) => written.filter(({ channel }) => channel === 'sms').map(({ text }) => text)

describe.each([
  ['as the demo has it', false],
  ['with the longest names there may be', true],
])('%s', (_what, isLongest) => {
  test.each(samples.map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const written = await write(world(), customer, sample, { isLongest })
    expect(written.length).toBeGreaterThan(0)
    for (const text of textsOf(written)) {
      expect(text).toSatisfy(isOneText)
      // They name the host, at the end if at all, and lead nowhere.
      expect(text).not.toMatch(/https?:|\/\w/)
      const { host } = new URL(isLongest ? longest.publicUrl : world().url)
      // Who waits for a text that does not come is helped by a person.
      if (/ [Cc]all [\d ]+$/.test(text)) continue
      // What is read out to us is read out to nobody who calls.
      if (/your PIN is \d{6}.* Hang up\.$/.test(text)) continue
      expect(text).toMatch(
        /One-Time PIN/.test(text) ? /Never share it\.$/ : new RegExp(`at ${host}( and change your password\\.)?$`),
      )
    }
    for (const { subject, text, html, channel } of written) {
      if (channel === 'sms') continue
      expect(subject).not.toBe('')
      // A token is 43 random letters: it may have any word.
      const said = `${subject}${text}${html}`.replaceAll(/(?<=[=/])[\w-]{43}(?![\w-])/g, '')
      expect(said).not.toMatch(/undefined|null|NaN|\[object|Invalid/)
    }
  })
})
