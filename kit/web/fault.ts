/**
 * How something unexpected came to light: an error or a promise's rejection was not caught, a part could not render, a
 * call was answered 5xx.
 */
export type FaultKind = 'error' | 'rejection' | 'render' | 'call'

/** What was thrown; of a call what was asked, with the answer. */
export type Fault = [kind: FaultKind, error: unknown, answer?: Response]
export type TellFault = (...fault: Fault) => void

let listener: TellFault = () => {}

/** Tells the listener of a fault that its customer has been shown. What was not caught the browser reports itself. */
export const tellFault: TellFault = (...fault) => listener(...fault)

/** Who is told of faults: one listener for the whole document. */
export function onFault(listen: TellFault): void {
  listener = listen
}
