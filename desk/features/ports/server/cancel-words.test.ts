import { expect, test } from 'vitest'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { saidOf } from './cancel-words.ts'

test('a cancellation that the network has not answered yet is reported as neither done nor refused', () => {
  const port = { msisdn: '+64215550142', donor_name: 'Skinny' } as ListedPort
  expect(saidOf({ outcome: 'undecided' }, port)).toBe(
    'No answer from the network yet. We keep asking; its answer will appear here.',
  )
})
