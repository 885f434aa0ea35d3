import type * as Browser from '@simplewebauthn/browser'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { beginConfirmation } from '../confirmation.contract.ts'
import { beginSignIn, signIn, signInDemo, readSignedInStaff } from '../staff.contract.ts'

export const passkeyMessages = {
  unknownHere: 'This browser doesn’t support passkeys. Use a current version of Chrome, Edge, Firefox or Safari.',
  closed: 'The passkey window was closed, or the time ran out. Try again.',
  alreadyHere: 'This device already has a passkey for the desk. Sign in with it.',
  wrongAddress: 'Passkeys only work at the desk’s own https address. Open the desk at that address.',
  failed: 'The passkey didn’t work. Try again, or use another one.',
} as const

const formError = (message: string): ApiError => new ApiError(400, { __all__: [message] })

const passkeyErrors: Record<string, string> = {
  NotAllowedError: passkeyMessages.closed,
  AbortError: passkeyMessages.closed,
  InvalidStateError: passkeyMessages.alreadyHere,
  SecurityError: passkeyMessages.wrongAddress,
}

/**
 * Shows the browser's passkey prompt.
 * @throws ApiError with a message if the browser does not support passkeys or the prompt was cancelled
 */
async function promptForPasskey<T>(prompt: (browser: WebAuthnLibrary) => Promise<T>): Promise<T> {
  const webAuthnLibrary = await import('@simplewebauthn/browser')
  if (!webAuthnLibrary.browserSupportsWebAuthn()) throw formError(passkeyMessages.unknownHere)
  try {
    return await prompt(webAuthnLibrary)
  } catch (error) {
    throw formError(passkeyErrors[(error as Error).name] ?? passkeyMessages.failed)
  }
}

type WebAuthnLibrary = typeof Browser

type PasskeyOptions = Record<string, unknown>

/** The contract types these options only as an object, because the server creates them with the same library. */
const toLibraryOptions = (options: PasskeyOptions) => options as never

/**
 * Creates a passkey.
 * @throws ApiError with a message
 */
export const createPasskey = (options: PasskeyOptions) =>
  promptForPasskey(({ startRegistration }) => startRegistration({ optionsJSON: toLibraryOptions(options) }))

/**
 * Asks for a passkey, either to sign someone in or to confirm that the signed-in person is present.
 * @throws ApiError with a message
 */
export async function authenticateWithPasskey(api: Api): Promise<void> {
  const { data } = await api.call(beginSignIn, {})
  const answer = await promptForPasskey(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: toLibraryOptions(data.options) }),
  )
  await api.call(signIn, { body: { answer } })
}

/** Sends a request. If it needs a recently used passkey (403 with `step_up`), asks for the passkey and repeats the request. */
export async function retryWithPasskey<T>(api: Api, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!hasErrorFlag(error, 'step_up')) throw error
    await reauthenticate(api)
    return call()
  }
}

/**
 * Asks for a passkey to confirm one action. Returns the passkey's response, which goes into the body of the request that
 * needs it; `null` for demo staff, who have no passkeys.
 * @throws ApiError with a message
 */
export async function confirmWithPasskey(api: Api, act: string): Promise<object | null> {
  const { staff } = (await api.call(readSignedInStaff, {})).data
  if (staff?.passkeys === 0) return null
  const { data } = await api.call(beginConfirmation, { body: { act } })
  return promptForPasskey(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: toLibraryOptions(data.options) }),
  )
}

/**
 * Sends a request. If the action needs confirmation (403 with `confirm`), asks for the passkey and repeats the request
 * with the confirmation.
 */
export async function sendWithConfirmation<T>(
  api: Api,
  act: string,
  call: (answer: object | null) => Promise<T>,
): Promise<T> {
  try {
    return await retryWithPasskey(api, () => call(null))
  } catch (error) {
    if (!hasErrorFlag(error, 'confirm')) throw error
    return call(await confirmWithPasskey(api, act))
  }
}

/** Signs demo staff in again, because they have no passkeys. Asks all other staff for their passkey. */
async function reauthenticate(api: Api): Promise<void> {
  const { staff } = (await api.call(readSignedInStaff, {})).data
  if (staff?.passkeys === 0) await api.call(signInDemo, { body: { email: staff.email } })
  else await authenticateWithPasskey(api)
}

const hasErrorFlag = (error: unknown, need: 'step_up' | 'confirm'): boolean =>
  error instanceof ApiError && error.status === 403 && (error.body as Record<string, unknown> | null)?.[need] === true
