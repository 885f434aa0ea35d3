import type { CardToken } from '#features/auth/auth.contract.ts'
import type { ConfirmingWords } from '#features/orders/web/Confirming.tsx'

/** `'RENEW WITH VISA **** 1111'` (spec 2.8). */
export function withCard({ card_type, masked_card_number }: CardToken): string {
  return `RENEW WITH ${(card_type ?? 'card').toUpperCase()} ${masked_card_number.slice(-10).trim()}`
}

const isLate = 'This is taking longer than usual'

export const byCard: ConfirmingWords = {
  heading: 'We’re confirming your renewal…',
  late: isLate,
  either: 'You’ll either get your new plan or keep your money.',
  promise: 'You will not be charged twice.',
}

export const byVoucher: ConfirmingWords = {
  heading: 'We’re confirming your renewal…',
  late: isLate,
  either: 'You’ll either get your new plan or keep your voucher.',
  promise: 'You will not be charged.',
}
