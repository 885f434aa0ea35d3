import type { UnconfirmedRequest } from './unconfirmed-requests.store.ts'

export const describeUnconfirmedCapture = (paymentReference: string): string =>
  `${paymentReference} is captured in our records, but the gateway has never confirmed it`

export function describeUnconfirmedRequest({ kind, payment, reference }: UnconfirmedRequest): string {
  switch (kind) {
    case 'capture':
      // The wording must match the finding that `reconcile` reports, so that both create the same task.
      return `${payment.replace(/-\d+$/, '')} ${describeUnconfirmedCapture(payment)}`
    case 'refund':
      return `the gateway has never confirmed the refund ${reference}: its customer may not have the money`
    case 'cancel':
    case 'technicalCancel':
      return `the gateway has never confirmed that ${payment} was cancelled (${reference}): its money may still be reserved`
  }
}
