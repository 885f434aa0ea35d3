import type { TransitionTable } from '#kit/contract/transitions.ts'

export const voucherBatchStates = [
  /** The codes are being created and handed out, and none is valid yet. */
  'making',
  /** The requester has received all codes, and the codes are valid. */
  'complete',
  /** The requester did not receive all codes, so none will ever be valid. */
  'broken_off',
  'void',
] as const
export type VoucherBatchState = (typeof voucherBatchStates)[number]

export type VoucherBatchEvent = 'arrived' | 'broken_off' | 'voided'

export const voucherBatchTransitions: TransitionTable<VoucherBatchState, VoucherBatchEvent> = {
  making: { arrived: 'complete', broken_off: 'broken_off' },
  complete: { voided: 'void' },
  broken_off: {},
  void: {},
}
