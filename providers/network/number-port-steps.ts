export const portSteps = ['sent', 'information', 'reply', 'moving', 'moved'] as const
type PortStep = (typeof portSteps)[number]

type PortStepTable = Readonly<Record<string, PortStep>>

/** The step of a number transfer for each sub-state. Sub-states in which the transfer ends without the number have no step. */
export const defaultPortSteps: PortStepTable = {
  draft: 'sent',
  requested: 'sent',
  informationRequired: 'information',
  awaitingCustomerReply: 'reply',
  confirmed: 'moving',
  inProgress: 'moving',
  completed: 'moved',
}

/** Returns a number transfer's step, or `null` for a sub-state that means nothing to the customer. */
export const findPortStep = (subState: string | null, steps: PortStepTable = defaultPortSteps): PortStep | null =>
  subState !== null && Object.hasOwn(steps, subState) ? (steps[subState] ?? null) : null
