/** The services that the product calls, and what they are called in a sentence. */
export const outsideServices = {
  card_gateway: 'the card gateway',
  mobile_network: 'the mobile network',
  usage: 'the usage service',
  mail: 'the mail relay',
  sms: 'the SMS carrier',
  error_reporting: 'the error-reporting service',
} as const
export type OutsideService = keyof typeof outsideServices

/** One call of an outside service that is over, with nothing of a customer and no secret in it. */
export type OutsideCall = {
  service: OutsideService
  /** As the port calls it: `authorise`. */
  operation: string
  /** In the port's own word, `refused`; or `threw`. */
  outcome: string
  /** Nobody knows what came of it. A definite no is an answer. */
  isFailure: boolean
  /** Until the answer was there. */
  ms: number
  /** Of a failure, in a few words. */
  why: string | null
}

/** It neither waits nor throws. */
export type HearCall = (call: OutsideCall) => void

/** Who makes calls tells `hear`; who wants to know of them listens. */
export type OutsideCalls = { hear: HearCall; listen(hear: HearCall): void }

/** A payment does not fail because its metric does: `onError` has what a listener throws. */
export function createOutsideCalls(onError: (error: unknown) => void): OutsideCalls {
  const listeners: HearCall[] = []
  return {
    hear: (call) => {
      for (const listener of listeners)
        try {
          listener(call)
        } catch (error) {
          onError(error)
        }
    },
    listen: (hear) => void listeners.push(hear),
  }
}
