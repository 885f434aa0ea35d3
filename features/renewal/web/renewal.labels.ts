import type { CardToken } from '#features/auth/auth.contract.ts'
import type { PaymentPendingLabels } from '#features/orders/web/PaymentPending.tsx'

/** The label of the button that renews with the saved card: `'RENEW WITH VISA **** 1111'` (spec 2.8). */
export function getCardRenewalLabel({ card_type, masked_card_number }: CardToken): string {
  return `RENEW WITH ${(card_type ?? 'card').toUpperCase()} ${masked_card_number.slice(-10).trim()}`
}

const delayMessage = 'This is taking longer than usual'

export const cardConfirmationLabels: PaymentPendingLabels = {
  heading: 'We’re confirming your renewal…',
  late: delayMessage,
  either: 'You’ll either get your new plan or keep your money.',
  promise: 'You will not be charged twice.',
}

export const voucherConfirmationLabels: PaymentPendingLabels = {
  heading: 'We’re confirming your renewal…',
  late: delayMessage,
  either: 'You’ll either get your new plan or keep your voucher.',
  promise: 'You will not be charged.',
}
