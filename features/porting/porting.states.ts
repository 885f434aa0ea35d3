/** Where a number transfer stands (spec 4), and its number on the wire. */
export const portingStatus = { NEW: 1, SUBMITTED: 2, COMPLETED: 3, FAILED: 4 } as const
export type PortingStatus = keyof typeof portingStatus

/** The name of a status that goes over the wire as its number. */
export function statusNamed(status: 1 | 2 | 3 | 4): PortingStatus {
  const names = Object.keys(portingStatus) as PortingStatus[]
  return names.find((name) => portingStatus[name] === status) ?? 'NEW'
}

/** Every move a number transfer can make. COMPLETED and FAILED are final: another try is another request. */
export const portingTransitions: Record<PortingStatus, PortingStatus[]> = {
  NEW: ['SUBMITTED', 'COMPLETED', 'FAILED'],
  SUBMITTED: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

/** Whether news of the network moves a transfer on; late and repeated news does not. */
export const nextPortingStatus = (from: PortingStatus, to: PortingStatus): boolean =>
  portingTransitions[from].includes(to)
