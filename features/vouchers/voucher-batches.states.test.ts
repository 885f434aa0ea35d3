import { expect, test } from 'vitest'
import { findTransition } from '#kit/contract/transitions.ts'
import { type VoucherBatchEvent, voucherBatchStates, voucherBatchTransitions } from './voucher-batches.states.ts'

const events: VoucherBatchEvent[] = ['arrived', 'broken_off', 'voided']

test('every state of a voucher batch can be reached, and every event leads to a single state', () => {
  expect(new Set(['making', ...events.map((event) => findTransition(voucherBatchTransitions, event).to)])).toEqual(
    new Set(voucherBatchStates),
  )
})

test('broken_off and void are final states of a voucher batch, and only a complete batch can be voided', () => {
  expect(voucherBatchTransitions.broken_off).toEqual({})
  expect(voucherBatchTransitions.void).toEqual({})
  expect(findTransition(voucherBatchTransitions, 'voided').from).toEqual(['complete'])
})
