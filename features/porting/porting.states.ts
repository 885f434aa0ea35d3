import type { PortingStatus } from './porting.contract.ts'

/** Every move a number transfer can make. COMPLETED and FAILED are final: another try is another request. */
export const portingTransitions: Record<PortingStatus, PortingStatus[]> = {
  NEW: ['SUBMITTED', 'COMPLETED', 'FAILED'],
  SUBMITTED: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

/** Whether news of the network moves a transfer on; late and repeated news does not. */
export const nextPortingStatus = (from: PortingStatus, to: PortingStatus): boolean => portingTransitions[from].includes(to)
