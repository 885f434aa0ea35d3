/** How something unexpected came to light: nobody caught it, nobody handled a promise, a part could not render, a call was answered 5xx. */
export type FaultKind = 'error' | 'rejection' | 'render' | 'call'

/** What was thrown; of a call what was asked, with the answer. */
export type TellFault = (kind: FaultKind, error: unknown, answer?: Response) => void

let listener: TellFault = () => {}

/** Tells whoever listens of a fault that its customer has been shown. What nobody caught the browser tells of itself. */
export const tellFault: TellFault = (...fault) => listener(...fault)

/** Who is told of faults: one listener for the whole document. */
export function onFault(listen: TellFault): void {
  listener = listen
}
