import type { TransitionTable } from '#kit/contract/transitions.ts'

/** Email change states (spec 4, "Change-email request"). CREATED means that no change has been requested yet. */
export type EmailChangeState = 'CREATED' | 'REQUESTED' | 'VERIFIED' | 'EXPIRED' | 'FINISHED' | 'CANCELED'

export type EmailChangeEvent =
  | 'ask'
  | 'pin_right'
  | 'pin_wrong_too_often'
  | 'pin_too_old'
  | 'pin_resent'
  | 'link_resent'
  | 'link_followed'
  | 'address_taken'
  | 'replaced'
  | 'lapsed'

export const emailChangeTransitions: TransitionTable<EmailChangeState, EmailChangeEvent> = {
  CREATED: { ask: 'REQUESTED' },
  REQUESTED: {
    pin_right: 'VERIFIED',
    pin_wrong_too_often: 'CANCELED',
    pin_too_old: 'EXPIRED',
    pin_resent: 'REQUESTED',
    replaced: 'CANCELED',
  },
  EXPIRED: { pin_resent: 'REQUESTED', replaced: 'CANCELED', lapsed: 'CANCELED' },
  VERIFIED: {
    link_resent: 'VERIFIED',
    link_followed: 'FINISHED',
    address_taken: 'CANCELED',
    replaced: 'CANCELED',
    lapsed: 'CANCELED',
  },
  FINISHED: {},
  CANCELED: {},
}
