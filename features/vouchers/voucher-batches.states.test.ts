import { expect, test } from 'vitest'
import { movesOf } from '#kit/contract/transitions.ts'
import { type VoucherBatchEvent, voucherBatchStates, voucherBatchTransitions } from './voucher-batches.states.ts'

const events: VoucherBatchEvent[] = ['arrived', 'broken_off', 'voided']

test('every state can be reached, and every event leads to one place', () => {
  expect(new Set(['making', ...events.map((event) => movesOf(voucherBatchTransitions, event).to)])).toEqual(
    new Set(voucherBatchStates),
  )
})

test('codes that did not all arrive are never good, nor are those of a batch that was taken back', () => {
  expect(voucherBatchTransitions.broken_off).toEqual({})
  expect(voucherBatchTransitions.void).toEqual({})
  expect(movesOf(voucherBatchTransitions, 'voided').from).toEqual(['complete'])
})
