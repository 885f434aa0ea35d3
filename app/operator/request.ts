import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '#kit/server/actor.ts'

const maxNameLength = 80
const nameHeader = 'x-operator'

/**
 * Returns who is acting. Over the socket, the tool sends a name: `--as NAME`, or the system user's name. For a
 * connection from a different host, the name is the token's, whatever name was sent.
 */
export function getRequestActor({ headers }: FastifyRequest): Actor {
  const [header] = [headers[nameHeader]].flat()
  return { by: 'operator', name: cleanName(decodeName(header ?? '')) || 'operator' }
}

export function setActorName(request: FastifyRequest, name: string): void {
  request.headers[nameHeader] = encodeURIComponent(name)
}

/** Shortens a long name, and removes control characters, which could manipulate a terminal. */
export const cleanName = (text: string): string =>
  text
    .slice(0, maxNameLength)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()

/** Decodes a name from a header. The operator's tool percent-encodes names, because headers are ASCII. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text.slice(0, 12 * maxNameLength))
  } catch {
    return ''
  }
}

export const sendOutcome = (reply: FastifyReply, outcome: object): object =>
  'why' in outcome ? reply.status(409).send({ why: outcome.why }) : outcome

export const isOrderCode = (text: string): boolean => /^\w{1,40}$/.test(text)
export const isAlphanumericId = (text: string): boolean => /^[\dA-Z]{8,12}$/.test(text)
