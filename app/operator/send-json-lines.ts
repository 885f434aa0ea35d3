import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'

export type JsonLines = AsyncIterable<object | object[]>

/**
 * Streams a response as lines of JSON. Once the first line has been sent, the status can no longer change. A later error therefore ends the
 * response with `{ why }`. That line holds the text from `whyOf`, or a general message for an internal error, which is also logged.
 */
export function sendJsonLines(
  reply: FastifyReply,
  { log }: Pick<Deps, 'log'>,
  lines: JsonLines,
  messageOf: (error: unknown) => string | null = () => null,
): FastifyReply {
  async function* encodeLines(): AsyncGenerator<string> {
    try {
      for await (const chunk of lines) yield [chunk].flat().map(toJsonLine).join('')
    } catch (error) {
      const why = messageOf(error)
      if (why === null && reply.raw.destroyed) return
      if (why === null) log.error({ err: error }, 'an operator command failed')
      yield toJsonLine({ why: why ?? 'The command failed. See Fantail’s log.' })
    }
  }
  return reply.type('application/x-ndjson').send(Readable.from(encodeLines()))
}

const toJsonLine = (line: object): string => `${JSON.stringify(line)}\n`
