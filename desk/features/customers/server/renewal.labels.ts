import type { AutoRenewalFailure } from '#features/auto-renewal/server/auto-renewal.store.ts'

const failureTexts: Readonly<Record<AutoRenewalFailure, (card: string) => string>> = {
  'no-card': () => 'There was no card to charge',
  'card-expired': (card) => `${card} has expired`,
  'no-funds': (card) => `Not enough funds on ${card}`,
  refused: (card) => `The bank declined ${card}`,
  unconfirmed: () => 'The gateway did not confirm the payment, so it was cancelled',
  network: () => 'The network could not add the plan; no money was taken',
  missed: () => 'The plan ended before the renewal was charged',
  withdrawn: () => 'The plan due at renewal is no longer on sale',
}

export const failureLabel = (failure: AutoRenewalFailure, card: string | null): string =>
  failureTexts[failure](card ?? 'the saved card')

/** Whether the last automatic renewal was tried and failed. A renewal that was missed or withdrawn was never tried. */
export const hasRenewalFailed = (failure: AutoRenewalFailure | null): boolean =>
  failure !== null && failure !== 'missed' && failure !== 'withdrawn'
