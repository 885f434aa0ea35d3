import type { CardToken } from '#features/auth/auth.contract.ts'
import type { ConfirmingWords } from '#features/orders/web/Confirming.tsx'

/** `'RENEW WITH VISA **** 1111'` (spec 2.8). */
export function withCard({ card_type, masked_card_number }: CardToken): string {
  return `RENEW WITH ${(card_type ?? 'card').toUpperCase()} ${masked_card_number.slice(-10).trim()}`
}

const isLate = 'This takes longer than it should'

export const byCard: ConfirmingWords = {
  heading: 'We’re confirming your renewal…',
  late: isLate,
  either: 'Either your new plan starts, or your money stays with you.',
  promise: 'You will not be charged twice.',
}

export const byVoucher: ConfirmingWords = {
  heading: 'We’re confirming your renewal…',
  late: isLate,
  either: 'Either your new plan starts, or your voucher stays as it was.',
  promise: 'You will not be charged.',
}
