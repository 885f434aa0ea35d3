import { expect, test } from 'vitest'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { cancelOutcomeText } from './cancel.labels.ts'

test('the cancellation of a number transfer is reported as pending until the network responds', () => {
  const port = { msisdn: '+64215550142', donor_name: 'Skinny' } as ListedPort
  expect(cancelOutcomeText({ outcome: 'undecided' }, port)).toBe(
    'No answer from the network yet. We’ll keep checking, and the answer will appear here.',
  )
})
