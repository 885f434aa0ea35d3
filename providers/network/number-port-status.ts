/** The four number transfer statuses that customers see (specification, section 4). */
export const portStatus = { NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 } as const
type PortStatus = (typeof portStatus)[keyof typeof portStatus]

type StatusBySubState = Readonly<Record<string, PortStatus>>

export const defaultStatusBySubState: StatusBySubState = {
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

export const toStatusNames = (rollUp: StatusBySubState): Record<string, StatusName> =>
  mapValues(rollUp, (status) => statusNames.find((name) => portStatus[name] === status)!)
export const parseStatusNames = (names: Readonly<Record<string, StatusName>>): StatusBySubState =>
  mapValues(names, (name) => portStatus[name])

const statusNames = Object.keys(portStatus) as StatusName[]
const mapValues = <From, To>(entries: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, to(value)]))

type PortOrder = { state: 'running' | 'completed' | 'failed'; subState: string | null }

/**
 * Derives a number transfer's status from the network's order. A sub-state that completes or fails the transfer takes precedence, followed
 * by the order's own final state. A running order with an unknown sub-state counts as submitted, because the network has accepted it.
 */
export function getPortOrderStatus(
  { state, subState }: PortOrder,
  rollUp: StatusBySubState = defaultStatusBySubState,
): PortStatus {
  const statusForSubState = subState !== null && Object.hasOwn(rollUp, subState) ? rollUp[subState] : undefined
  if (statusForSubState === portStatus.COMPLETED || statusForSubState === portStatus.FAILED) return statusForSubState
  if (state === 'completed') return portStatus.COMPLETED
  if (state === 'failed') return portStatus.FAILED
  return statusForSubState ?? portStatus.SUBMITTED
}
