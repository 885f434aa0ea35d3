import * as v from 'valibot'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { Example, ValidRequest } from './example.ts'
import { accountExamples } from './examples-account.ts'
import { buyingExamples } from './examples-buying.ts'
import { type ParameterValues } from './attack-accounts.ts'
import { fieldsOf, nameOf, paramsOf, type AttackContext } from './attack-context.ts'

const examples: Record<string, Example> = { ...accountExamples, ...buyingExamples }

export const findExample = (endpoint: Endpoint): Example => examples[nameOf(endpoint)] ?? {}

export async function buildValidRequest(scene: AttackContext, endpoint: Endpoint): Promise<ValidRequest> {
  const { right } = findExample(endpoint)
  if (right) return right(scene)
  const { visitor, has } = scene.cast.mallory
  const body = Object.fromEntries(fieldsOf(endpoint.body).map((field) => [field, has[field] ?? 'text']))
  return {
    visitor,
    params: Object.fromEntries(paramsOf(endpoint).map((name) => [name, has[name] ?? 'text'])),
    ...(endpoint.body && { body: isValidBody(endpoint, {}) ? {} : body }),
  }
}

/**
 * Returns a sentence that says what an endpoint's example is missing before it can be attacked in every way; null if nothing is missing.
 */
export function describeMissingExample(endpoint: Endpoint, has: ParameterValues): string | null {
  const name = nameOf(endpoint)
  if (examples[name]?.right) return null
  const unknownParams = paramsOf(endpoint).filter((param) => !(param in has))
  if (unknownParams.length === 0 && (!endpoint.body || isValidBody(endpoint, {}))) return null
  return (
    `${name} is attacked, but has no example of a valid request: add \`right\` for it to ` +
    `quality/attacks/examples-account.ts or examples-buying.ts, and \`who\` if not only confirmed customers may use the endpoint.`
  )
}

const secretFieldPattern = /^(?:old_password|password|username|pin|otp|code|token|sim_serial|adyen_encrypted)$/

/**
 * Returns a fault if an endpoint takes a secret but its example states neither how an attacker would guess the secret nor why guessing is
 * impossible; otherwise null.
 */
export function findMissingGuesses(endpoint: Endpoint): string | null {
  const example = findExample(endpoint)
  const secret = [...fieldsOf(endpoint.body), ...paramsOf(endpoint)].find((field) => secretFieldPattern.test(field))
  if (!secret || example.guesses || example.noGuessing) return null
  return (
    `${nameOf(endpoint)} takes a ${secret}, but no example says how often it may be guessed: add ` +
    `\`guesses\` or \`noGuessing\` to its example.`
  )
}

export const listUnusedExamples = (endpoints: readonly Endpoint[]): string[] =>
  Object.keys(examples).filter((name) => !endpoints.some((endpoint) => nameOf(endpoint) === name))

export const isValidBody = ({ body }: Endpoint, value: unknown): boolean => !body || v.safeParse(body, value).success
