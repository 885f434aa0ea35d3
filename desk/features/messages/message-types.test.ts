import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messageTopics } from './messages.contract.ts'
import { isKnownMessageType, listTopicMessageTypes, messageTypeLabel } from './server/message-types.ts'

const root = join(import.meta.dirname, '../../..')

const behindAKind = ['failed', 'notice', 'withdrawn']

test('every type of message that the application sends has a label', () => {
  const files = globSync('{features,desk/features}/**/*.mail.ts', { cwd: root })
  const kinds = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:eventKey|event): `([a-z][a-z-]+):/g)].map(
      ([, kind]) => kind,
    ),
  )
  expect(kinds).toEqual(expect.arrayContaining(['activation', 'refund', 'verify', 'port-text']))
  expect(kinds.filter((kind) => !isKnownMessageType(kind ?? '') && !behindAKind.includes(kind ?? ''))).toEqual([])
})

test('an unknown or missing message type gets a general label', () => {
  for (const kind of [null, '', 'of-tomorrow', 'constructor']) expect(messageTypeLabel(kind)).toBe('Other message')
  expect(messageTypeLabel('verify')).toBe('Confirm email address')
})

test('no message type belongs to two topics', () => {
  const all = messageTopics.flatMap(listTopicMessageTypes)
  expect(new Set(all).size).toBe(all.length)
  expect(listTopicMessageTypes('transfers')).toContain('port')
})
