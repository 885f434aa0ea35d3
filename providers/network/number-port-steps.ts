/** What a port waits for, as its customer can follow it: the donor, more answers, the customer's Yes, the move; or it has moved. */
export const portSteps = ['sent', 'information', 'reply', 'moving', 'moved'] as const
type PortStep = (typeof portSteps)[number]

/** Which step each sub-state and milestone of a network's port is. Carriers deviate: this is configuration. */
type PortStepTable = Readonly<Record<string, PortStep>>

/** The sub-states of the orders that tmf.ts reads; those that end a port without its number are no step of it. */
export const defaultPortSteps: PortStepTable = {
  draft: 'sent',
  requested: 'sent',
  informationRequired: 'information',
  awaitingCustomerReply: 'reply',
  confirmed: 'moving',
  inProgress: 'moving',
  completed: 'moved',
}

/** Null for a sub-state that says nothing to a customer. */
export const stepOfPortOrder = (subState: string | null, steps: PortStepTable = defaultPortSteps): PortStep | null =>
  subState !== null && Object.hasOwn(steps, subState) ? (steps[subState] ?? null) : null
