import type { Transitions } from '#kit/contract/transitions.ts'

/** What a batch of vouchers goes through. */
export const voucherBatchStates = [
  /** Its codes are being made and handed out, and none of them is good yet. */
  'making',
  /** Whoever asked for them has them all: they are good. */
  'complete',
  /** Not all of them arrived: none will ever be good. */
  'broken_off',
  /** Taken back: what is not used by now will not be. */
  'void',
] as const
export type VoucherBatchState = (typeof voucherBatchStates)[number]

export type VoucherBatchEvent = 'arrived' | 'broken_off' | 'voided'

/** Every move a batch can make. What is not here cannot happen. */
export const voucherBatchTransitions: Transitions<VoucherBatchState, VoucherBatchEvent> = {
  making: { arrived: 'complete', broken_off: 'broken_off' },
  complete: { voided: 'void' },
  broken_off: {},
  void: {},
}
