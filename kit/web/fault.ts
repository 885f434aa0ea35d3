export type FaultKind = 'error' | 'rejection' | 'render' | 'call'

export type Fault = [kind: FaultKind, error: unknown, answer?: Response]
export type FaultListener = (...fault: Fault) => void

let listener: FaultListener = () => {}

/** Reports a fault that the customer has seen. The browser reports uncaught errors on its own. */
export const reportFault: FaultListener = (...fault) => listener(...fault)

export function setFaultListener(listen: FaultListener): void {
  listener = listen
}
