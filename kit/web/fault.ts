export type FaultKind = 'error' | 'rejection' | 'render' | 'call'

export type Fault = [kind: FaultKind, error: unknown, answer?: Response]
export type TellFault = (...fault: Fault) => void

let listener: TellFault = () => {}

/** Reports a fault that the customer has been shown. The browser itself reports uncaught errors. */
export const tellFault: TellFault = (...fault) => listener(...fault)

export function onFault(listen: TellFault): void {
  listener = listen
}
