export const externalServices = {
  card_gateway: 'the card gateway',
  mobile_network: 'the mobile network',
  usage: 'the usage service',
  mail: 'the mail relay',
  sms: 'the SMS carrier',
  error_reporting: 'the error-reporting service',
} as const
export type ExternalService = keyof typeof externalServices

/** A completed call to an external service. It contains no customer data and no secrets. */
export type ExternalCall = {
  service: ExternalService
  operation: string
  outcome: string
  /** Whether the call's outcome is unknown. A definite rejection is not a failure. */
  isFailure: boolean
  ms: number
  why: string | null
}

/** Called with each completed call to an external service. A listener must neither block nor throw. */
export type ExternalCallListener = (call: ExternalCall) => void

export type ExternalCallEmitter = { hear: ExternalCallListener; listen(hear: ExternalCallListener): void }

/**
 * Passes each completed call to the listeners. If a listener throws, its error goes to `onError`, so that a payment does not fail because a
 * metric could not be recorded.
 */
export function createExternalCallEmitter(onError: (error: unknown) => void): ExternalCallEmitter {
  const listeners: ExternalCallListener[] = []
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
