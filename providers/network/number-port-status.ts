/** Spec 4: the four statuses of a port that customers see. */
export const portStatus = { NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 } as const
type PortStatus = (typeof portStatus)[keyof typeof portStatus]

/** Which status each sub-state of a network's port rolls up to. Carriers deviate: this is configuration. */
type PortRollUp = Readonly<Record<string, PortStatus>>

/** The sub-states of the orders that tmf.ts reads. */
export const defaultPortRollUp: PortRollUp = {
  draft: portStatus.NEW,
  requested: portStatus.NEW,
  informationRequired: portStatus.NEW,
  awaitingCustomerReply: portStatus.SUBMITTED,
  confirmed: portStatus.SUBMITTED,
  inProgress: portStatus.SUBMITTED,
  completed: portStatus.COMPLETED,
  declined: portStatus.FAILED,
  expired: portStatus.FAILED,
  cancelled: portStatus.FAILED,
}

type StatusName = keyof typeof portStatus

/** A roll-up in the names of its statuses, as people write it, and back. */
export const namesOf = (rollUp: PortRollUp): Record<string, StatusName> =>
  mapValues(rollUp, (status) => statusNames.find((name) => portStatus[name] === status)!)
export const rollUpOf = (names: Readonly<Record<string, StatusName>>): PortRollUp =>
  mapValues(names, (name) => portStatus[name])

const statusNames = Object.keys(portStatus) as StatusName[]
const mapValues = <From, To>(entries: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, to(value)]))

type PortOrder = { state: 'running' | 'completed' | 'failed'; subState: string | null }

/**
 * The status of a port order, as its network answers it. A sub-state that ends the port decides; then the order's own
 * end; a running order whose sub-state is not in the table has been submitted: the network has it.
 */
export function statusOfPortOrder({ state, subState }: PortOrder, rollUp: PortRollUp = defaultPortRollUp): PortStatus {
  const bySubState = subState !== null && Object.hasOwn(rollUp, subState) ? rollUp[subState] : undefined
  if (bySubState === portStatus.COMPLETED || bySubState === portStatus.FAILED) return bySubState
  if (state === 'completed') return portStatus.COMPLETED
  if (state === 'failed') return portStatus.FAILED
  return bySubState ?? portStatus.SUBMITTED
}
