/** The origin of an unexpected fault: an uncaught error, an unhandled rejection, a component that failed to render, or a 5xx response. */
export type FaultKind = 'error' | 'rejection' | 'render' | 'call'

/** The thrown error. For a `call`, the endpoint and its response. */
export type Fault = [kind: FaultKind, error: unknown, answer?: Response]
export type TellFault = (...fault: Fault) => void

let listener: TellFault = () => {}

/** Reports a fault that the customer has been shown. The browser itself reports uncaught errors. */
export const tellFault: TellFault = (...fault) => listener(...fault)

/** A document has a single listener for faults. */
export function onFault(listen: TellFault): void {
  listener = listen
}
