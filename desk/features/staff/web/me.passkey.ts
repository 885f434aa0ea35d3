import type * as Browser from '@simplewebauthn/browser'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { beginConfirm } from '../confirm.contract.ts'
import { beginSignIn, signIn, signInDemo, who } from '../staff.contract.ts'

export const passkeyMessages = {
  unknownHere: 'This browser has no passkeys. Use a current Chrome, Edge, Firefox or Safari.',
  closed: 'The window for the passkey was closed, or it took too long. Try again.',
  alreadyHere: 'This device has a passkey for the desk already. Sign in with it.',
  wrongAddress: 'Passkeys belong to the address of the desk, and this is another one, or it is not https.',
  failed: 'The passkey could not be used. Try again, or use another one.',
} as const

/** In the words of a form. */
const refused = (words: string): ApiError => new ApiError(400, { __all__: [words] })

/** What a browser's own part of it ends with, by the name of the error. */
const wordsOf: Record<string, string> = {
  NotAllowedError: passkeyMessages.closed,
  AbortError: passkeyMessages.closed,
  InvalidStateError: passkeyMessages.alreadyHere,
  SecurityError: passkeyMessages.wrongAddress,
}

/** @throws ApiError, in words, when the browser has no passkeys or its window ended without one */
async function ask<T>(question: (browser: Library) => Promise<T>): Promise<T> {
  const browser = await import('@simplewebauthn/browser')
  if (!browser.browserSupportsWebAuthn()) throw refused(passkeyMessages.unknownHere)
  try {
    return await question(browser)
  } catch (error) {
    throw refused(wordsOf[(error as Error).name] ?? passkeyMessages.failed)
  }
}

type Library = typeof Browser

/** Options as the server has made them; what is in them is the browser's to read. */
type Options = Record<string, unknown>

/** The server makes the options with the other half of the library. Our contract says only that they are an object. */
const forLibrary = (options: Options) => options as never

/** Makes a passkey. @throws ApiError in words */
export const makePasskey = (options: Options) =>
  ask(({ startRegistration }) => startRegistration({ optionsJSON: forLibrary(options) }))

/**
 * Has the person show a passkey: signs in, or says of who is signed in that they are there now.
 * @throws ApiError in words
 */
export async function showPasskey(api: Api): Promise<void> {
  const { data } = await api.call(beginSignIn, {})
  const answer = await ask(({ startAuthentication }) => startAuthentication({ optionsJSON: forLibrary(data.options) }))
  await api.call(signIn, { body: { answer } })
}

/** Makes a call that may want the passkey first (403 with `step_up`), and then makes it again. */
export async function withPasskey<T>(api: Api, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!says(error, 'step_up')) throw error
    await showAgain(api)
    return call()
  }
}

/**
 * Has the person confirm one act with their passkey, for the body of the call that does it. Null for the demo's people, who have none.
 * @throws ApiError in words
 */
export async function confirmWithPasskey(api: Api, act: string): Promise<object | null> {
  const { staff } = (await api.call(who, {})).data
  if (staff?.passkeys === 0) return null
  const { data } = await api.call(beginConfirm, { body: { act } })
  return ask(({ startAuthentication }) => startAuthentication({ optionsJSON: forLibrary(data.options) }))
}

/** Makes a call that may want the passkey's answer for this act (403 with `confirm`), and then makes it again with that. */
export async function withConfirmation<T>(
  api: Api,
  act: string,
  call: (answer: object | null) => Promise<T>,
): Promise<T> {
  try {
    return await withPasskey(api, () => call(null))
  } catch (error) {
    if (!says(error, 'confirm')) throw error
    return call(await confirmWithPasskey(api, act))
  }
}

/** The demo's people have none, and come in by their button once more. */
async function showAgain(api: Api): Promise<void> {
  const { staff } = (await api.call(who, {})).data
  if (staff?.passkeys === 0) await api.call(signInDemo, { body: { email: staff.email } })
  else await showPasskey(api)
}

/** Whether a refusal says what the call needs first. */
const says = (error: unknown, need: 'step_up' | 'confirm'): boolean =>
  error instanceof ApiError && error.status === 403 && (error.body as Record<string, unknown> | null)?.[need] === true
