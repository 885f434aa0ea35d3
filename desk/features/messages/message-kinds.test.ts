import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { subjects } from './messages.contract.ts'
import { isKnownKind, kindsAbout, wordsOfKind } from './server/message-kinds.ts'

const root = join(import.meta.dirname, '../../..')

const behindAKind = ['failed', 'notice', 'withdrawn']

test('every kind of message that the product writes has a label', () => {
  const files = globSync('{features,desk/features}/**/*.mail.ts', { cwd: root })
  const kinds = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:eventKey|event): `([a-z][a-z-]+):/g)].map(
      ([, kind]) => kind,
    ),
  )
  expect(kinds).toEqual(expect.arrayContaining(['activation', 'refund', 'verify', 'port-text']))
  expect(kinds.filter((kind) => !isKnownKind(kind ?? '') && !behindAKind.includes(kind ?? ''))).toEqual([])
})

test('an unknown or missing kind of message gets a general label', () => {
  for (const kind of [null, '', 'of-tomorrow', 'constructor']) expect(wordsOfKind(kind)).toBe('Other message')
  expect(wordsOfKind('verify')).toBe('Confirm e-mail address')
})

test('no kind of message belongs to two subjects', () => {
  const all = subjects.flatMap(kindsAbout)
  expect(new Set(all).size).toBe(all.length)
  expect(kindsAbout('transfers')).toContain('port')
})
