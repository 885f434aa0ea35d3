import type { UnconfirmedCall } from './unconfirmed-calls.store.ts'

/** An order is delivered, and of its money nobody but us says that it was taken. */
export const unconfirmedCapture = (payment: string): string =>
  `${payment} is captured here, and the gateway has never confirmed it`

/** What a person is told of a call that the gateway acknowledged, and of whose outcome it has said nothing. */
export function neverConfirmed({ kind, payment, reference }: UnconfirmedCall): string {
  switch (kind) {
    case 'capture':
      // In the words of the finding that `reconcile` may make of it: it is one task.
      return `${payment.replace(/-\d+$/, '')} ${unconfirmedCapture(payment)}`
    case 'refund':
      return `the gateway has never confirmed the refund ${reference}: its customer may not have the money`
    case 'cancel':
    case 'technicalCancel':
      return `the gateway has never confirmed that ${payment} was cancelled (${reference}): its money may still be reserved`
  }
}
