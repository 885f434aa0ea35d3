/** The states of spec 4, "Change-email request". CREATED: nothing is asked for yet. */
export type ChangeEmailState = 'CREATED' | 'REQUESTED' | 'VERIFIED' | 'EXPIRED' | 'FINISHED' | 'CANCELED'

export type ChangeEmailEvent =
  | 'ask'
  | 'pin_right'
  | 'pin_wrong_too_often'
  | 'pin_too_old'
  | 'pin_resent'
  | 'link_resent'
  | 'link_followed'
  /** Somebody else's account has the new address by now. */
  | 'address_taken'
  | 'replaced'
  | 'lapsed'

/** Which state follows which; whatever is not here does not happen. */
export const changeEmailTransitions: { readonly [From in ChangeEmailState]: { readonly [On in ChangeEmailEvent]?: ChangeEmailState } } = {
  CREATED: { ask: 'REQUESTED' },
  REQUESTED: { pin_right: 'VERIFIED', pin_wrong_too_often: 'CANCELED', pin_too_old: 'EXPIRED', pin_resent: 'REQUESTED', replaced: 'CANCELED' },
  EXPIRED: { pin_resent: 'REQUESTED', replaced: 'CANCELED', lapsed: 'CANCELED' },
  VERIFIED: { link_resent: 'VERIFIED', link_followed: 'FINISHED', address_taken: 'CANCELED', replaced: 'CANCELED', lapsed: 'CANCELED' },
  FINISHED: {},
  CANCELED: {},
}

/** Where an event leads, or null when a request cannot take it in this state. */
export const nextChangeEmailState = (state: ChangeEmailState, event: ChangeEmailEvent): ChangeEmailState | null => changeEmailTransitions[state][event] ?? null
