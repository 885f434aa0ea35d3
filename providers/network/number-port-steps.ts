export const portSteps = ['sent', 'information', 'reply', 'moving', 'moved'] as const
type PortStep = (typeof portSteps)[number]

type PortStepTable = Readonly<Record<string, PortStep>>

/** The step of a number transfer for each sub-state. Sub-states that end a transfer without the number have no step. */
export const defaultPortSteps: PortStepTable = {
  draft: 'sent',
  requested: 'sent',
  informationRequired: 'information',
  awaitingCustomerReply: 'reply',
  confirmed: 'moving',
  inProgress: 'moving',
  completed: 'moved',
}

/** Returns the step of a number transfer; `null` for a sub-state without a meaning for the customer. */
export const findPortStep = (subState: string | null, steps: PortStepTable = defaultPortSteps): PortStep | null =>
  subState !== null && Object.hasOwn(steps, subState) ? (steps[subState] ?? null) : null
