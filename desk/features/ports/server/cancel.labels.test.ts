import { expect, test } from 'vitest'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { cancelOutcomeText } from './cancel.labels.ts'

test('cancelling a number transfer is reported as undecided while the network has not responded', () => {
  const port = { msisdn: '+64215550142', donor_name: 'Skinny' } as ListedPort
  expect(cancelOutcomeText({ outcome: 'undecided' }, port)).toBe(
    'No answer from the network yet. We keep asking; its answer will appear here.',
  )
})
